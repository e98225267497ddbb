// SPDX-License-Identifier: MIT
#include "leash_outputs.hpp"

namespace capstan::golden {

void foldLeash(Fold& fold, const LeashWalk& walk) {
    for (const auto letter : walk.word()) fold.number(std::int64_t(letter));
    for (const int a :
         {walk.complexity(), walk.peakComplexity(), walk.readings(), walk.refusals(), walk.disagreements(),
          walk.movesDone(), walk.tangles().formed(), walk.tangles().count()})
        fold.number(std::int64_t(a));
    for (const Tangle& t : walk.tangles().all()) {
        fold.number(t.wrapAngle);
        fold.number(t.tension);
        fold.number(t.ratio);
        fold.number(t.bound);
        fold.number(t.restDistance);
        fold.number(t.force);
        fold.number(t.age);
        fold.number(std::int64_t(t.sign));
    }
}

} // namespace capstan::golden
