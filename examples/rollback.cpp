// SPDX-License-Identifier: MIT
// Rollback: a snapshot is saved each frame, and an input arrives six frames late. The result equals the exact run bit
// by bit.
#include <capstan/capstan.hpp>

#include <cstdio>
#include <deque>

int main() {
    using namespace capstan;
    const auto build = [](World& world) {
        world.add(BodyDef{.type = BodyType::Static, .shape = Plane{}});
        for (int i = 0; i < 8; ++i)
            world.add(BodyDef{.shape = Box{{0.4f, 0.4f, 0.4f}},
                              .density = 500,
                              .position = {0, 0.2f + 0.4f * float(i), 0}});
        return world.add(RopeDef{.from = {-1, 4, 0},
                                 .to = {-2.5f, 4, 0},
                                 .segments = 30,
                                 .mass = 1,
                                 .pins = {first},
                                 .loads = {{last, 20}}});
    };
    const auto kick = [](World& world, RopeId rope) { world.applyImpulse(Anchor(rope, last), {60, 0, 0}); };

    // The exact run: the input arrives in time, in frame 30.
    World exact;
    const RopeId rope = build(exact);
    for (int frame = 0; frame < 120; ++frame) {
        if (frame == 30) kick(exact, rope);
        exact.step(1.0f / 60);
    }

    // The run of a networked game: the input arrives in frame 36. The world is restored to frame 30 and stepped
    // again.
    World late;
    build(late);
    std::deque<Snapshot> past; // snapshots of the last ten frames, each saved before the step
    for (int frame = 0; frame < 120; ++frame) {
        if (frame == 36) {
            late.restore(past[past.size() - 6]);
            kick(late, rope);
            for (int again = 30; again < 36; ++again) late.step(1.0f / 60);
        }
        past.push_back(late.snapshot());
        if (past.size() > 10) past.pop_front();
        late.step(1.0f / 60);
    }
    std::printf("hash in time %016llx, rolled back %016llx, %zu bytes a world\n",
                static_cast<unsigned long long>(exact.hash()), static_cast<unsigned long long>(late.hash()),
                exact.bytes());
    return exact.hash() == late.hash() ? 0 : 1;
}
