// SPDX-License-Identifier: MIT
// This file writes a Glb (glb.hpp) as one JSON chunk and one binary chunk. The JSON is formatted by hand-written
// templates: its structure is fixed, and it contains no strings from outside.
#include <render/view/glb.hpp>
#include <render/view/shape_meshes.hpp>
#include <render/view/whole_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string_view>
#include <tuple>

namespace capstan::render {
namespace {

enum Component { UnsignedShort = 5123, UnsignedInt = 5125, Float = 5126 };
enum Target { NoTarget = 0, Vertices = 34962, Indices = 34963 };

constexpr int kSides = 8; // sides of a rope's tube
// Morph targets per mesh that every player must support: meshes with positions and normals, and lines with positions
// only.
constexpr std::size_t kTargets = 4, kLineTargets = 8;

struct GlbFile {
    const Glb& glb;
    std::string bin;
    std::vector<std::string> views, accessors, materials, meshes, nodes, skins, samplers, channels;
    std::vector<int> roots;
    std::map<std::tuple<float, float, float, float>, int> materialOf;
    std::map<std::tuple<int, float, float, float, int>, int> solidOf;
    std::map<std::pair<const Geometry*, int>, int> pieceOf;
    std::map<std::pair<std::size_t, std::size_t>, int> timesOf;
    int times = -1; // index of the buffer view that holds the times

    template <class T> int view(const std::vector<T>& data, Target target) {
        const std::size_t bytes = data.size() * sizeof(T), at = bin.size();
        bin.append(reinterpret_cast<const char*>(data.data()), bytes);
        bin.resize((bin.size() + 3) / 4 * 4);
        views.push_back(
            fmt::format("{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}{}}}", at, bytes,
                        target == NoTarget ? std::string() : fmt::format(",\"target\":{}", int(target))));
        return int(views.size()) - 1;
    }
    int accessor(int ofView, std::size_t offset, Component component, std::size_t count, const char* type,
                 const std::string& more = {}) {
        accessors.push_back(fmt::format(
            "{{\"bufferView\":{},\"byteOffset\":{},\"componentType\":{},\"count\":{},\"type\":\"{}\"{}}}",
            ofView, offset, int(component), count, type, more));
        return int(accessors.size()) - 1;
    }
    int add(std::vector<std::string>& list, std::string item) {
        list.push_back(std::move(item));
        return int(list.size()) - 1;
    }

    int vec3s(const std::vector<Vec3>& v, bool bounds);
    int material(Color color, float roughness);
    int mesh(const std::vector<Vec3>& points, const std::vector<Vec3>& normals,
             const std::vector<std::uint32_t>& index, int ofMaterial, const std::string& more = {});
    int solidMesh(const Solid& s);
    int pieceMesh(const Piece& p);
    int timeline(std::size_t first, std::size_t count);
    void animate(int node, const char* path, int input, int output, const char* how = "LINEAR");
    void move(int node, std::size_t first, const std::vector<Transform>& at);
    void live(int node, std::size_t first, std::size_t count);
    void write(const Glb::Motion& m);
    void write(const Glb::Rope& r);
    int tubeMesh(const Glb::Rope& r);
    void write(const Glb::Sheet& s);
    int sheetMesh(const Glb::Sheet& s, std::size_t from, std::size_t targets, int index);
    std::string json() const;
};

std::string numbers(Vec3 v) { return fmt::format("[{},{},{}]", v.x, v.y, v.z); }
std::string numbers(Quatf q) { return fmt::format("[{},{},{},{}]", q.x, q.y, q.z, q.w); }
std::string joined(const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ","));
}

int GlbFile::vec3s(const std::vector<Vec3>& v, bool bounds) {
    std::string more;
    if (bounds) {
        Vec3 lower = v[0], upper = v[0];
        for (Vec3 p : v) {
            lower = min(lower, p);
            upper = max(upper, p);
        }
        more = fmt::format(",\"min\":{},\"max\":{}", numbers(lower), numbers(upper));
    }
    return accessor(view(v, Vertices), 0, Float, v.size(), "VEC3", more);
}

int GlbFile::material(Color c, float roughness) {
    const auto [found, fresh] = materialOf.try_emplace({c.x, c.y, c.z, roughness}, int(materials.size()));
    if (fresh) {
        const auto linear = [](float x) { return std::pow(std::clamp(x, 0.0f, 1.0f), 2.2f); };
        materials.push_back(
            fmt::format("{{\"pbrMetallicRoughness\":{{\"baseColorFactor\":[{},{},{},1],"
                        "\"metallicFactor\":0,\"roughnessFactor\":{}}},\"doubleSided\":true}}",
                        linear(c.x), linear(c.y), linear(c.z), std::clamp(roughness, 0.0f, 1.0f)));
    }
    return found->second;
}

int GlbFile::mesh(const std::vector<Vec3>& points, const std::vector<Vec3>& normals,
                  const std::vector<std::uint32_t>& index, int ofMaterial, const std::string& more) {
    const int p = vec3s(points, true), n = vec3s(normals, false);
    const int i = accessor(view(index, Indices), 0, UnsignedInt, index.size(), "SCALAR");
    return add(
        meshes,
        fmt::format("{{\"primitives\":[{{\"attributes\":{{\"POSITION\":{},\"NORMAL\":{}{}}},\"indices\":{},"
                    "\"material\":{}}}]}}",
                    p, n, more, i, ofMaterial));
}

int GlbFile::solidMesh(const Solid& s) {
    const int m = material(s.color, s.roughness);
    const auto [found, fresh] = solidOf.try_emplace({int(s.kind), s.size.x, s.size.y, s.size.z, m}, -1);
    if (!fresh) return found->second;
    const ShapeMesh shape = shapeMesh(s.kind, 1);
    const Scaled size = scaled(s);
    std::vector<Vec3> points, normals;
    for (const ShapeVertex& v : shape.vertices) {
        points.push_back(multiply(v.core, size.core) + size.rounding * v.normal);
        normals.push_back(v.normal);
    }
    return found->second = mesh(points, normals, {shape.indices.begin(), shape.indices.end()}, m);
}

int GlbFile::pieceMesh(const Piece& p) {
    const int m = material(p.color, 0.6f);
    const auto [found, fresh] = pieceOf.try_emplace({p.geometry.get(), m}, -1);
    if (!fresh) return found->second;
    std::vector<Vec3> points, normals;
    std::vector<std::uint32_t> index;
    for (const FlatVertex& v : flatVertices(*p.geometry)) {
        index.push_back(std::uint32_t(points.size()));
        points.push_back(v.position);
        normals.push_back(v.normal);
    }
    return found->second = mesh(points, normals, index, m);
}

// timeline returns the accessor of the times of some frames. All timelines share one buffer view.
int GlbFile::timeline(std::size_t first, std::size_t count) {
    const std::vector<double>& t = glb.times();
    if (times < 0) times = view(std::vector<float>(t.begin(), t.end()), NoTarget);
    const auto [found, fresh] = timesOf.try_emplace({first, count}, -1);
    if (fresh)
        found->second =
            accessor(times, 4 * first, Float, count, "SCALAR",
                     fmt::format(",\"min\":[{}],\"max\":[{}]", float(t[first]), float(t[first + count - 1])));
    return found->second;
}

void GlbFile::animate(int node, const char* path, int input, int output, const char* how) {
    samplers.push_back(
        fmt::format("{{\"input\":{},\"output\":{},\"interpolation\":\"{}\"}}", input, output, how));
    channels.push_back(fmt::format("{{\"sampler\":{},\"target\":{{\"node\":{},\"path\":\"{}\"}}}}",
                                   samplers.size() - 1, node, path));
}

void GlbFile::move(int node, std::size_t first, const std::vector<Transform>& at) {
    std::vector<Vec3> positions;
    std::vector<Quatf> turns;
    bool goes = false, turnsAtAll = false;
    for (const Transform& t : at) {
        Quatf q = normalize(t.rotation);
        if (!turns.empty() && dot(turns.back(), q) < 0) q = -q;
        goes = goes || !(t.position == at[0].position);
        turnsAtAll = turnsAtAll || dot(q, turns.empty() ? q : turns[0]) < 1 - 1e-7f;
        positions.push_back(t.position);
        turns.push_back(q);
    }
    const std::size_t n = at.size();
    if (goes)
        animate(node, "translation", timeline(first, n),
                accessor(view(positions, NoTarget), 0, Float, n, "VEC3"));
    if (turnsAtAll)
        animate(node, "rotation", timeline(first, n), accessor(view(turns, NoTarget), 0, Float, n, "VEC4"));
}

// live animates the scale of a node: 1 while the object exists, 0 before and after.
void GlbFile::live(int node, std::size_t first, std::size_t count) {
    const std::vector<double>& t = glb.times();
    std::vector<float> when;
    std::vector<Vec3> scale;
    if (first > 0) {
        when.push_back(float(t[0]));
        scale.push_back({0, 0, 0});
    }
    when.push_back(float(t[first]));
    scale.push_back({1, 1, 1});
    if (first + count < t.size()) {
        when.push_back(float(t[first + count]));
        scale.push_back({0, 0, 0});
    }
    if (when.size() < 2) return;
    const int input = accessor(view(when, NoTarget), 0, Float, when.size(), "SCALAR",
                               fmt::format(",\"min\":[{}],\"max\":[{}]", when.front(), when.back()));
    animate(node, "scale", input, accessor(view(scale, NoTarget), 0, Float, scale.size(), "VEC3"), "STEP");
}

void GlbFile::write(const Glb::Motion& m) {
    const int shape = m.piece.geometry ? pieceMesh(m.piece) : solidMesh(m.solid);
    const int node = add(nodes, fmt::format("{{\"mesh\":{},\"translation\":{},\"rotation\":{}}}", shape,
                                            numbers(m.at[0].position), numbers(normalize(m.at[0].rotation))));
    roots.push_back(node);
    move(node, m.first, m.at);
    live(node, m.first, m.at.size());
}

// tubeMesh makes the rings of the first frame, each bound to one joint. Caps are flat.
int GlbFile::tubeMesh(const Glb::Rope& r) {
    struct Bound {
        std::uint16_t joint[4];
    };
    std::vector<Vec3> points, normals;
    std::vector<Bound> joints;
    std::vector<Vec4> weights;
    std::vector<std::uint32_t> index;
    const auto vertex = [&](std::size_t joint, Vec3 local, Vec3 normal) {
        const Transform& at = r.joints[0][joint];
        points.push_back(at.point(local));
        normals.push_back(rotate(at.rotation, normal));
        joints.push_back({{std::uint16_t(joint), 0, 0, 0}});
        weights.push_back({1, 0, 0, 0});
        return std::uint32_t(points.size() - 1);
    };
    const std::size_t n = r.joints[0].size();
    for (std::size_t i = 0; i < n; ++i) {
        for (int k = 0; k < kSides; ++k) {
            const float a = -6.2831853f * float(k) / kSides;
            const Vec3 out = {std::cos(a), 0, std::sin(a)};
            vertex(i, r.tube.radius * out, out);
        }
    }
    const auto at = [&](std::size_t ring, int k) {
        return std::uint32_t((ring % n) * kSides + std::size_t(k % kSides));
    };
    for (std::size_t i = 0; i < (r.tube.closed ? n : n - 1); ++i)
        for (int k = 0; k < kSides; ++k)
            index.insert(index.end(), {at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i, k), at(i + 1, k + 1),
                                       at(i + 1, k)});
    if (!r.tube.closed) {
        const std::uint32_t low = vertex(0, {0, 0, 0}, {0, -1, 0}),
                            high = vertex(n - 1, {0, 0, 0}, {0, 1, 0});
        for (int k = 0; k < kSides; ++k)
            index.insert(index.end(), {low, at(0, k + 1), at(0, k), high, at(n - 1, k), at(n - 1, k + 1)});
    }
    const int j = accessor(view(joints, Vertices), 0, UnsignedShort, joints.size(), "VEC4");
    const int w = accessor(view(weights, Vertices), 0, Float, weights.size(), "VEC4");
    return mesh(points, normals, index, material(r.tube.color, 0.9f),
                fmt::format(",\"JOINTS_0\":{},\"WEIGHTS_0\":{}", j, w));
}

void GlbFile::write(const Glb::Rope& r) {
    const std::size_t n = r.joints[0].size();
    std::vector<int> ids;
    std::vector<float> inverse; // inverse bind matrices: inverse transforms of the joints in the first frame
    const int firstJoint = int(nodes.size());
    for (std::size_t i = 0; i < n; ++i) {
        const Transform& t = r.joints[0][i];
        ids.push_back(add(nodes, fmt::format("{{\"translation\":{},\"rotation\":{}}}", numbers(t.position),
                                             numbers(t.rotation))));
        const Mat3<float> m = toMat3(conjugate(t.rotation));
        const Vec3 back = rotate(conjugate(t.rotation), -t.position);
        for (Vec3 column : {m.x, m.y, m.z}) inverse.insert(inverse.end(), {column.x, column.y, column.z, 0});
        inverse.insert(inverse.end(), {back.x, back.y, back.z, 1});
    }
    const int root = add(nodes, fmt::format("{{\"children\":[{}]}}", fmt::join(ids, ",")));
    const int bind = accessor(view(inverse, NoTarget), 0, Float, n, "MAT4");
    const int skin = add(skins, fmt::format("{{\"inverseBindMatrices\":{},\"skeleton\":{},\"joints\":[{}]}}",
                                            bind, root, fmt::join(ids, ",")));
    roots.push_back(root);
    roots.push_back(add(nodes, fmt::format("{{\"mesh\":{},\"skin\":{}}}", tubeMesh(r), skin)));
    std::vector<Transform> one(r.joints.size());
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t f = 0; f < r.joints.size(); ++f) one[f] = r.joints[f][i];
        move(firstJoint + int(i), r.first, one);
    }
    live(root, r.first, r.joints.size());
}

// sheetMesh writes the positions of frame `from`. The following frames are morph targets: differences from that
// frame.
int GlbFile::sheetMesh(const Glb::Sheet& s, std::size_t from, std::size_t targets, int index) {
    std::string morphs, weights;
    auto attributes = [&](std::size_t frame) {
        auto less = [&](const std::vector<std::vector<Vec3>>& all) {
            std::vector<Vec3> v = all[frame];
            for (std::size_t i = 0; frame > from && i < v.size(); ++i) v[i] -= all[from][i];
            return v;
        };
        std::string text = fmt::format("{{\"POSITION\":{}", vec3s(less(s.points), true));
        if (!s.lines) text += fmt::format(",\"NORMAL\":{}", vec3s(less(s.normals), false));
        return text + "}";
    };
    const std::string base = attributes(from);
    for (std::size_t k = 1; k <= targets; ++k) {
        morphs += (k > 1 ? "," : "") + attributes(from + k);
        weights += k > 1 ? ",0" : "0";
    }
    const std::string more = targets > 0 ? ",\"targets\":[" + morphs + "]" : "";
    return add(meshes, fmt::format("{{\"primitives\":[{{\"attributes\":{},\"indices\":{},\"material\":{},"
                                   "\"mode\":{}{}}}]{}}}",
                                   base, index, material(s.color, 0.9f), s.lines ? 1 : 4, more,
                                   targets > 0 ? ",\"weights\":[" + weights + "]" : ""));
}

// Frames are split into runs, one mesh per run. Each run begins with the last frame of the previous run.
void GlbFile::write(const Glb::Sheet& s) {
    const std::size_t frames = s.points.size(), most = s.lines ? kLineTargets : kTargets;
    const int index = accessor(view(s.index, Indices), 0, UnsignedInt, s.index.size(), "SCALAR");
    for (std::size_t from = 0; from == 0 || from + 1 < frames; from += most) {
        const std::size_t targets = std::min(most, frames - 1 - from);
        const bool final = from + targets + 1 == frames;
        const int node = add(nodes, fmt::format("{{\"mesh\":{}}}", sheetMesh(s, from, targets, index)));
        roots.push_back(node);
        live(node, s.first + from, final ? frames - from : targets);
        if (targets == 0) continue;
        std::vector<float> weights((targets + 1) * targets, 0.0f);
        for (std::size_t k = 1; k <= targets; ++k) weights[k * targets + k - 1] = 1;
        animate(node, "weights", timeline(s.first + from, targets + 1),
                accessor(view(weights, NoTarget), 0, Float, weights.size(), "SCALAR"));
    }
}

std::string GlbFile::json() const {
    std::string text =
        fmt::format("{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"capstan\"}},\"scene\":0,"
                    "\"scenes\":[{{\"nodes\":[{}]}}],\"nodes\":{},\"meshes\":{},\"materials\":{},"
                    "\"accessors\":{},\"bufferViews\":{},\"buffers\":[{{\"byteLength\":{}}}]",
                    fmt::join(roots, ","), joined(nodes), joined(meshes), joined(materials),
                    joined(accessors), joined(views), bin.size());
    if (!skins.empty()) text += ",\"skins\":" + joined(skins);
    if (!channels.empty())
        text += fmt::format(",\"animations\":[{{\"samplers\":{},\"channels\":{}}}]", joined(samplers),
                            joined(channels));
    text += "}";
    text.resize((text.size() + 3) / 4 * 4, ' ');
    return text;
}

} // namespace

Status Glb::write(const std::string& file) const {
    if (motions_.empty() && ropes_.empty() && sheets_.empty())
        return Error{"a glTF file needs an object, and the scene has no rope, body, cloth, hair or leash",
                     file};
    GlbFile out{*this, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, -1};
    for (const Motion& m : motions_) out.write(m);
    for (const Rope& r : ropes_) out.write(r);
    for (const Sheet& s : sheets_) out.write(s);
    const std::string json = out.json();
    const std::size_t length = 12 + 8 + json.size() + 8 + out.bin.size();
    if (length > 0xffffffffu)
        return Error{"the file would be larger than 4 GB; use fewer frames, or a lower --fps", file};
    Result<WholeFile> f = WholeFile::open(file);
    if (!f) return f.error();
    const std::uint32_t head[] = {0x46546c67u, 2, std::uint32_t(length), std::uint32_t(json.size()),
                                  0x4e4f534au};
    const std::uint32_t chunk[] = {std::uint32_t(out.bin.size()), 0x004e4942u};
    const auto bytes = [](const auto& list) {
        return std::string_view(reinterpret_cast<const char*>(std::data(list)),
                                std::size(list) * sizeof *std::data(list));
    };
    for (std::string_view part : {bytes(head), std::string_view(json), bytes(chunk), bytes(out.bin)})
        if (Status written = f->write(part); !written) return written;
    return f->close();
}

} // namespace capstan::render
