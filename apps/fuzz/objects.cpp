// SPDX-License-Identifier: MIT
// Objects of every kind with numbers by chance. The ranges are those that a user's world has: millimetres to metres,
// grams to hundreds of kilograms, free to rigid.
#include <apps/fuzz/maker.hpp>

#include <numbers>

namespace capstan::fuzz {
namespace {

constexpr float kRoom = 0.25f; // m, half of what an object may fill of its cell

MaterialDef material(Maker& m, bool bounces) {
    MaterialDef d;
    d.friction = m.chance(0.2) ? 0 : m.between(0, 1.2);
    if (m.chance(0.2)) d.staticFriction = d.friction * m.between(1, 1.5);
    if (bounces && m.chance(0.3)) d.restitution = m.between(0, 1);
    return d;
}

FilterDef filter(Maker& m) {
    FilterDef d;
    if (m.chance(0.05)) d.group = m.within(-2, 2);
    if (m.chance(0.05)) d.category = 1u << m.pick(3);
    if (m.chance(0.05)) d.mask = 1u << m.pick(3);
    return d;
}

ShapeDef hull(Maker& m, float size) {
    Hull h;
    const int corners = m.within(4, 12);
    for (int i = 0; i < corners; ++i) h.points.push_back(size * m.direction());
    return h;
}

ShapeDef shape(Maker& m, float size) {
    switch (m.pick(5)) {
    case 0:
        return Box{{size * m.between(0.3, 1), size * m.between(0.3, 1), size * m.between(0.3, 1)}};
    case 1:
        return Sphere{0.5f * size};
    case 2:
        return Capsule{0.3f * size, 0.6f * size};
    case 3:
        return Cylinder{0.4f * size, 0.6f * size};
    default:
        return hull(m, 0.5f * size);
    }
}

BodyDef body(Maker& m, Vec3 at, float size) {
    BodyDef d;
    d.shape = shape(m, size);
    if (m.chance(0.15)) // a compound, which may be lopsided
        d.parts.push_back(shape(m, 0.5f * size).at(0.3f * size * m.direction(), m.turn()));
    if (m.chance(0.5))
        d.mass = m.spread(0.01, 100);
    else
        d.density = m.spread(50, 8000);
    d.position = at;
    if (m.chance(0.6)) d.rotation = m.turn();
    if (m.chance(0.5)) d.velocity = m.vector(m.chance(0.1) ? 60 : 4);
    if (m.chance(0.3)) d.angularVelocity = m.vector(m.chance(0.1) ? 200 : 10);
    if (m.chance(0.1)) d.damping = m.between(0, 2);
    d.material = material(m, true);
    d.filter = filter(m);
    if (m.chance(0.1)) d.type = BodyType::Static;
    if (!m.quiet && m.chance(0.1)) d.type = BodyType::Kinematic;
    return d;
}

void setRope(Maker& m, RopeDef& d) {
    d.segments = m.within(3, m.chance(0.2) ? 40 : 20);
    d.radius = m.spread(0.003, 0.02);
    if (m.chance(0.4))
        d.mass = m.spread(0.01, 10);
    else
        d.density = m.spread(300, 8000);
    if (m.chance(0.4)) d.stretchStiffness = m.spread(1e2, 1e6);
    if (m.chance(0.5)) d.bendStiffness = m.spread(1e-5, 0.3);
    if (m.chance(0.1)) d.maxBend = m.between(0.1, 1.5);
    if (m.chance(0.3)) d.damping = m.between(0, 3);
    if (m.chance(0.15)) d.breakTension = m.spread(1, 1000);
    if (m.chance(0.3)) d.velocity = m.vector(m.chance(0.1) ? 50 : 4);
    d.material = material(m, false);
    d.filter = filter(m);
    d.selfContact = !m.chance(0.1);
    if (m.chance(0.2)) {
        d.solver = m.chance(0.5) ? Solver::GaussSeidel : Solver::Jacobi;
        d.iterations = m.within(1, 12);
        d.tethers = m.chance(0.3);
        d.maxBend = 0;
    }
    if (m.chance(0.2)) d.loads = {{m.chance(0.5) ? last : m.pick(d.segments), m.spread(0.01, 20)}};
}

void freeRope(Maker& m) {
    Vec3 at;
    if (!m.cell(at)) return;
    RopeDef d;
    setRope(m, d);
    const Vec3 along = kRoom * m.direction();
    d.from = at - along;
    d.to = at + along;
    if (m.chance(0.3)) { // a bent path
        const Vec3 side = kRoom * 0.5f * m.direction();
        d.points = {d.from, at + side, d.to};
        d.from = d.to = {0, 0, 0};
    }
    if (m.chance(0.3)) d.pins = {m.chance(0.7) ? first : m.pick(d.segments)};
    if (m.chance(0.1)) d.clamps = {{first, along}};
    m.add("rope", m.names.ropes, d);
}

void longRope(Maker& m) {
    RopeDef d;
    Vec3 from, to;
    if (!m.row(from, to)) return;
    setRope(m, d);
    d.from = from;
    d.to = to;
    if (m.chance(0.7)) d.pins = {first, last};
    if (m.chance(0.3)) d.length = m.between(1.001, 1.1) * length(to - from);
    m.add("rope", m.names.ropes, d);
}

void setRing(RopeDef& d, Vec3 center, Vec3 e, Vec3 f, float radius) {
    d.closed = true;
    const int nodes = std::max(d.segments, 8);
    d.segments = 0;
    for (int k = 0; k < nodes; ++k) {
        const double a = 2 * std::numbers::pi * k / nodes;
        d.points.push_back(center + radius * (float(std::cos(a)) * e + float(std::sin(a)) * f));
    }
    d.loads.clear();
    d.tethers = false;
}

// Two rings, linked or apart.
void rings(Maker& m) {
    Vec3 at;
    if (!m.cell(at)) return;
    RopeDef a, b;
    setRope(m, a);
    setRing(a, at, {1, 0, 0}, {0, 1, 0}, 0.12f);
    m.add("rope", m.names.ropes, a);
    if (m.chance(0.3)) return;
    setRope(m, b);
    b.filter = {};
    setRing(b, at + Vec3{0.12f, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0.1f);
    m.add("rope", m.names.ropes, b);
}

// A body that hangs on a rope; the rope's end is where it is attached.
void hungBody(Maker& m) {
    Vec3 low, high;
    if (!m.column(low, high)) return;
    BodyDef b = body(m, low, 0.2f);
    b.shape = Sphere{0.1f};
    b.parts.clear();
    b.rotation = Quatf::identity();
    const std::string hung = m.add("body", m.names.bodies, b);
    RopeDef r;
    setRope(m, r);
    const Vec3 hook = {0, 0.1f + 2 * r.radius, 0};
    r.from = high;
    r.to = low + hook;
    r.velocity = {0, 0, 0};
    r.loads.clear();
    if (m.chance(0.8)) r.pins = {first};
    const std::string rope = m.add("rope", m.names.ropes, r);
    m.op("attach", m.named('t', m.names.joints))
        .with("a.object", rope)
        .with("a.node", last)
        .with("b.object", hung)
        .with("b.point", hook);
}

AxisDef limits(Maker& m, double size) {
    AxisDef a;
    if (m.chance(0.4)) {
        a.min = -m.between(0, size);
        a.max = m.between(0, size);
    }
    if (m.chance(0.2)) a.damping = m.spread(1e-3, 10);
    return a;
}

void setJoint(Maker& m, JointDef& d) {
    static const std::vector<JointType> passive = {JointType::Ball,      JointType::Hinge,
                                                   JointType::Prismatic, JointType::Cylinder,
                                                   JointType::Fixed,     JointType::Distance};
    static const std::vector<JointType> driven = {JointType::Servo, JointType::Motor, JointType::Drag};
    d.type = !m.quiet && m.chance(0.3) ? m.oneOf(driven) : m.oneOf(passive);
    d.axis = m.direction();
    if (d.type == JointType::Hinge || d.type == JointType::Servo) d.turn = limits(m, 2);
    if (d.type == JointType::Prismatic || d.type == JointType::Cylinder) d.slide = limits(m, 0.2);
    if (d.type == JointType::Ball && m.chance(0.4)) d.swing.max = m.between(0.1, 2);
    if (d.type == JointType::Servo) d.turn.target = m.between(-1, 1);
    if (d.type == JointType::Motor) d.turn.speed = m.between(-20, 20);
    if (d.type == JointType::Motor && m.chance(0.5)) d.turn.maxForce = m.spread(0.01, 100);
    if (d.type == JointType::Distance && m.chance(0.5)) d.distance.compliance = m.spread(1e-6, 0.1);
    if (m.chance(0.15)) d.breakForce = m.spread(1, 1000);
    if (m.chance(0.1)) d.breakTorque = m.spread(0.1, 100);
    d.collideConnected = m.chance(0.1);
}

// Two to five bodies in a row, each joined to the one before; the first perhaps to the world.
void mechanism(Maker& m) {
    Vec3 from, to;
    if (!m.row(from, to)) return;
    const int count = m.within(2, 5);
    const float space = length(to - from) / float(count);
    std::string before;
    for (int i = 0; i < count; ++i) {
        const Vec3 at = from + (to - from) * (float(i) / float(count));
        BodyDef b = body(m, at, std::min(0.2f, 0.7f * space));
        b.velocity = b.angularVelocity = {0, 0, 0};
        const std::string now = m.add("body", m.names.bodies, b);
        if (i > 0 || m.chance(0.6)) {
            JointDef d;
            setJoint(m, d);
            if (!before.empty()) d.body0 = before;
            d.body1 = now;
            d.anchor = at - Vec3{0.5f * space, 0, 0};
            if (d.type == JointType::Distance) d.anchor1 = at;
            m.add("joint", m.names.joints, d);
        }
        before = now;
    }
}

void cloth(Maker& m) {
    Vec3 at;
    if (!m.cell(at)) return;
    ClothDef d;
    d.cellsU = m.within(2, 7);
    d.cellsV = m.within(2, 7);
    d.origin = at - Vec3{kRoom, 0, kRoom};
    d.edgeU = {2 * kRoom, 0, 0};
    d.edgeV = {0, m.between(-0.1, 0.1), 2 * kRoom};
    if (m.chance(0.5)) d.stretchStiffness = m.spread(10, 1e5);
    if (m.chance(0.7)) d.shearStiffness = m.spread(1, 1e4);
    if (m.chance(0.6)) d.bendStiffness = m.spread(1e-6, 1e-2);
    d.thickness = m.spread(0.002, 0.02);
    if (m.chance(0.5)) d.damping = m.between(0, 2);
    d.density = m.spread(0.05, 2);
    d.material = material(m, false);
    d.selfContact = !m.chance(0.3);
    if (m.chance(0.2)) d.tearStrain = m.between(0.02, 0.5);
    if (m.chance(0.3)) d.pins = {0};
    if (m.chance(0.3)) d.pins.push_back(d.cellsU);
    if (m.chance(0.3)) {
        d.solver = ClothSolver::Jacobi;
        d.iterations = m.within(1, 6);
    }
    d.tethers = m.pick(3);
    if (m.chance(0.3)) d.velocity = m.vector(3);
    if (!m.quiet && m.chance(0.2)) {
        d.drag = m.between(0, 2);
        d.wind = m.vector(5);
    }
    m.add("cloth", m.names.cloths, d);
}

void hair(Maker& m) {
    Vec3 at;
    if (!m.cell(at)) return;
    HairDef d;
    if (m.chance(0.6)) {
        BodyDef head = body(m, at, 0.2f);
        head.shape = Sphere{0.1f};
        head.parts.clear();
        d.rootBody = m.add("body", m.names.bodies, head);
        at = {0, 0, 0};
    }
    const int strands = m.within(1, 5);
    for (int i = 0; i < strands; ++i) {
        const Vec3 out = m.direction();
        d.roots.push_back(at + 0.1f * out);
        d.directions.push_back(out);
    }
    d.vertices = m.within(2, 16);
    d.length = m.spread(0.05, 0.3);
    d.shape = HairShape(m.pick(3));
    d.damping = m.between(0, 3);
    if (m.chance(0.3)) d.wind = m.vector(5);
    d.substeps = m.within(1, 8);
    if (m.chance(0.3)) d.lod.levels = m.within(1, 3);
    m.add("hair", m.names.hairs, d);
}

void looseBody(Maker& m) {
    Vec3 at;
    if (m.cell(at)) m.add("body", m.names.bodies, body(m, at, m.between(0.05, 0.3)));
}

void ground(Maker& m) {
    BodyDef d;
    d.type = BodyType::Static;
    d.material = material(m, true);
    switch (m.pick(4)) {
    case 0:
    case 1:
        d.shape = Plane{};
        break;
    case 2:
        d.shape = Box{{6, 1, 6}};
        d.position = {0, -0.5f, 0};
        break;
    default: {
        Mesh mesh;
        constexpr int n = 5;
        for (int i = 0; i < n * n; ++i)
            mesh.points.push_back({1.5f * float(i % n) - 3, m.between(-0.15, 0), 1.5f * float(i / n) - 3});
        for (int i = 0; i + 1 < n; ++i)
            for (int j = 0; j + 1 < n; ++j) {
                const int a = j * n + i;
                mesh.triangles.push_back({a, a + n, a + 1});
                mesh.triangles.push_back({a + 1, a + n, a + n + 1});
            }
        d.shape = mesh;
    }
    }
    m.add("body", m.names.bodies, d);
}

void world(Maker& m) {
    WorldDef d;
    if (m.chance(0.15)) d.gravity = m.chance(0.5) ? Vec3{0, 0, 0} : m.vector(20);
    d.substeps = m.oneOf<int>({1, 2, 4, 4, 4, 8});
    if (m.chance(0.2)) d.minSeparationRatio = m.between(0.2, 0.95);
    if (m.chance(0.15)) d.damping = m.between(0, 2);
    d.contact = !m.chance(0.08);
    if (m.chance(0.15)) d.jointSolver = JointSolver::Xpbd;
    m.op("world").words = wordsOf(d);
}

} // namespace

void addObject(Maker& m) {
    using Add = void (*)(Maker&);
    static const std::vector<Add> all = {freeRope, freeRope,  freeRope,  longRope,  rings,
                                         rings,    hungBody,  mechanism, mechanism, cloth,
                                         hair,     looseBody, looseBody, looseBody};
    m.oneOf(all)(m);
}

void addObjects(Maker& m) {
    world(m);
    if (m.chance(0.8)) ground(m);
    const int count = m.within(1, m.chance(0.3) ? 10 : 6);
    for (int i = 0; i < count; ++i) addObject(m);
}

} // namespace capstan::fuzz
