// SPDX-License-Identifier: MIT
// A failed check is told with its place, counted, and the program goes on.
#include <apps/capstan/commands/checks.hpp>
#include <capstan/check.hpp>
#include <capstan/world.hpp>

#include <gtest/gtest.h>

namespace capstan::cli {
namespace {

TEST(Checks, AFailedCheckIsToldAndTheProgramGoesOn) {
    const CheckHandler before = setCheckHandler(nullptr);
    tellChecks();
    takeFailedCheck();
    const int count = failedChecks();
    World w;
    testing::internal::CaptureStderr();
    for (int i = 0; i < 30; ++i) w.step(-1);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(failedChecks(), count + 30);
    EXPECT_EQ(takeFailedCheck(), "step: dt must be from 0 to 10 s");
    EXPECT_EQ(takeFailedCheck(), "");
    EXPECT_NE(said.find("capstan: step: dt must be from 0 to 10 s\n"), std::string::npos) << said;
    EXPECT_LT(said.size(), 1000u); // the repetitions are counted only
    w.step(1.0f / 60);
    EXPECT_GT(w.time(), 0);
    setCheckHandler(before);
}

} // namespace
} // namespace capstan::cli
