// SPDX-License-Identifier: MIT
// CAPSTAN_CHECK reports a mistake of the calling program, such as a stale id or a node that does not exist.
//
// Checks are on in every build, outside inner loops. The default handler prints one line and aborts, because
// continuing would hide the mistake. A program may set its own handler. If that handler returns, the failed call does
// nothing and returns an empty value. So a test or an editor can continue after a bad call.
#pragma once

#include <capstan/api.hpp>

namespace capstan {

// A handler gets the failed requirement (`what`) and the name of the function that checked it (`where`).
using CheckHandler = void (*)(const char* what, const char* where);

// Replaces the handler and returns the previous one.
CAPSTAN_API CheckHandler setCheckHandler(CheckHandler handler);

// Calls the handler with these two texts, then returns false.
CAPSTAN_API bool failCheck(const char* what, const char* where);

} // namespace capstan

#define CAPSTAN_CHECK(condition, what) ((condition) ? true : ::capstan::failCheck(what, __func__))
