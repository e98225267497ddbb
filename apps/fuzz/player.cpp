// SPDX-License-Identifier: MIT
#include <apps/fuzz/player.hpp>

#include <algorithm>

namespace capstan::fuzz {
namespace {

int refusedCalls = 0;
// Contacts times substeps, at 10 to 50 us each. Objects are taken away after so many.
constexpr long kMostWork = 12000;

// A world whose Def is refused is run with the usual Def, so that the other lines are tried too.
World startOf(const Recipe& recipe, On on) {
    WorldDef def;
    if (!recipe.ops.empty() && recipe.ops[0].verb == "world")
        for (const Word& w : recipe.ops[0].words) assign(def, w);
    def.backend = on.backend;
    def.threads = on.threads;
    Result<World> world = World::make(def);
    if (world) return std::move(*world);
    ++refusedCalls;
    return World({.backend = on.backend, .threads = on.threads});
}

// Sets all fields that the line names. Words of no field are a refused call.
template <class D> D changed(D def, const Op& op) {
    for (const Word& w : op.words)
        if (!assign(def, w)) ++refusedCalls;
    return def;
}

bool drives(const AxisDef& a) { return a.target || a.speed != 0 || a.speedMin || a.speedMax; }

// Returns whether a joint may do work that energy() does not hold.
bool drives(const JointDef& d) {
    const bool driven = d.type == JointType::Servo || d.type == JointType::Motor ||
                        d.type == JointType::Drag || d.type == JointType::Spool;
    return driven || drives(d.turn) || drives(d.slide) || drives(d.swing) || d.frame0 || d.frame1;
}

} // namespace

Player::Player(const Recipe& recipe, On on)
    : recipe_(recipe), on_(on), world_(startOf(recipe, on)),
      before_(setCheckHandler([](const char*, const char*) { ++refusedCalls; })) {
    at_.uncertain = world_.def().jointSolver == JointSolver::Xpbd; // one sweep over long levers brings energy
}

Player::Player(const Recipe& recipe, On on, const Position& position, const Snapshot& snapshot)
    : Player(recipe, on) {
    at_ = position;
    world_.restore(snapshot);
    keepOn(world_.def());
}

// Configures the world, on the backend and threads of this run. A snapshot brings those of the run that took it. A recipe
// may name more threads, and then a run on several takes them.
void Player::keepOn(WorldDef def) {
    def.backend = on_.backend;
    def.threads = on_.threads == 1 ? 1 : std::max(on_.threads, def.threads);
    if (!world_.tryConfigure(def)) ++refusedCalls;
}

Player::~Player() { setCheckHandler(before_); }

int Player::refused() { return refusedCalls; }

bool Player::edit() {
    for (; at_.op < recipe_.ops.size(); ++at_.op, at_.inner = 0) {
        const Op& op = recipe_.ops[at_.op];
        if (op.verb != "step") {
            act(op);
            continue;
        }
        if (at_.inner >= op.integer("n", 1)) continue;
        if (at_.work > kMostWork) thinOut();
        return true;
    }
    return false;
}

void Player::step() {
    world_.step(float(dt()));
    at_.work += long(world_.report().contacts) * world_.report().substeps;
    ++at_.inner;
    ++at_.steps;
    at_.edited = at_.tied = false;
}

// Takes the object away that touches most. Without it, one world in eight was a heap that took two thirds of all time.
void Player::thinOut() {
    at_.work = 0;
    std::map<std::pair<ObjectKind, std::uint32_t>, std::pair<int, ObjectId>> touches;
    for (const Contact& c : world_.contacts())
        for (const ObjectId o : {c.a, c.b}) {
            if (o.kind == ObjectKind::Body && world_.def(o.as<BodyId>()).type != BodyType::Dynamic) continue;
            auto& [count, id] = touches[{o.kind, o.index}];
            ++count;
            id = o;
        }
    const auto most = std::max_element(touches.begin(), touches.end(), [](const auto& a, const auto& b) {
        return a.second.first < b.second.first;
    });
    if (most == touches.end()) return;
    at_.edited = at_.uncertain = true;
    world_.remove(most->second.second);
}

void Player::act(const Op& op) {
    if (op.verb == "world") return;
    const auto verb = verbs().find(op.verb);
    if (verb == verbs().end()) {
        ++refusedCalls;
        return;
    }
    at_.edited = true;
    (this->*verb->second)(op);
}

ObjectId Player::object(const Op& op) const {
    const auto found = at_.names.find(op.name);
    return found == at_.names.end() ? ObjectId{} : found->second;
}

template <class D, class I> void Player::add(const Op& op) {
    D def = changed(D{}, op);
    def.name = op.name;
    // An object that comes while the world runs may overlap another, and its way out is work.
    if (at_.steps > 0) at_.uncertain = true;
    const Result<I> made = world_.tryAdd(def);
    if (made)
        at_.names[op.name] = *made;
    else
        ++refusedCalls;
}

void Player::addRope(const Op& op) {
    if (Solver(op.integer("solver")) != Solver::Chain) at_.soft = true;
    if (op.number("maxBend") > 0) at_.uncertain = true; // a spring that energy() does not hold
    add<RopeDef, RopeId>(op);
}
void Player::addBody(const Op& op) { add<BodyDef, BodyId>(op); }
void Player::addJoint(const Op& op) {
    if (drives(changed(JointDef{}, op))) at_.uncertain = true;
    add<JointDef, JointId>(op);
}
void Player::addCloth(const Op& op) {
    if (op.vector("wind") != Vec3{0, 0, 0}) at_.uncertain = true; // the air brings energy
    at_.soft = true;
    add<ClothDef, ClothId>(op);
}
void Player::addHair(const Op& op) { add<HairDef, HairId>(op); }

template <class D, class I> void Player::update(const Op& op, I id) {
    if (!world_.isValid(id)) {
        ++refusedCalls;
        return;
    }
    const D def = changed(world_.def(id), op);
    if constexpr (std::is_same_v<D, JointDef>)
        if (drives(def)) at_.uncertain = true;
    if (!world_.update(id, def)) ++refusedCalls;
}

void Player::doUpdate(const Op& op) {
    const ObjectId o = object(op);
    if (o.kind == ObjectKind::Rope) update<RopeDef>(op, o.as<RopeId>());
    if (o.kind == ObjectKind::Body) update<BodyDef>(op, o.as<BodyId>());
    if (o.kind == ObjectKind::Joint) update<JointDef>(op, o.as<JointId>());
    if (o.kind == ObjectKind::Cloth) update<ClothDef>(op, o.as<ClothId>());
    if (o.kind == ObjectKind::Hair) update<HairDef>(op, o.as<HairId>());
    // Springs and filters that change while things press or are strained release what nobody can add up.
    at_.uncertain = true;
}

void Player::doConfigure(const Op& op) {
    const WorldDef def = changed(world_.def(), op);
    if (def.contact != world_.def().contact || def.jointSolver != world_.def().jointSolver)
        at_.uncertain = true;
    keepOn(def);
}

const std::map<std::string, Player::Verb, std::less<>>& Player::verbs() {
    static const std::map<std::string, Verb, std::less<>> all = {
        {"rope", &Player::addRope},
        {"body", &Player::addBody},
        {"joint", &Player::addJoint},
        {"cloth", &Player::addCloth},
        {"hair", &Player::addHair},
        {"update", &Player::doUpdate},
        {"configure", &Player::doConfigure},
        {"attach", &Player::doAttach},
        {"pin", &Player::doPin},
        {"unpin", &Player::doUnpin},
        {"force", &Player::doForce},
        {"impulse", &Player::doImpulse},
        {"torque", &Player::doTorque},
        {"spin", &Player::doSpin},
        {"velocity", &Player::doVelocity},
        {"mass", &Player::doMass},
        {"move", &Player::doMove},
        {"teleport", &Player::doTeleport},
        {"wind", &Player::doWind},
        {"target", &Player::doTarget},
        {"control", &Player::doControl},
        {"enable", &Player::doEnable},
        {"winch", &Player::doWinch},
        {"cut", &Player::doCut},
        {"remove", &Player::doRemove},
        {"ray", &Player::doRay},
        {"snapshot", &Player::doSnapshot},
        {"restore", &Player::doRestore},
        {"lawless", &Player::doLawless},
    };
    return all;
}

} // namespace capstan::fuzz
