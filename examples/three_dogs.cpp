// SPDX-License-Identifier: MIT
// Three dogs on leashes walk about and get tangled. Then they walk the moves that untangle their leashes.
#include <capstan/leash/walk.hpp>
#include <cstdio>
using namespace capstan;

int main() {
    World world;
    Result<LeashWalk> started = LeashWalk::start(
        world,
        {.seed = 9,
         .dogs = {{"Rex", Temperament::Wander}, {"Ida", Temperament::Pull}, {"Bo", Temperament::Follow}}});
    if (!started) {
        std::printf("%s\n", started.error().text().c_str());
        return 1;
    }
    LeashWalk& walk = *started;

    BraidWord shown;
    while (walk.time() < 90 && walk.state() <= LeashWalk::State::Untangling) {
        if (walk.state() == LeashWalk::State::Walking && walk.time() > 20) {
            if (Status begun = walk.untangle(); !begun) return 1;
            for (const UntangleMove& m : walk.plan())
                std::printf("          plan: %s goes %s in front of %s\n", walk.dogs()[m.mover].name.c_str(),
                            m.toTheRight ? "right" : "left", walk.dogs()[m.other].name.c_str());
        }
        walk.step(world, 1.0f / 60);
        for (const TangleEvent& e : walk.tangles().events()) {
            static const char* const words[] = {"formed", "tightened", "locked", "broken"};
            std::printf("%6.2f s  tangle %u %s: wrapped %3.0f degrees, %3.0f N\n", walk.time(),
                        e.tangle.id.index, words[int(e.kind)], double(e.tangle.wrapAngle) * 57.29578,
                        double(e.tangle.tension));
        }
        if (walk.word() == shown) continue;
        shown = walk.word();
        std::printf("%6.2f s  braid %s\n", walk.time(), formatBraid(shown).c_str());
    }
    std::printf("%6.2f s  %s after %d moves; leashes read %d times, %d times otherwise than the dogs went\n",
                walk.time(), walk.state() == LeashWalk::State::Untangled ? "untangled" : "stuck",
                walk.movesDone(), walk.readings(), walk.disagreements());
}
