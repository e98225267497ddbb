// SPDX-License-Identifier: MIT
// This file implements figures.hpp with spheres and capsules.
#include <render/view/figures.hpp>

#include <cmath>

namespace capstan::render {
namespace {

// A dog in its local frame: x ahead, y up, z to the right; the collar is above the origin. Lengths in m.
struct Dog {
    SceneView& view;
    Transform at;

    void ball(Vec3 center, float radius, Color color) const {
        view.solids.push_back(
            {SolidKind::Sphere, {at.point(center), at.rotation}, {radius, 0, 0}, color, 0.85f});
    }
    void limb(Vec3 from, Vec3 to, float radius, Color color) const {
        const Vec3 along = to - from;
        const float l = length(along);
        const Quatf turn = at.rotation * fromTo(Vec3{0, 1, 0}, normalize(along, {0, 1, 0}));
        view.solids.push_back(
            {SolidKind::Capsule, {at.point(0.5f * (from + to)), turn}, {radius, l, 0}, color, 0.85f});
    }
};

void addLegs(const Dog& dog, float stride, const DogLook& look) {
    constexpr float kStep = 0.35f; // m, distance of one whole cycle of the legs
    for (int leg = 0; leg < 4; ++leg) {
        const bool front = leg < 2, right = leg % 2 == 1;
        const float phase =
            // Phase of the leg; diagonal legs move together.
            6.2831853f * (stride / kStep + (front == right ? 0.5f : 0.0f));
        const float swing = 0.075f * std::sin(phase), lift = 0.03f * std::max(0.0f, std::cos(phase));
        const Vec3 hip = {front ? -0.03f : -0.36f, 0.30f, right ? 0.062f : -0.062f};
        const Vec3 knee = hip + Vec3{0.5f * swing + (front ? 0.0f : -0.02f), -0.14f + 0.5f * lift, 0};
        const Vec3 paw = {hip.x + swing, 0.028f + lift, hip.z};
        dog.limb(hip, knee, front ? 0.036f : 0.044f, look.coat);
        dog.limb(knee, paw, 0.026f, look.coat);
        dog.ball(paw + Vec3{0.016f, 0, 0}, 0.032f, look.dark);
    }
}

} // namespace

void addDog(SceneView& view, Vec3 foot, float heading, float stride, const DogLook& look) {
    const Dog dog{view, {foot, Quatf::fromAxisAngle({0, 1, 0}, -heading)}};
    const float wag = 0.05f * std::sin(18 * stride), nod = 0.008f * std::sin(18 * stride);
    dog.limb({-0.06f, 0.345f, 0}, {-0.34f, 0.355f, 0}, 0.098f, look.coat); // trunk
    dog.ball({-0.035f, 0.325f, 0}, 0.105f, look.coat);                     // chest
    dog.limb({-0.03f, 0.38f, 0}, {0.035f, 0.56f, 0}, 0.064f, look.coat);   // neck
    const Vec3 head = {0.075f, 0.60f + nod, 0};
    dog.ball(head, 0.078f, look.coat);
    dog.limb(head + Vec3{0.05f, -0.02f, 0}, head + Vec3{0.125f, -0.035f, 0}, 0.038f, look.coat); // muzzle
    dog.ball(head + Vec3{0.163f, -0.022f, 0}, 0.017f, {0.06f, 0.05f, 0.05f});                    // nose
    for (float side : {-1.0f, 1.0f}) {
        dog.ball(head + Vec3{0.062f, 0.028f, 0.036f * side}, 0.0125f, {0.05f, 0.04f, 0.04f});
        dog.limb(head + Vec3{-0.02f, 0.06f, 0.055f * side}, head + Vec3{-0.025f, -0.02f, 0.083f * side},
                 0.024f, look.dark);
    }
    dog.limb({-0.42f, 0.40f, 0}, {-0.53f, 0.53f, wag}, 0.019f, look.dark); // tail
    addLegs(dog, stride, look);
    // The collar tilts with the neck.
    const Quatf lean = dog.at.rotation * fromTo(Vec3{0, 1, 0}, normalize(Vec3{0.065f, 0.18f, 0}));
    view.solids.push_back({SolidKind::Cylinder,
                           {dog.at.point({0.004f, 0.475f, 0}), lean},
                           {0.072f, 0.03f, 0},
                           look.collar,
                           0.4f});
    view.include(foot, 0.2f);
    view.include(foot + Vec3{0, 0.7f, 0});
}

void addHandle(SceneView& view, Vec3 hand, float length) {
    const Quatf across = fromTo(Vec3{0, 1, 0}, Vec3{1, 0, 0});
    const Vec3 center = hand + Vec3{0, 0.012f, 0};
    view.solids.push_back(
        {SolidKind::Capsule, {center, across}, {0.018f, length, 0}, {0.45f, 0.28f, 0.16f}, 0.35f});
    for (float side : {-1.0f, 1.0f})
        view.solids.push_back({SolidKind::Sphere,
                               {center + Vec3{side * 0.5f * length, 0, 0}, {0, 0, 0, 1}},
                               {0.028f, 0, 0},
                               {0.80f, 0.66f, 0.36f},
                               0.25f});
    view.include(center, 0.1f);
}

} // namespace capstan::render
