// SPDX-License-Identifier: MIT
// See skin.hpp.
#include <capstan/skin/skin.hpp>

#include "math/dual_quat.hpp"

#include <string>

namespace capstan {
namespace {

bool finite(float a) { return a - a == 0; }
bool finite(Vec3 a) { return finite(a.x) && finite(a.y) && finite(a.z); }

DualQuat<float> motionOf(const Transform& t) {
    return DualQuat<float>::fromRotationTranslation(normalize(t.rotation), t.position);
}

std::string at(const char* path, std::size_t i) { return std::string(path) + "/" + std::to_string(i); }

} // namespace

Result<Skin> Skin::make(SkinDef def) {
    if (def.vertices.empty()) return Error{"a skin needs vertices", "/vertices"};
    if (def.bones.empty()) return Error{"a skin needs bones", "/bones"};
    if (def.weights.size() != def.vertices.size())
        return Error{"there are " + std::to_string(def.vertices.size()) + " vertices and " +
                         std::to_string(def.weights.size()) + " weights",
                     "/weights"};
    if (!def.normals.empty() && def.normals.size() != def.vertices.size())
        return Error{"normals must be as many as vertices, or none", "/normals"};
    for (std::size_t i = 0; i < def.vertices.size(); ++i)
        if (!finite(def.vertices[i])) return Error{"a vertex must be finite", at("/vertices", i)};
    for (std::size_t i = 0; i < def.weights.size(); ++i) {
        float sum = 0;
        for (int k = 0; k < 4; ++k) {
            const int bone = def.weights[i].bone[k];
            const float w = def.weights[i].weight[k];
            if (bone < 0 || bone >= int(def.bones.size()))
                return Error{"there is no bone " + std::to_string(bone) + "; the skin has " +
                                 std::to_string(def.bones.size()) + " bones",
                             at("/weights", i)};
            if (!finite(w) || w < 0)
                return Error{"a weight must be finite and at least 0", at("/weights", i)};
            sum += w;
        }
        if (!(sum > 0)) return Error{"the weights of a vertex must not all be 0", at("/weights", i)};
        for (float& w : def.weights[i].weight) w /= sum;
    }
    return Skin(std::move(def));
}

Status Skin::pose(std::span<const Transform> bones, std::span<Vec3> vertices, std::span<Vec3> normals,
                  Blend blend) const {
    if (bones.size() != def_.bones.size())
        return Error{"bones must be as many as those of the skin", "/bones"};
    if (vertices.size() != def_.vertices.size())
        return Error{"vertices must be as many as those of the skin", "/vertices"};
    if (!normals.empty() && normals.size() != def_.normals.size())
        return Error{"normals must be as many as those of the skin", "/normals"};
    std::vector<DualQuat<float>> motion;
    for (std::size_t i = 0; i < bones.size(); ++i)
        motion.push_back(normalize(motionOf(bones[i]) * conjugate(motionOf(def_.bones[i]))));
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const SkinWeights& w = def_.weights[i];
        DualQuat<float> q[4];
        for (int k = 0; k < 4; ++k) q[k] = motion[w.bone[k]];
        if (blend == Blend::DualQuaternion) {
            const DualQuat<float> mean = capstan::blend(q, w.weight.data(), 4);
            vertices[i] = transformPoint(mean, def_.vertices[i]);
            if (!normals.empty()) normals[i] = transformVector(mean, def_.normals[i]);
            continue;
        }
        Vec3 x = {0, 0, 0}, n = {0, 0, 0};
        for (int k = 0; k < 4; ++k) {
            x += w.weight[k] * transformPoint(q[k], def_.vertices[i]);
            if (!normals.empty()) n += w.weight[k] * transformVector(q[k], def_.normals[i]);
        }
        vertices[i] = x;
        if (!normals.empty()) normals[i] = normalize(n, def_.normals[i]);
    }
    return done();
}

std::vector<Transform> ropeBones(std::span<const Point> nodes, std::span<const Quatf> frames) {
    std::vector<Transform> bones;
    for (std::size_t i = 0; i < nodes.size() && i < frames.size(); ++i)
        bones.push_back({nodes[i], frames[i]});
    return bones;
}

std::vector<SkinWeights> ropeWeights(std::span<const Vec3> vertices, std::span<const Point> nodes,
                                     bool closed) {
    std::vector<SkinWeights> all;
    const std::size_t n = nodes.size(), segments = n < 2 ? 0 : closed ? n : n - 1;
    for (Vec3 x : vertices) {
        SkinWeights best;
        float nearest = 1e30f;
        for (std::size_t i = 0; i < segments; ++i) {
            const Vec3 a = nodes[i], d = Vec3(nodes[(i + 1) % n]) - a;
            const float l2 = dot(d, d), t = l2 > 0 ? clamp(dot(x - a, d) / l2, 0.0f, 1.0f) : 0.0f;
            const float away = lengthSquared(x - (a + t * d));
            if (!(away < nearest)) continue;
            nearest = away;
            best.bone = {int(i), int((i + 1) % n), 0, 0};
            best.weight = {1 - t, t, 0, 0};
        }
        all.push_back(best);
    }
    return all;
}

} // namespace capstan
