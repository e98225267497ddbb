// SPDX-License-Identifier: MIT
// Tests that mechanisms have the same bits for any number of threads. The test also runs under the thread sanitizer.
#include "mechanisms.hpp"

#include <worlds/zoo.hpp>

namespace capstan {
namespace {

TEST(MechanismThreads, AnyNumberGivesTheSameBits) {
    std::vector<std::uint64_t> hashes;
    for (Backend backend : {Backend::Simd, Backend::Scalar})
        for (int threads : {1, 2, 4}) {
            World w({.contact = false, .backend = backend, .threads = threads});
            addZoo(w);
            for (int i = 0; i < 30; ++i) {
                stirZoo(w, i);
                w.step(kFrame);
            }
            EXPECT_EQ(w.report().quarantined, 0);
            hashes.push_back(w.hash());
        }
    for (std::size_t i = 1; i < hashes.size(); ++i) EXPECT_EQ(hashes[i], hashes[0]) << i;
}

} // namespace
} // namespace capstan
