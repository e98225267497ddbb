// SPDX-License-Identifier: MIT
// CAPSTAN_API marks what the shared libraries show. All else in them is hidden.
#pragma once

#if defined(__GNUC__)
#define CAPSTAN_API [[gnu::visibility("default")]]
#else
#define CAPSTAN_API
#endif
