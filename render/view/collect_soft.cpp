// SPDX-License-Identifier: MIT
// This file implements collect.hpp for cloth and hair.
#include <render/view/collect.hpp>

#include <algorithm>

namespace capstan::render {
namespace {

constexpr Color kLit = {1.0f, 0.93f, 0.65f}; // tint of selected objects

} // namespace

void Collector::cloths(const World& world, SceneView& view, const CollectOptions& options) {
    for (ClothId id : world.ids<ClothId>()) {
        Mesh mesh;
        for (const Point& p : world.positions(id)) {
            mesh.points.push_back(p);
            view.include(p);
        }
        const auto triangles = world.triangles(id);
        mesh.triangles.assign(triangles.begin(), triangles.end());
        // A tear changes the triangles. The number of points identifies the present triangles, because a tear only
        // adds points.
        mesh.key = idOf(IdKind::Cloth, id.index, id.generation, std::uint32_t(mesh.points.size()));
        mesh.color = ropeColor(id.index);
        if (id == options.highlightCloth) mesh.color = 0.6f * mesh.color + 0.4f * kLit;
        mesh.back = 0.75f * mesh.color;
        view.meshes.push_back(std::move(mesh));
    }
}

void Collector::hairs(const World& world, SceneView& view, const CollectOptions& options) {
    for (HairId id : world.ids<HairId>()) {
        Strands strands;
        for (int k = 0; k < world.strandCount(id); ++k) {
            const std::span<const Point> p = world.strand(id, k);
            strands.counts.push_back(int(p.size()));
            for (const Point& x : p) strands.points.push_back(x);
            if (k % 16 == 0 && !p.empty()) {
                view.include(p.back());
                view.include(p.front());
            }
        }
        strands.width = std::max(2 * world.def(id).radius, 0.0006f);
        if (id == options.highlightHair) {
            strands.root = 0.6f * strands.root + 0.4f * kLit;
            strands.tip = 0.6f * strands.tip + 0.4f * kLit;
        }
        strands.id = idOf(IdKind::Hair, id.index, id.generation, 0);
        view.strands.push_back(std::move(strands));
    }
}

} // namespace capstan::render
