// SPDX-License-Identifier: MIT
// Runs the fuzzer's function on the inputs of tests/scene/corpus and on the sample scenes. The function aborts when a
// check fails.
#include <apps/fuzz/scenes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

int replay(const char* folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
        SCOPED_TRACE(file.string());
        std::ifstream stream(file, std::ios::binary);
        std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        EXPECT_EQ(capstan::fuzz::judgeScene(text).text, "");
    }
    return static_cast<int>(files.size());
}

TEST(Corpus, Replays) { EXPECT_GT(replay(CAPSTAN_SOURCE_DIR "/tests/scene/corpus"), 10); }
TEST(Corpus, SamplesReplay) { EXPECT_GT(replay(CAPSTAN_SOURCE_DIR "/scenes"), 10); }

} // namespace
