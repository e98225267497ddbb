// SPDX-License-Identifier: MIT
// Some seeds, in trees where the command line is not built: under a sanitizer, which ends the child at its first report.
#include "../watched.hpp"

#include <apps/fuzz/fuzz.hpp>

#include <gtest/gtest.h>

using namespace capstan;

namespace {

TEST(FuzzSeeds, Hold) {
    fuzz::Options how;
    how.worlds = 6;
    how.steps = frames(60, 30);
    how.scenes = frames(200, 60);
    how.jobs = 1;
    how.corpus = {CAPSTAN_SOURCE_DIR "/scenes", CAPSTAN_SOURCE_DIR "/tests/scene/corpus"};
    how.keep = "fuzz_failures";
    const Result<fuzz::Summary> summary = fuzz::fuzz(how);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(summary->worlds, how.worlds);
    EXPECT_EQ(summary->scenes, how.scenes);
    EXPECT_GT(summary->steps, 0);
    for (const fuzz::Failure& f : summary->failures)
        ADD_FAILURE() << (f.scene ? "scene " : "world ") << f.seed << ": " << f.fault.kind << ": "
                      << f.fault.text << ", kept as " << f.file;
}

} // namespace
