// SPDX-License-Identifier: MIT
// Save and roll back: there is a snapshot each frame, and an input comes six frames late. The bits are the same as in time.
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

    // The run that should have happened: the kick comes in frame 30.
    World exact;
    const RopeId rope = build(exact);
    for (int frame = 0; frame < 120; ++frame) {
        if (frame == 30) kick(exact, rope);
        exact.step(1.0f / 60);
    }

    // The run of a networked game. It learns of the kick in frame 36, goes back to frame 30 and catches up.
    World late;
    build(late);
    std::deque<Snapshot> past; // of the last ten frames, taken before their step
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
