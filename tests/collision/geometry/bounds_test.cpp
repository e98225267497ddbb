// SPDX-License-Identifier: MIT
// Tests of bounding boxes of shapes in any pose, against the shapes' support functions.
#include <tests/collision/geometry/shape_samples.hpp>

namespace capstan {
namespace {

TEST(NearestTest, BoundsTouchTheShapeOnEverySide) {
    DrawPositions draw;
    for (ShapeKind kind : {ShapeKind::Box, ShapeKind::Sphere, ShapeKind::Capsule, ShapeKind::Cylinder,
                           ShapeKind::Hull, ShapeKind::Mesh}) {
        const Shape s = shapeOf(kind);
        for (int i = 0; i < 200; ++i) {
            const Pose at = {draw.vec(),
                             normalize(Quatd{draw.any(), draw.any(), draw.any(), draw.any(0.1, 1)})};
            const Bounds box = boundsOf(s, at);
            const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            for (Vec3d n : axes) {
                EXPECT_NEAR(dot(n, box.max), dot(n, at.x) + support(s, at.local(at.x + n)), 1e-12);
                EXPECT_NEAR(dot(n, box.min), dot(n, at.x) - support(s, at.local(at.x - n)), 1e-12);
            }
        }
    }
}

TEST(NearestTest, ALevelPlaneIsBoundedOnOneSide) {
    const Shape s = shapeOf(ShapeKind::Plane);
    const Bounds level = boundsOf(s, {{1, 2, 3}, Quatd::identity()});
    EXPECT_NEAR(level.max.y, 2, 1e-5);
    EXPECT_GE(level.max.y, 2);
    EXPECT_LE(level.min.y, -1e29);
    EXPECT_GE(level.max.x, 1e29);
    const double q = std::sqrt(0.5); // 90 degrees about z: the normal is -x
    const Bounds wall = boundsOf(s, {{1, 2, 3}, {0, 0, q, q}});
    EXPECT_NEAR(wall.min.x, 1, 1e-5);
    EXPECT_GE(wall.max.x, 1e29);
    const Bounds tilted = boundsOf(s, {{1, 2, 3}, normalize(Quatd{0, 0, 0.01, 1})});
    EXPECT_GE(tilted.max.y, 1e29);
}

} // namespace
} // namespace capstan
