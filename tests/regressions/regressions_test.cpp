// SPDX-License-Identifier: MIT
// Replays what the fuzzer found and made short. A file must hold. A file that begins with "# open KIND" is a fault that
// is known and not mended. It must still fail in that way, so that the line goes when it is mended.
#include <apps/fuzz/fuzz.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

using namespace capstan;

namespace {

std::vector<std::filesystem::path> files() {
    std::vector<std::filesystem::path> all;
    for (const auto& entry : std::filesystem::directory_iterator(CAPSTAN_SOURCE_DIR "/tests/regressions"))
        if (entry.path().extension() == ".recipe" || entry.path().extension() == ".json")
            all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
}

TEST(Regressions, EveryFileHoldsOrIsKnown) {
    const std::vector<std::filesystem::path> all = files();
    EXPECT_FALSE(all.empty());
    for (const auto& file : all) {
        SCOPED_TRACE(file.filename().string());
        std::ifstream stream(file, std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        const std::string open = fuzz::openKind(text);
        const std::string input = open.empty() ? text : text.substr(text.find('\n') + 1);
        const fuzz::Verdict v = fuzz::judgeFile(input, file.extension() == ".json");
        EXPECT_EQ(v.fault.kind, open) << v.fault.text;
    }
}

} // namespace
