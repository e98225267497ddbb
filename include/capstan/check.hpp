// SPDX-License-Identifier: MIT
// CAPSTAN_CHECK: the calling program made a mistake (a stale id, a node that is not there).
//
// On in every build, outside inner loops. The handler can be replaced; the default prints one line and
// aborts, because going on would hide the mistake. A handler that returns lets the call go on: the call then
// does nothing and returns an empty value, so a test or an editor can survive a bad call.
#pragma once

#include <capstan/api.hpp>

namespace capstan {

using CheckHandler = void (*)(const char* what, const char* where);

// Returns the handler that was set before.
CAPSTAN_API CheckHandler setCheckHandler(CheckHandler handler);

// Calls the handler. Returns false, so that a check can be written as `if (!check(...)) return {};`.
CAPSTAN_API bool failCheck(const char* what, const char* where);

} // namespace capstan

#define CAPSTAN_CHECK(condition, what) ((condition) ? true : ::capstan::failCheck(what, __func__))
