// SPDX-License-Identifier: MIT
// This file wraps the GL objects of all layers: programs, buffers, vertex arrays, and the uniform block of all
// shaders. Objects must be created and destroyed in the same GL context.
#pragma once

#include <capstan/result.hpp>
#include <render/view/mat4.hpp>
#include <render/view/scene_view.hpp>

#include <GLES3/gl3.h>

#include <cstddef>
#include <string>
#include <utility>

namespace capstan::render {

// Owned is a GL object that is deleted by its owner's destructor.
template <void (*Delete)(GLuint)> class Owned {
public:
    Owned() = default;
    explicit Owned(GLuint id) : id_(id) {}
    ~Owned() {
        if (id_) Delete(id_);
    }
    Owned(Owned&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    operator GLuint() const { return id_; }

private:
    GLuint id_ = 0;
};

inline void deleteProgram(GLuint id) { glDeleteProgram(id); }
inline void deleteBuffer(GLuint id) { glDeleteBuffers(1, &id); }
inline void deleteVertexArray(GLuint id) { glDeleteVertexArrays(1, &id); }
inline void deleteTexture(GLuint id) { glDeleteTextures(1, &id); }
inline void deleteFramebuffer(GLuint id) { glDeleteFramebuffers(1, &id); }
inline void deleteRenderbuffer(GLuint id) { glDeleteRenderbuffers(1, &id); }
using Program = Owned<deleteProgram>;
using Buffer = Owned<deleteBuffer>;
using VertexArray = Owned<deleteVertexArray>;
using Texture = Owned<deleteTexture>;
using Framebuffer = Owned<deleteFramebuffer>;
using Renderbuffer = Owned<deleteRenderbuffer>;

Buffer makeBuffer();
VertexArray makeVertexArray();
Texture makeTexture();
Framebuffer makeFramebuffer();
Renderbuffer makeRenderbuffer();

// makeProgram compiles and links two shaders, each after the header (version and precision) of the current context.
Result<Program> makeProgram(const char* name, const std::string& vertex, const std::string& fragment);

// FrameBlock is the block `Frame` of shaders.cpp, in the layout std140.
struct FrameBlock {
    Mat4 clip;            // matrix from world to clip space of this pass
    Mat4 light;           // matrix from world to coordinates of the shadow map, 0 .. 1
    float eye[4] = {};    // position of the eye [m]; w: 1 in the shadow pass
    float sun[4] = {};    // direction to the sun; w: 1 with shadows
    float shadow[4] = {}; // taps per side, distance of taps (in the map), offset along normals (m), unused
    float view[4] = {};   // width, height (pixels), 1 with heat map, size of a pixel at one metre (m)
    float ground[4] = {}; // height (m), 1 with grid, distance where the grid fades (m), size of a cell (m)
    float center[4] = {}; // centre of the scene; w: its radius [m]
    float right[4] = {};  // right and up vectors of the camera
    float above[4] = {};
};

// attribute declares a vertex attribute of `count` floats. With divisor 1 it advances once per instance.
void attribute(GLuint location, int count, std::size_t stride, std::size_t offset, GLuint divisor = 0);

// stream replaces the whole content of a buffer that is used for one frame. It returns the number of bytes.
long long stream(GLuint buffer, const void* data, std::size_t bytes);

// packColor packs an sRGB colour into four bytes for shaders.
std::uint32_t packColor(Color c);

// heatColor returns the colour of a heat value in 0 .. 1. The colour ramp is that of shaders.cpp.
Color heatColor(float value);

} // namespace capstan::render
