// SPDX-License-Identifier: MIT
// Measures the latency between two cores: the time from a write to a cache line until another core has read it.
#pragma once

namespace capstan::bench {

// Returns ns, the minimum of some thousand trials. Within one chip it is some tens of ns, and between chips some
// hundreds. A large latency reduces the gain of threads that exchange much data. On a rented machine it may change
// from minute to minute.
double handOverNs();

} // namespace capstan::bench
