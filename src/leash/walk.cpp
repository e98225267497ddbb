// SPDX-License-Identifier: MIT
// Creates, drives and reads a LeashWalk. The wishes of dogs are in dogs.cpp. Untangling is in untangling.cpp.
#include <capstan/leash/walk.hpp>

#include "builder/field_check.hpp"
#include "leash/post.hpp"

#include <algorithm>
#include <cmath>

namespace capstan {

View LeashWalk::defaultView() { return viewFrom({0, 0, 1}, {0, 1, 0}).value(); }

Result<LeashWalk> LeashWalk::start(World& world, const LeashDef& def) {
    if (std::optional<Error> bad = checkFields(def)) return *bad;
    if (def.dogs.empty() || def.dogs.size() > kMostDogs)
        return Error{"there must be 1 to " + std::to_string(kMostDogs) + " dogs, got " +
                         std::to_string(def.dogs.size()),
                     "/dogs"};
    if (def.tangles.minDistance > def.tangles.lockThreshold ||
        def.tangles.lockThreshold >= def.tangles.maxDistance)
        return Error{"a tangle needs minDistance <= lockThreshold < maxDistance", "/tangles/lockThreshold"};
    const float lowest = kCollar + 0.2f, highest = kCollar + 0.65f * def.length;
    if (def.hand.y < lowest || def.hand.y > highest)
        return Error{"the hand must be " + shortNumber(double(lowest)) + " to " +
                         shortNumber(double(highest)) + " m above the ground, for leashes of this length",
                     "/hand"};
    LeashWalk walk(def);
    if (Status added = walk.addAll(world); !added) {
        walk.removeAll(world); // removes what was added
        return added.error();
    }
    walk.readMotion(world);
    return walk;
}

// Returns the start of leash i at the hand [m].
Vec3 LeashWalk::grip(std::size_t i) const {
    const float middle = 0.5f * float(def_.dogs.size() - 1);
    return hand_ + Vec3{(float(i) - middle) * def_.gripSpacing, 0, 0};
}

Status LeashWalk::addAll(World& world) {
    hand_ = def_.hand;
    BodyDef ground;
    ground.type = BodyType::Static;
    ground.shape = Plane{};
    ground.filter.category = kGroundCategory;
    const Result<BodyId> plane = world.tryAdd(ground);
    if (!plane) return plane.error();
    ground_ = *plane;
    for (std::size_t i = 0; i < def_.dogs.size(); ++i)
        if (Status added = addDog(world, i); !added)
            return Error{added.error().what, "/dogs/" + std::to_string(i)};
    return done();
}

// Adds the finger at a grip, a vertical capsule. So a leash that is pulled hard over another leash's start meets a
// round surface instead of a wedge between two leashes. The filter excludes contact with the dog's own leash.
Status LeashWalk::addFinger(World& world, Dog& dog, std::size_t i) {
    BodyDef finger;
    finger.type = BodyType::Kinematic;
    finger.position = grip(i);
    finger.material.friction = 0;
    finger.shape = ShapeDef(Capsule{kFinger, kFingerLength}).at({0, 0.5f * kFingerLength, 0});
    finger.filter.category = fingerCategory(i);
    const Result<BodyId> made = world.tryAdd(finger);
    if (!made) return made.error();
    dog.finger = *made;
    return done();
}

// Adds a dog with its finger and leash. Dogs stand on an arc in front of the handler, from left to right. So the
// leashes hang in separate arcs, which is the trivial braid.
Status LeashWalk::addDog(World& world, std::size_t i) {
    const std::size_t n = def_.dogs.size();
    const float drop = def_.hand.y - kCollar, reach = 0.8f * def_.length;
    const float out = std::sqrt(reach * reach - drop * drop);
    const float share = n > 1 ? float(i) / float(n - 1) : 0.5f;
    const DogDef& d = def_.dogs[i];
    Dog dog;
    dog.name = d.name.empty() ? "dog" + std::to_string(i + 1) : d.name;
    dog.temperament = d.temperament;
    dog.mass = d.mass;
    dog.strength = d.strength;
    dog.heading = (1 - share) * 2.6f + share * 0.5f;
    dog.dice = std::uint64_t(std::uint32_t(def_.seed)) * 1000003u + i * 7919u + 1;
    const SinCos<float> a = sincos(dog.heading);
    const Vec3 at = {hand_.x + out * a.cos, kMiddle, hand_.z + out * a.sin};

    BodyDef body;
    body.name = dog.name;
    body.mass = d.mass;
    body.position = at;
    body.material.friction = 0;
    body.shape = Capsule{kThick, 2 * (kCollar - kMiddle - kThick)};
    body.inertia = {kInertia * d.mass, kInertia * d.mass, kInertia * d.mass};
    body.filter.mask = ~kGroundCategory;
    const Result<BodyId> made = world.tryAdd(body);
    if (!made) return made.error();
    dog.body = *made;
    if (Status held = addFinger(world, dog, i); !held) {
        world.remove(dog.body);
        return held;
    }
    RopeDef leash;
    leash.name = "leash of " + dog.name;
    leash.from = grip(i);
    leash.to = at + Vec3{0, kCollar - kMiddle, 0};
    leash.segments = def_.segments;
    leash.length = def_.length;
    leash.radius = def_.radius;
    leash.mass = def_.mass;
    leash.material.friction = def_.friction;
    leash.damping = 0.5f;
    leash.stretchStiffness = def_.stretchStiffness;
    leash.pins = {first};
    leash.filter.mask = ~fingerCategory(i);
    const Result<RopeId> rope = world.tryAdd(leash);
    if (!rope) {
        world.remove(dog.body);
        world.remove(dog.finger);
        return rope.error();
    }
    dog.leash = *rope;
    world.attach({dog.leash, last}, {dog.body, {0, kCollar - kMiddle, 0}}).value();
    dogs_.push_back(dog);
    return done();
}

void LeashWalk::removeAll(World& world) {
    for (const Dog& dog : dogs_) {
        world.remove(dog.leash);
        world.remove(dog.body);
        world.remove(dog.finger);
    }
    if (ground_) world.remove(ground_);
}

Vec3 LeashWalk::positionOf(const World& world, std::size_t i) const {
    return world.centerOfMass(dogs_[i].body);
}

void LeashWalk::checkLoose(const World& world) {
    for (Dog& dog : dogs_)
        dog.loose = dog.loose || !world.isValid(dog.body) || !world.isValid(dog.leash) ||
                    int(world.tensions(dog.leash).size()) != def_.segments;
}

void LeashWalk::step(World& world, float dt) {
    drive(world, dt);
    world.step(dt);
    look(world, dt);
}

void LeashWalk::drive(World& world, float dt) {
    checkLoose(world);
    if (!asked_ && def_.untangleAt > 0 && time_ >= double(def_.untangleAt)) {
        asked_ = true;
        if (Status begun = untangle(); !begun) giveUp(begun.error().what);
    }
    if (state_ == State::Untangling) goOn(world, dt);
    moveHand(world, dt);
    for (std::size_t i = 0; i < dogs_.size(); ++i) {
        if (!world.isValid(dogs_[i].body)) continue;
        push(world, dogs_[i], state_ == State::Walking ? wish(world, i, dt) : obey(world, i), dt);
    }
}

void LeashWalk::moveHand(World& world, float dt) {
    if (state_ == State::Walking) hand_ = hand_ + dt * def_.stroll;
    const float goal = raised_ ? raisedHeight() : def_.hand.y;
    hand_.y += std::clamp(goal - hand_.y, -kHandSpeed * dt, kHandSpeed * dt);
    for (std::size_t i = 0; i < dogs_.size(); ++i) {
        if (world.isValid(dogs_[i].finger)) world.moveTo(dogs_[i].finger, {grip(i), Quatf::identity()});
        if (world.isValid(dogs_[i].leash)) world.pin({dogs_[i].leash, first}, grip(i));
    }
}

// The force of the legs accelerates the dog towards the wanted velocity, within its strength. A stiff, critically
// damped spring keeps the dog upright and at its height. Its implicit form is stable for any time step h:  a = -(k x
// + (c + h k) v) / (1 + h c + h^2 k).
void LeashWalk::push(World& world, Dog& dog, Vec3 wanted, float dt) const {
    const Vec3 x = world.centerOfMass(dog.body), v = world.velocity(dog.body);
    Vec3 f = (dog.mass / (0.2f + dt)) * Vec3{wanted.x - v.x, 0, wanted.z - v.z};
    const float size = length(f);
    if (size > dog.strength) f = (dog.strength / size) * f;
    const float k = kStiff * kStiff, c = 2 * kStiff, soft = 1 / (1 + dt * c + dt * dt * k);
    f.y = -dog.mass * (soft * (k * (x.y - kMiddle) + (c + dt * k) * v.y) + world.def().gravity.y);
    world.applyForce(dog.body, f);
    // Vector along the rotation axis from the body's y axis to the world's; its length is the sine of the angle.
    const Vec3 tilt = cross(rotate(world.pose(dog.body).rotation, Vec3{0, 1, 0}), Vec3{0, 1, 0});
    world.applyTorque(dog.body, (kInertia * dog.mass * soft) *
                                    (k * tilt - (c + dt * k) * world.angularVelocity(dog.body)));
}

void LeashWalk::look(World& world, float dt) {
    time_ += double(dt);
    checkLoose(world);
    tangles_.update(world, dt);
    readMotion(world);
    sinceRead_ += dt;
    straightNow_ = false;
    if (sinceRead_ < def_.readEvery) return;
    sinceRead_ = 0;
    readLeashes(world);
}

// Reads the motion. To keep the word short, the letters of motion_ are moved to word_ at once, and motion_ restarts
// from this frame. A frame in which two dogs are exactly in line is skipped; the next frame is compared with the last
// valid frame.
void LeashWalk::readMotion(const World& world) {
    if (dogs_.size() < 2) return;
    positions_.clear();
    for (std::size_t i = 0; i < dogs_.size(); ++i) {
        if (dogs_[i].loose) return;
        positions_.push_back(
            // Position of the collar, which is also the end of the leash that readLeashes() uses.
            world.positions(dogs_[i].leash).back());
    }
    if (!motion_.add(positions_) || motion_.word().empty()) return;
    const BraidWord all = product(word_, motion_.word());
    const Result<BraidWord> reduced = shortWord(all, int(dogs_.size()));
    word_ = reduced ? *reduced : all;
    peak_ = std::max(peak_, complexity());
    motion_.clear();
    if (Status again = motion_.add(positions_); !again)
        return; // cannot fail, because this frame was accepted just before
}

void LeashWalk::readLeashes(const World& world) {
    if (dogs_.size() < 2) return;
    lines_.clear();
    for (const Dog& dog : dogs_) {
        if (dog.loose) return;
        if (Status added = lines_.add(world.positions(dog.leash)); !added) return;
    }
    if (Status read = reader_.read(lines_, defaultView()); !read || !reader_.reading().readable) {
        ++refusals_;
        return;
    }
    ++readings_;
    const Result<bool> same = sameBraid(reader_.reading().word, word_, int(dogs_.size()));
    disagree_ += same && !*same;
    straightNow_ = same && *same && word_.empty();
}

} // namespace capstan
