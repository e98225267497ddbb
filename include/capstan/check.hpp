// SPDX-License-Identifier: MIT
// CAPSTAN_CHECK reports a mistake of the calling program, such as a stale id or a node that does not exist.
//
// Checks are on in every build, outside inner loops. The default handler prints one line and aborts, because
// continuing would hide the mistake. The handler can be replaced. After a handler that returns, the call does
// nothing and returns an empty value. So a test or an editor can survive a bad call.
#pragma once

#include <capstan/api.hpp>

namespace capstan {

using CheckHandler = void (*)(const char* what, const char* where);

// Replaces the handler. Returns the handler that was set before.
CAPSTAN_API CheckHandler setCheckHandler(CheckHandler handler);

// Calls the handler. Returns false, so that a check can be written as `if (!check(...)) return {};`.
CAPSTAN_API bool failCheck(const char* what, const char* where);

} // namespace capstan

#define CAPSTAN_CHECK(condition, what) ((condition) ? true : ::capstan::failCheck(what, __func__))
