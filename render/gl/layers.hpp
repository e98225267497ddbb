// SPDX-License-Identifier: MIT
// Layers are the parts of a picture except ropes: solids, pieces and meshes, strands, ground and sky, lines and text.
// Each layer makes its GL objects in init(), sends changed data in upload(), and draws. depthOnly is the shadow pass.
#pragma once

#include <render/gl/gpu.hpp>
#include <render/gl/renderer.hpp>
#include <render/view/camera.hpp>
#include <render/view/shape_meshes.hpp>

#include <map>
#include <memory>
#include <vector>

namespace capstan::render {

// Solids draws boxes, spheres, capsules and cylinders as instances of four meshes. Rope ends are spheres of this
// layer.
class Solids {
public:
    Status init();
    long long upload(const SceneView& view);
    void draw(bool depthOnly, bool fine) const;

private:
    struct Instance {
        float position[4]; // w: rounding radius of edges [m]
        float turn[4];
        float size[4];
        float color[4]; // w: roughness
    };
    struct Drawn {
        VertexArray array;
        Buffer vertices, index;
        int indices = 0;
    };
    static constexpr int kinds = 4;

    void add(const Solid& solid);

    Program lit_, depth_;
    Buffer instances_;
    Drawn drawn_[2][kinds]; // vertex arrays: coarse and fine, by kind
    std::vector<Instance> list_[kinds];
    std::vector<Instance> all_;
    int count_[kinds] = {};
};

// Triangles draws pieces and meshes. Pieces are constant and grouped by their shared Geometry; meshes change each
// frame.
class Triangles {
public:
    Status init();
    long long upload(const SceneView& view);
    void draw(const SceneView& view, bool depthOnly) const;

private:
    struct Kept {
        std::weak_ptr<const Geometry> of;
        VertexArray array;
        Buffer vertices;
        int count = 0;
        bool twoSided = false;
    };
    struct Sheet {
        VertexArray array;
        Buffer vertices, index;
        std::uint64_t key = 0;
        std::size_t triangles = 0;
    };
    struct SheetVertex {
        Vec3 position, normal;
        float heat;
    };
    struct Shader {
        Program program;
        GLint position = -1, turn = -1, color = -1, back = -1;
    };

    static Result<Shader> makeShader(const char* name, const std::string& fragment);
    long long keep(const std::shared_ptr<const Geometry>& geometry);
    long long upload(const Mesh& mesh, Sheet& sheet);
    void use(const Shader& shader, const Transform& at, Color color, Color back, bool hot) const;

    Shader lit_, twoSided_, depth_;
    std::map<const Geometry*, Kept> kept_;
    std::vector<Sheet> sheets_;
    std::vector<SheetVertex> vertices_;
    std::vector<Vec3> normals_;
};

class Hair {
public:
    Status init();
    long long upload(const SceneView& view);
    void draw(const SceneView& view, bool depthOnly) const;

private:
    struct Drawn {
        VertexArray array;
        Buffer points;
        int entries = 0;
    };
    Program lit_, depth_;
    Buffer corner_;
    std::vector<Drawn> drawn_;
    std::vector<Vec4> entries_;
};

class Backdrop {
public:
    Status init();
    void drawGround() const;
    void drawSky() const;

private:
    Program ground_, sky_;
    VertexArray empty_;
};

// Overlay draws lines and dots in the scene, and text, legend and caption on the screen.
class Overlay {
public:
    Status init();
    void drawLines(const SceneView& view);
    void drawWords(const SceneView& view, const Camera& camera, const DrawOptions& options, int width,
                   int height);

private:
    struct LineInstance {
        float from[4]; // w: width in pixels
        float to[3];
        std::uint32_t color;
    };
    struct Corner {
        float x, y;
        std::uint32_t color;
    };
    void drawLines(const SceneView& view, bool onTop);
    void rectangle(float x, float y, float w, float h, std::uint32_t color);
    void words(float x, float y, float scale, const std::string& text, std::uint32_t color);
    void shadowed(float x, float y, float scale, const std::string& text, std::uint32_t color);
    void legend(const SceneView& view, float scale, int width);

    Program line_, flat_;
    VertexArray lineArray_, flatArray_;
    Buffer corner_, lines_, flats_;
    std::vector<LineInstance> instances_;
    std::vector<Corner> corners_;
};

} // namespace capstan::render
