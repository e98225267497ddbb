// SPDX-License-Identifier: MIT
// CAPSTAN_API marks the symbols that the shared libraries export. All other symbols are hidden.
#pragma once

#if defined(__GNUC__)
#define CAPSTAN_API [[gnu::visibility("default")]]
#else
#define CAPSTAN_API
#endif
