// SPDX-License-Identifier: MIT
// B10: a chain of real links: rings of twelve steel capsules that hold each other by contact alone. The first is fixed, the
// last is a load. The axis of a ring is a regular polygon of circumradius R, and two rings hang corner in corner, at right
// angles. The sides of a corner fall by a = 15 degrees, and the corners are the height h apart. Two such axes are nearest
// at the distance s = h tan a / (1 + 2 tan^2 a) sideways along each. There they are the diameter d of the wire apart:
//     d^2 = 2 s^2 + (h - 2 s tan a)^2 = h^2 / (1 + 2 tan^2 a),      pitch = 2 R - h
// Corners are 30 degrees apart. So the whole chain, turned by that angle about the axis of the fixed ring, hangs in
// corners too. From there it swings, and whatever touches, its energy can only fall.
#include <validation/harness/suite.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace capstan::validation {

namespace {

constexpr double kRing = 0.04, kWire = 0.008; // m, radii of the torus
constexpr int kSides = 12;
constexpr double kTilt = 2 * std::numbers::pi / kSides; // rad, angle of two corners
constexpr double kGravity = 9.81;

double pitchOfLinks() {
    const double slope = std::tan(std::numbers::pi / kSides);
    return 2 * kRing - 2 * kWire * std::sqrt(1 + 2 * slope * slope);
}

BodyDef linkOf(int k, double tilt) {
    BodyDef link;
    const double side = 2 * kRing * std::sin(0.5 * kTilt), out = kRing * std::cos(0.5 * kTilt);
    for (int i = 0; i < kSides; ++i) {
        const double angle = kTilt * (i + 0.5);
        const ShapeDef shape = ShapeDef(Capsule{static_cast<float>(kWire), static_cast<float>(side)})
                                   .at(at(out * std::cos(angle), out * std::sin(angle)),
                                       Quatf::fromAxisAngle({0, 0, 1}, static_cast<float>(angle)));
        if (i == 0)
            link.shape = shape;
        else
            link.parts.push_back(shape);
    }
    link.density = 7800;
    link.material.friction = 0.3f;
    const double down = k * pitchOfLinks();
    link.position = at(down * std::sin(tilt), -down * std::cos(tilt));
    link.rotation =
        Quatf::fromAxisAngle({0, 0, 1}, static_cast<float>(tilt)) *
        Quatf::fromAxisAngle({0, 1, 0}, k % 2 == 1 ? static_cast<float>(0.5 * std::numbers::pi) : 0.0f);
    if (k == 0) link.type = BodyType::Static;
    return link;
}

struct Chain {
    int links = 5;
    double load = 1; // kg
};
struct Outcome {
    double longest = 0; // largest distance of neighbours / pitch
    double fastest = 0; // m/s, in the last second
    double gained = 0;  // J, most that the energy rose above what it was before
};

Outcome hang(const Chain& chain, double tilt, double seconds) {
    World world;
    std::vector<BodyId> ids;
    for (int k = 0; k < chain.links; ++k) {
        BodyDef link = linkOf(k, tilt);
        if (k + 1 == chain.links) link.mass = static_cast<float>(chain.load);
        ids.push_back(world.add(link));
    }
    Outcome out;
    double least = world.energy().total();
    const int all = frames(seconds);
    for (int i = 0; i < all; ++i) {
        world.step(kFrame);
        const double energy = world.energy().total();
        out.gained = worse(out.gained, energy - least);
        least = std::min(least, energy);
        for (std::size_t k = 1; k < ids.size(); ++k) {
            const double apart = widen(length(world.position(ids[k]) - world.position(ids[k - 1])));
            out.longest = worse(out.longest, apart / pitchOfLinks());
            if (i < all - 60) continue;
            const double turns = kRing * widen(length(world.angularVelocity(ids[k])));
            out.fastest = worse(out.fastest, widen(length(world.velocity(ids[k]))) + turns);
        }
    }
    return out;
}

void addChain(Sheet& sheet, const Chain& chain, double swings) {
    char what[60];
    std::snprintf(what, sizeof what, "%d links, %g kg, ", chain.links, chain.load);
    const auto add = [&](const char* claim, double got, double gate) {
        sheet.add(atMost("B10", what + std::string(claim), got, gate, 0));
    };
    const Outcome still = hang(chain, 0, 10), swung = hang(chain, kTilt, swings);
    const double height = (chain.links - 1) * pitchOfLinks() * (1 - std::cos(kTilt));
    add("hanging: longest pitch, above the formula", still.longest - 1, 0.01);
    add("hanging: fastest point after 10 s / 1 mm/s", 1000 * still.fastest, 1);
    add("swung by 30 degrees: longest pitch, above the formula", swung.longest - 1, 0.01);
    add("swung by 30 degrees: energy gained, share of the load's fall",
        swung.gained / (chain.load * kGravity * height), 1e-9);
}

} // namespace

std::vector<Row> runChainOfLinks(const Options& options) {
    Sheet sheet("B10", options, 1);
    double done = 0;
    for (const int links : {5, 20, 50})
        for (const double load : {1.0, 10.0, 100.0}) {
            if (options.progress) options.progress("chains of links", done++ / 9);
            addChain(sheet, {links, load}, options.full ? 10 : 4);
        }
    return sheet.take();
}

} // namespace capstan::validation
