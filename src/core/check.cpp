// SPDX-License-Identifier: MIT
// Implements check.hpp: the handler of failed CAPSTAN_CHECKs.
#include <capstan/check.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace capstan {
namespace {

void printAndAbort(const char* what, const char* where) {
    std::fprintf(stderr, "capstan: %s: %s\n", where, what);
    std::abort();
}

std::atomic<CheckHandler> current{printAndAbort};

} // namespace

CheckHandler setCheckHandler(CheckHandler handler) {
    return current.exchange(handler ? handler : printAndAbort);
}

bool failCheck(const char* what, const char* where) {
    current.load()(what, where);
    return false;
}

} // namespace capstan
