// SPDX-License-Identifier: MIT
// See group.hpp.
#include "solver/hair/group.hpp"

#include "solver/hair/lanes.hpp"

namespace capstan {
namespace {

// Steps strands in groups of R's lanes while a whole group is left. Returns the first strand that was not stepped.
template <class R> int stepLanes(const HairRun& run, int begin, int end) {
    HairScratch<R> memory; // 20 KiB at eight lanes
    for (; begin + lanesOf<R> <= end; begin += lanesOf<R>) stepStrand<R>(run, begin, memory);
    return begin;
}

} // namespace

void stepStrands(const HairRun& run, int begin, int end, int lanes) {
    if (lanes >= 16) begin = stepLanes<Pack<float, 16>>(run, begin, end);
    if (lanes >= 8) begin = stepLanes<Pack<float, 8>>(run, begin, end);
    if (lanes >= 4) begin = stepLanes<Pack<float, 4>>(run, begin, end);
    stepLanes<float>(run, begin, end);
}

} // namespace capstan
