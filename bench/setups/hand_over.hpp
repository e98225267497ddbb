// SPDX-License-Identifier: MIT
// Measures the distance of two cores: the time from a write to a cache line until the other core has read it.
#pragma once

namespace capstan::bench {

// Returns ns, the best of some thousand trials. Within one chip it is some tens of ns, and from chip to chip some
// hundreds. The larger it is, the less threads gain where they exchange much data. On a rented machine it may change
// from minute to minute.
double handOverNs();

} // namespace capstan::bench
