// SPDX-License-Identifier: MIT
// K5: a tied knot holds. The knots are a reef knot of two ropes and a bowline around a post, with friction 0.3. A light
// force tightens each knot. Then the force rises within a second to fifty times the weight of a rope, and acts for
// ten minutes. The slip is the length of rope that runs through the knot, so the loaded end moves along the force.
// Across the force the end only swings for a minute, without gravity and with damping. From five seconds after the
// load on, at most a tenth of a rope's thickness may slip. A granny knot differs from a reef knot in one crossing and
// needs more friction: at 0.3 it slips until it opens.
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace capstan::validation {

namespace {

struct Position {
    int x, y, z; // in 0.1 mm
};
// One of the two ropes of the reef knot, from the loaded end to the tail. The other rope is rotated by 180 degrees
// about y.
const Position kReef[] = {
    {-4300, 120, 0},    {-850, 120, 0},    {-781, 120, -10},  {-719, 119, -23},   {-662, 118, -39},
    {-609, 117, -56},   {-561, 117, -72},  {-516, 116, -87},  {-475, 116, -99},   {-435, 117, -108},
    {-397, 118, -112},  {-360, 120, -110}, {-304, 125, -93},  {-257, 131, -64},   {-214, 139, -31},
    {-170, 150, 0},     {-126, 165, 32},   {-84, 183, 68},    {-43, 202, 98},     {0, 220, 110},
    {45, 241, 95},      {90, 263, 61},     {135, 282, 24},    {180, 290, 0},      {230, 286, -2},
    {280, 272, 4},      {320, 250, 0},     {341, 224, -22},   {354, 192, -55},    {362, 156, -88},
    {370, 120, -110},   {384, 61, -115},   {390, 0, -110},    {384, -61, -115},   {370, -120, -110},
    {362, -156, -88},   {354, -192, -55},  {341, -224, -22},  {320, -250, 0},     {280, -272, 4},
    {230, -286, -2},    {180, -290, 0},    {135, -282, 24},   {90, -263, 61},     {45, -241, 95},
    {0, -220, 110},     {-43, -202, 98},   {-84, -183, 68},   {-126, -165, 32},   {-170, -150, 0},
    {-214, -139, -31},  {-257, -130, -64}, {-305, -124, -93}, {-360, -120, -110}, {-399, -118, -112},
    {-441, -117, -108}, {-487, -117, -98}, {-535, -118, -85}, {-585, -119, -69},  {-637, -121, -53},
    {-690, -125, -36},  {-744, -129, -21}, {-797, -134, -8},  {-850, -140, 0},    {-897, -147, 4},
    {-945, -155, 7},    {-994, -164, 9},   {-1043, -174, 10}, {-1093, -185, 10},  {-1144, -196, 9},
    {-1195, -208, 8},   {-1246, -220, 6},  {-1297, -233, 4},  {-1348, -245, 3},   {-1399, -257, 1},
    {-1450, -269, 0},   {-1500, -280, 0}};
const Position kGranny[] = {
    {-4300, 120, 0},    {-850, 120, 0},    {-781, 120, -10},  {-719, 119, -23},  {-662, 118, -39},
    {-609, 117, -56},   {-561, 117, -72},  {-516, 116, -87},  {-475, 116, -99},  {-435, 117, -108},
    {-397, 118, -112},  {-360, 120, -110}, {-304, 125, -93},  {-257, 131, -64},  {-214, 139, -31},
    {-170, 150, 0},     {-126, 165, 32},   {-84, 183, 68},    {-43, 202, 98},    {0, 220, 110},
    {45, 241, 95},      {90, 263, 61},     {135, 282, 24},    {180, 290, 0},     {230, 286, -2},
    {280, 272, 4},      {320, 250, 0},     {341, 224, -25},   {354, 190, -62},   {362, 154, -96},
    {370, 120, -110},   {380, 80, -89},    {387, 40, -44},    {390, 0, 0},       {387, -40, 44},
    {380, -80, 89},     {370, -120, 110},  {362, -154, 96},   {354, -190, 62},   {341, -224, 25},
    {320, -250, 0},     {280, -272, -4},   {230, -286, 2},    {180, -290, 0},    {135, -282, -24},
    {90, -263, -61},    {45, -241, -95},   {0, -220, -110},   {-43, -202, -98},  {-84, -183, -68},
    {-126, -165, -32},  {-170, -150, 0},   {-214, -139, 31},  {-257, -130, 64},  {-305, -124, 93},
    {-360, -120, 110},  {-399, -118, 112}, {-441, -117, 108}, {-487, -117, 98},  {-535, -118, 85},
    {-585, -119, 69},   {-637, -121, 53},  {-690, -125, 36},  {-744, -129, 21},  {-797, -134, 8},
    {-850, -140, 0},    {-897, -147, -4},  {-945, -155, -7},  {-994, -164, -9},  {-1043, -174, -10},
    {-1093, -185, -10}, {-1144, -196, -9}, {-1195, -208, -8}, {-1246, -220, -6}, {-1297, -233, -4},
    {-1348, -245, -3},  {-1399, -257, -1}, {-1450, -269, 0},  {-1500, -280, 0}};
const Position kBowline[] = {
    {220, 3000, 0},    {220, 1000, 0},     {220, 934, 0},      {220, 875, -1},     {220, 822, -2},
    {220, 775, -3},    {220, 731, -3},     {220, 690, -2},     {220, 650, 0},      {220, 595, 8},
    {220, 548, 17},    {220, 500, 20},     {220, 448, 11},     {220, 395, -4},     {220, 340, -20},
    {221, 298, -31},   {222, 254, -45},    {222, 209, -57},    {222, 164, -67},    {220, 120, -70},
    {217, 68, -64},    {212, 16, -49},     {204, -34, -33},    {190, -80, -20},    {164, -131, -11},
    {131, -177, -4},   {90, -210, 0},      {40, -229, 1},      {-16, -236, 1},     {-70, -230, 0},
    {-122, -208, 0},   {-172, -173, 0},    {-210, -130, 0},    {-235, -78, 0},     {-249, -18, 0},
    {-250, 40, 0},     {-235, 95, 0},      {-208, 149, 0},     {-170, 190, 0},     {-120, 216, -2},
    {-61, 230, -4},    {0, 230, 0},        {44, 220, 11},      {89, 202, 28},      {135, 178, 46},
    {179, 149, 62},    {220, 120, 70},     {258, 90, 69},      {295, 58, 61},      {329, 22, 50},
    {361, -17, 39},    {390, -60, 30},     {412, -101, 24},    {431, -145, 19},    {449, -192, 14},
    {464, -242, 10},   {478, -293, 6},     {490, -346, 3},     {500, -400, 0},     {508, -446, -2},
    {515, -494, -2},   {521, -544, -3},    {525, -595, -3},    {529, -647, -2},    {531, -699, -2},
    {531, -751, -1},   {530, -802, -1},    {526, -852, 0},     {520, -900, 0},     {512, -950, 0},
    {502, -1001, 0},   {490, -1052, 0},    {476, -1103, 0},    {460, -1152, 0},    {442, -1199, 0},
    {421, -1243, 0},   {397, -1284, 0},    {370, -1320, 0},    {333, -1359, 0},    {291, -1396, 0},
    {245, -1429, 0},   {196, -1458, 0},    {147, -1480, 0},    {97, -1495, 0},     {50, -1500, 0},
    {3, -1495, 0},     {-47, -1480, 0},    {-97, -1458, 0},    {-146, -1430, 0},   {-193, -1396, 0},
    {-234, -1359, 0},  {-270, -1320, 0},   {-296, -1283, 0},   {-319, -1242, 1},   {-340, -1197, 2},
    {-358, -1149, 3},  {-372, -1099, 4},   {-384, -1048, 5},   {-393, -997, 4},    {-398, -947, 3},
    {-400, -900, 0},   {-397, -849, -5},   {-389, -797, -10},  {-377, -745, -17},  {-361, -693, -25},
    {-343, -642, -33}, {-323, -592, -42},  {-301, -545, -51},  {-280, -500, -60},  {-255, -457, -71},
    {-226, -416, -86}, {-195, -377, -101}, {-163, -339, -116}, {-133, -303, -127}, {-108, -266, -132},
    {-90, -230, -130}, {-77, -187, -115},  {-72, -145, -90},   {-70, -104, -60},   {-71, -63, -28},
    {-70, -20, 0},     {-70, 27, 30},      {-73, 76, 63},      {-76, 125, 95},     {-76, 173, 119},
    {-70, 220, 130},   {-59, 263, 127},    {-45, 307, 115},    {-27, 350, 96},     {-5, 388, 73},
    {20, 420, 50},     {54, 448, 18},      {94, 470, -24},     {138, 487, -65},    {181, 498, -97},
    {220, 500, -110},  {263, 492, -98},    {309, 474, -69},    {345, 452, -33},    {360, 430, 0},
    {345, 410, 30},    {308, 389, 61},     {262, 366, 89},     {220, 340, 110},    {185, 314, 123},
    {149, 286, 132},   {115, 255, 135},    {90, 220, 130},     {75, 181, 115},     {68, 138, 90},
    {66, 92, 60},      {66, 46, 29},       {65, 0, 0},         {64, -45, -28},     {64, -90, -58},
    {65, -135, -87},   {68, -182, -112},   {70, -230, -130},   {73, -280, -140},   {77, -331, -143},
    {81, -384, -142},  {86, -440, -140},   {90, -500, -140},   {93, -544, -142},   {96, -590, -144},
    {99, -639, -145},  {102, -689, -147},  {105, -740, -150},  {108, -793, -152},  {111, -845, -154},
    {114, -898, -156}, {117, -949, -158},  {120, -1000, -160}};

constexpr double kThick = 0.01; // m, thickness of a rope
constexpr double kSet = 5;      // s, time after which slip is measured

RopeDef rope(std::span<const Position> positions, double turn, int segments, float mass, double mu) {
    RopeDef def;
    for (const Position& p : positions)
        def.points.push_back(at(turn * 1e-4 * p.x, 1e-4 * p.y, turn * 1e-4 * p.z));
    def.segments = segments;
    def.radius = static_cast<float>(kThick / 2);
    def.mass = mass;
    def.bendStiffness = 1e-4f;
    def.damping = 1;
    def.material.friction = static_cast<float>(mu);
    return def;
}

// Returns the force on the loaded end: `dress` for a second, and then it rises to `load` within another second.
double loadAt(double time, double dress, double load) {
    return time < 1 ? dress : load * std::min(1.0, 0.2 * (1 + static_cast<int>((time - 1) / 0.2)));
}

struct Held {
    double slip = 0;    // m, motion along the force after kSet
    double wanders = 0; // m, motion across the force
    int contacts = 0;   // number of contacts at the end
};

// Pulls node 0 of a rope for some seconds. `before` is called before every frame.
template <class F>
Held hang(World& world, RopeId pulled, Vec3d way, double dress, double load, double seconds,
          const F& before) {
    Held held;
    Vec3d set = {0, 0, 0};
    for (int i = 0; i < frames(seconds); ++i) {
        const double time = i * static_cast<double>(kFrame);
        before(time);
        world.applyForce({pulled, 0}, narrow(loadAt(time, dress, load) * way));
        world.step(kFrame);
        const Vec3d x = widen(Vec3(world.positions(pulled)[0]));
        if (i + 1 == frames(kSet)) set = x;
        if (i + 1 <= frames(kSet)) continue;
        const double along = dot(x - set, way);
        held.slip = worse(held.slip, along);
        held.wanders = worse(held.wanders, length(x - set - along * way));
    }
    held.contacts = world.report().contacts;
    return held;
}

Held twoRopes(std::span<const Position> positions, double mu, double seconds) {
    World world({.gravity = {0, 0, 0}, .substeps = kContactSubsteps});
    RopeDef left = rope(positions, 1, 100, 0.05f, mu);
    left.pins = {0};
    const RopeId fast = world.add(left), pulled = world.add(rope(positions, -1, 100, 0.05f, mu));
    return hang(world, pulled, {1, 0, 0}, 2, 25, seconds, [&](double time) {
        if (time >= 1) return;
        world.applyForce({fast, last}, {-1, 0, 0});
        world.applyForce({pulled, last}, {1, 0, 0});
    });
}

Held bowline(double mu, double seconds) {
    World world({.gravity = {0, 0, 0}, .substeps = kContactSubsteps});
    BodyDef post;
    post.type = BodyType::Static;
    post.shape = Cylinder{.radius = 0.02f, .length = 0.3f};
    post.position = at(0.005, -0.115);
    post.rotation = {0.70710678f, 0, 0, 0.70710678f};
    post.material.friction = static_cast<float>(mu);
    world.add(post);
    const RopeId pulled = world.add(rope(kBowline, 1, 110, 0.06f, mu));
    return hang(world, pulled, {0, 1, 0}, 2, 30, seconds, [](double) {});
}

} // namespace

std::vector<Row> runKnots(const Options& options) {
    const double seconds = options.full ? 600 : 12, mu = 0.3;
    const std::string times = std::to_string(static_cast<int>(seconds)) + " s";
    Sheet sheet("K5", options, 1);
    auto progress = [&](const char* what, double part) {
        if (options.progress) options.progress(what, part);
    };
    auto holds = [&](const std::string& what, const Held& held) {
        sheet.add(atMost("K5", what + ", " + times + ": slip since it has set / diameter", held.slip / kThick,
                         0.1, 0.01));
        sheet.add(atMost("K5", what + ": swings in across the pull / diameter", held.wanders / kThick,
                         std::numeric_limits<double>::infinity()));
    };
    progress("reef knot", 0);
    holds("reef knot, friction 0.3, 50 x the weight of a rope", twoRopes(kReef, mu, seconds));
    progress("bowline", 0.4);
    holds("bowline around a post, friction 0.3, 50 x the weight of a rope", bowline(mu, seconds));
    progress("granny knot", 0.8);
    sheet.add(atMost("K5",
                     "granny knot, friction 0.3, 50 x the weight: contact rows left after 12 s (0: undone)",
                     twoRopes(kGranny, mu, 12).contacts, 0));
    sheet.add(atMost("K5", "granny knot, friction 0.4, 12 s: slip / diameter",
                     twoRopes(kGranny, 0.4, 12).slip / kThick, 1));
    return sheet.take();
}

} // namespace capstan::validation
