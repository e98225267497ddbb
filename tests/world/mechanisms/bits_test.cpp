// SPDX-License-Identifier: MIT
// Tests that mechanisms give the same bits on every backend, beside other objects, and after a snapshot.
#include "mechanisms.hpp"

#include <worlds/zoo.hpp>

namespace capstan {
namespace {

std::uint64_t hashAfter(Backend backend, int frames) {
    World w({.contact = false, .backend = backend});
    addZoo(w);
    for (int i = 0; i < frames; ++i) {
        stirZoo(w, i);
        w.step(kFrame);
    }
    EXPECT_EQ(w.report().quarantined, 0);
    return w.hash();
}

TEST(MechanismBits, ScalarAndSimdAgree) {
    for (int frames : {1, 60})
        EXPECT_EQ(hashAfter(Backend::Simd, frames), hashAfter(Backend::Scalar, frames)) << frames;
}

// One kind of tree at a time, so that a failure names the kind.
TEST(MechanismBits, EveryKindOfTreeIsTheSameInLanesAndAlone) {
    for (int kind = 0; kind < kZooKinds; ++kind) {
        for (int crowd : {2, 5, 11}) {
            World alone({.contact = false}), many({.contact = false});
            const std::vector<BodyId> a = addTree(alone, kind, 0);
            std::vector<std::vector<BodyId>> b;
            for (int i = 0; i < crowd; ++i) b.push_back(addTree(many, kind, i));
            bool same = true;
            for (int i = 0; i < 40 && same; ++i) {
                alone.step(kFrame);
                many.step(kFrame);
                for (std::size_t k = 0; k < a.size(); ++k) {
                    const Transform s = alone.pose(a[k]), t = many.pose(b[0][k]);
                    same = same && s.position == t.position && s.rotation.x == t.rotation.x &&
                           s.rotation.w == t.rotation.w && alone.velocity(a[k]) == many.velocity(b[0][k]) &&
                           alone.angularVelocity(a[k]) == many.angularVelocity(b[0][k]);
                }
                EXPECT_TRUE(same) << "kind " << kind << " crowd " << crowd << " frame " << i;
            }
        }
    }
}

TEST(MechanismBits, ScalarAndSimdAgreeForEveryKind) {
    for (int kind = 0; kind < kZooKinds; ++kind) {
        World scalar({.contact = false, .backend = Backend::Scalar}),
            simd({.contact = false, .backend = Backend::Simd});
        for (int i = 0; i < 5; ++i) {
            addTree(scalar, kind, i);
            addTree(simd, kind, i);
        }
        int frame = 0;
        while (frame < 40 && scalar.hash() == simd.hash()) {
            scalar.step(kFrame);
            simd.step(kFrame);
            ++frame;
        }
        EXPECT_EQ(scalar.hash(), simd.hash()) << "kind " << kind << " differs after frame " << frame;
    }
}

TEST(MechanismBits, SnapshotContinuesExactly) {
    World w({.contact = false});
    addZoo(w);
    auto go = [](World& world, int from, int to) {
        for (int i = from; i < to; ++i) {
            stirZoo(world, i);
            world.step(kFrame);
        }
    };
    const int end = frames(90, 60);
    go(w, 0, 40);
    const Snapshot half = w.snapshot();
    go(w, 40, end);
    const std::uint64_t once = w.hash();
    w.remove(w.ids<BodyId>().front()); // the world may have changed between the snapshot and the restore
    w.restore(half);
    go(w, 40, end);
    EXPECT_EQ(w.hash(), once);
    World other({.contact = false});
    other.restore(half);
    go(other, 40, end);
    EXPECT_EQ(other.hash(), once);
}

// Rebuilding the groups of mechanisms does not change the state. A body that is added and removed causes it here.
TEST(MechanismBits, RegroupingLeavesNoTrace) {
    World w({.contact = false}), v({.contact = false});
    addZoo(w);
    addZoo(v);
    for (int i = 0; i < 60; ++i) {
        if (i % 7 == 3) v.remove(v.add(box({100, 100, 100})));
        w.step(kFrame);
        v.step(kFrame);
    }
    EXPECT_EQ(w.hash(), v.hash());
}

} // namespace
} // namespace capstan
