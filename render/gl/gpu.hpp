// SPDX-License-Identifier: MIT
// This file wraps the GL objects that every layer needs: programs, buffers, vertex arrays, and the uniform block that
// all shaders share. Objects belong to the context that is current when they are created and destroyed.
#pragma once

#include <capstan/result.hpp>
#include <render/view/mat4.hpp>
#include <render/view/scene_view.hpp>

#include <GLES3/gl3.h>

#include <cstddef>
#include <string>
#include <utility>

namespace capstan::render {

// An Owned GL object is deleted with its owner.
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

// makeProgram puts the header that suits the context before both shaders.
Result<Program> makeProgram(const char* name, const std::string& vertex, const std::string& fragment);

// FrameBlock is the block `Frame` of shaders.cpp, in the layout std140.
struct FrameBlock {
    Mat4 clip;            // world to clip space of this pass
    Mat4 light;           // world to the shadow map, 0 .. 1
    float eye[4] = {};    // w: 1 in the shadow pass
    float sun[4] = {};    // w: 1 with shadows
    float shadow[4] = {}; // taps per side, distance of taps (in the map), offset along normals (m), unused
    float view[4] = {};   // width, height (pixels), 1 with heat map, size of a pixel at one metre (m)
    float ground[4] = {}; // height (m), 1 with grid, distance where the grid fades (m), size of a cell (m)
    float center[4] = {}; // of the scene; w: its radius
    float right[4] = {};  // of the camera
    float above[4] = {};
};

// attribute declares a vertex attribute of floats; divisor 1: one per instance.
void attribute(GLuint location, int count, std::size_t stride, std::size_t offset, GLuint divisor = 0);

// stream replaces the whole content of a buffer that is drawn once. It returns the number of bytes.
long long stream(GLuint buffer, const void* data, std::size_t bytes);

// packColor packs an sRGB colour into four bytes for shaders.
std::uint32_t packColor(Color c);

// heatColor gives the colours of a heat map for 0 .. 1, with the same ramp as in shaders.cpp.
Color heatColor(float value);

} // namespace capstan::render
