// SPDX-License-Identifier: MIT
// The recipe of a seed: objects, then steps with edits between them.
//
// Three kinds of worlds are made. In a quiet one nothing does work that cannot be added up, so its energy is judged from
// the first step to the last. In a lawless one some numbers are made wrong, and what overflows may be frozen. The others
// are edited by all calls that World has.
#include <apps/fuzz/maker.hpp>

#include <algorithm>

namespace capstan::fuzz {
namespace {

constexpr double kQuiet = 0.4, kLawless = 0.1; // shares of the worlds

std::string someone(Maker& m, const std::vector<std::string>& list) {
    // Sometimes an object of another kind, and sometimes nobody.
    if (list.empty() || m.chance(0.02)) return m.names.all.empty() ? "nobody" : m.oneOf(m.names.all);
    return m.oneOf(list);
}

int node(Maker& m) {
    return m.chance(0.5) ? (m.chance(0.5) ? first : last) : m.within(-6, m.chance(0.05) ? 100 : 6);
}

void kick(Maker& m) {
    switch (m.pick(5)) {
    case 0:
        m.op("impulse", someone(m, m.names.bodies)).with("value", m.vector(m.spread(0.01, 10)));
        break;
    case 1:
        m.op("impulse", someone(m, m.names.ropes))
            .with("node", node(m))
            .with("value", m.vector(m.spread(0.001, 1)));
        break;
    case 2:
        m.op("velocity", someone(m, m.names.all))
            .with("node", node(m))
            .with("value", m.vector(m.spread(0.1, 100)));
        break;
    case 3:
        m.op("spin", someone(m, m.names.bodies))
            .with("impulse", m.pick(2))
            .with("value", m.vector(m.spread(0.01, 30)));
        break;
    default:
        m.op("impulse", someone(m, m.names.cloths))
            .with("node", m.within(-9, 9))
            .with("value", m.vector(0.01));
    }
}

void cut(Maker& m) {
    const std::string rope = someone(m, m.names.ropes);
    const std::string behind = m.named('r', m.names.ropes);
    m.op("cut", rope).with("segment", m.within(-4, 12)).with("as", behind);
}

void pin(Maker& m) {
    const std::string whose = someone(m, m.chance(0.7) ? m.names.ropes : m.names.cloths);
    if (m.chance(0.3))
        m.op("unpin", whose).with("node", node(m));
    else
        m.op("pin", whose).with("node", node(m)).with("target", m.anywhere());
}

void push(Maker& m) {
    switch (m.pick(3)) {
    case 0:
        m.op("force", someone(m, m.names.all))
            .with("node", node(m))
            .with("value", m.vector(m.spread(0.1, 300)));
        break;
    case 1:
        m.op("force", someone(m, m.names.bodies))
            .with("value", m.vector(m.spread(0.1, 300)))
            .with("at", m.anywhere());
        break;
    default:
        m.op("torque", someone(m, m.names.bodies)).with("value", m.vector(m.spread(0.01, 30)));
    }
}

void move(Maker& m) {
    Op& op =
        m.op(m.chance(0.3) ? "teleport" : "move", someone(m, m.chance(0.8) ? m.names.bodies : m.names.hairs));
    op.with("position", m.anywhere());
    if (m.chance(0.5)) op.with("rotation", textOf(m.turn()));
}

void steer(Maker& m) {
    switch (m.pick(5)) {
    case 0:
        m.op("target", someone(m, m.names.joints)).with("value", m.between(-3, 3));
        break;
    case 1:
        m.op("target", someone(m, m.names.joints)).with("point", m.anywhere());
        break;
    case 2:
        m.op("enable", someone(m, m.names.joints)).with("on", m.pick(2));
        break;
    case 3:
        m.op("control").with("x", m.between(-1, 1)).with("y", m.between(-1, 1));
        break;
    default:
        m.op("wind", someone(m, m.chance(0.5) ? m.names.cloths : m.names.hairs)).with("value", m.vector(8));
    }
}

void winch(Maker& m) {
    m.op("winch", someone(m, m.names.ropes))
        .with("end", m.chance(0.5) ? first : last)
        .with("speed", m.between(-2, 2));
}

void attach(Maker& m) {
    const std::string name = m.named('t', m.names.joints);
    const bool rope = m.chance(0.6);
    m.op("attach", name)
        .with("a.object", someone(m, rope ? m.names.ropes : m.names.cloths))
        .with("a.node", node(m))
        .with("b.object", someone(m, rope || m.chance(0.6) ? m.names.bodies : m.names.ropes))
        .with("b.node", node(m))
        .with("b.point", m.vector(0.1));
}

void update(Maker& m) {
    Op& op = m.op("update", someone(m, m.names.all));
    switch (m.pick(8)) {
    case 0:
        op.with("material.friction", m.between(0, 1));
        break;
    case 1:
        op.with("stretchStiffness", m.spread(10, 1e6));
        break;
    case 2:
        op.with("bendStiffness", m.spread(1e-6, 0.1));
        break;
    case 3:
        op.with("damping", m.between(0, 3));
        break;
    case 4:
        op.with("mass", m.spread(0.01, 10));
        break;
    case 5:
        op.with("filter.group", m.within(-2, 2));
        break;
    case 6:
        op.with("breakTension", m.spread(0.1, 100));
        break;
    default:
        op.with("radius", m.spread(0.002, 0.03));
    }
}

void configure(Maker& m) {
    Op& op = m.op("configure");
    switch (m.pick(6)) {
    case 0:
        op.with("gravity", m.vector(12));
        break;
    case 1:
        op.with("substeps", m.within(1, 8));
        break;
    case 2:
        op.with("minSeparationRatio", m.between(0, 0.95));
        break;
    case 3:
        op.with("contact", m.pick(2));
        break;
    case 4:
        op.with("jointSolver", m.pick(2));
        break;
    default:
        op.with("threads", m.within(1, 3));
    }
}

void keep(Maker& m) { m.op(m.chance(0.5) ? "snapshot" : "restore").with("slot", m.pick(2)); }
void remove(Maker& m) { m.op("remove", someone(m, m.names.all)); }
void mass(Maker& m) {
    m.op("mass", someone(m, m.names.cloths)).with("node", m.within(-9, 9)).with("value", m.spread(1e-3, 1));
}
void ray(Maker& m) { m.op("ray").with("from", m.anywhere()).with("to", m.direction()); }

// Replaces some numbers of the recipe by numbers that are far off, or none.
void spoil(Maker& m, Recipe& recipe) {
    static const std::vector<std::string> bad = {"nan", "inf",  "-inf",  "-1",
                                                 "0",   "1e30", "-1e30", "2147483647"};
    const int count = m.within(1, 4);
    for (int i = 0; i < count; ++i) {
        Op& op = recipe.ops[std::size_t(m.pick(int(recipe.ops.size())))];
        if (op.words.empty() || op.verb == "step") continue;
        Word& word = op.words[std::size_t(m.pick(int(op.words.size())))];
        float number = 0;
        if (!read(word.value, number)) continue;
        word.value = m.chance(0.5) ? m.oneOf(bad) : textOf(number * m.spread(1e-3, 1e3));
    }
    recipe.ops.insert(recipe.ops.begin() + 1, Op{"lawless", {}});
}

} // namespace

void addEdit(Maker& m) {
    using Edit = void (*)(Maker&);
    static const std::vector<Edit> quiet = {kick, kick, kick, cut, ray};
    static const std::vector<Edit> any = {kick,   kick,  cut,   pin,    pin,       push,     move,
                                          steer,  steer, winch, attach, configure, keep,     remove,
                                          update, ray,   mass,  update, remove,    addObject};
    m.oneOf(m.quiet ? quiet : any)(m);
}

Recipe generate(std::uint64_t seed, int steps) {
    Maker m(seed);
    m.quiet = m.chance(kQuiet);
    const bool lawless = !m.quiet && m.chance(kLawless / (1 - kQuiet));
    addObjects(m);
    static const std::vector<float> rates = {60, 60, 60, 120, 240, 30, 90};
    float rate = m.oneOf(rates);
    for (int left = steps; left > 0;) {
        const int n = std::min(left, m.within(1, m.quiet ? 60 : 25));
        m.op("step").with("n", n).with("dt", 1 / rate);
        left -= n;
        for (int edits = m.pick(m.quiet ? 2 : 4); edits > 0; --edits) addEdit(m);
        if (m.chance(0.1)) rate = m.chance(0.2) ? m.spread(15, 2000) : m.oneOf(rates);
    }
    if (lawless) spoil(m, m.recipe);
    return std::move(m.recipe);
}

} // namespace capstan::fuzz
