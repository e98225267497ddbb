// SPDX-License-Identifier: MIT
// How far apart two cores are: from when one writes a line of its cache until the other has read it.
#pragma once

namespace capstan::bench {

// ns, the best of some thousand times. Within one chip of cores it is some tens; from chip to chip some hundreds, and what
// threads gain where they hand much to each other shrinks with it. On a rented machine it may change from minute to minute.
double handOverNs();

} // namespace capstan::bench
