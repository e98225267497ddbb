// SPDX-License-Identifier: MIT
// This file implements gpu.hpp.
#include <render/gl/gpu.hpp>

#include <render/gl/shaders.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace capstan::render {
namespace {

// header returns the first lines of a shader. For the features used here, GLES and desktop GL differ only in them.
const char* header() {
    const char* version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    const bool es = version && std::strncmp(version, "OpenGL ES", 9) == 0;
    return es ? "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp "
                "sampler2DShadow;\n"
              : "#version 330 core\n";
}

Status compile(GLuint shader, const char* name, const std::string& text) {
    const std::string whole = header() + std::string(shaders::frame) + text;
    const char* source = whole.c_str();
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return done();
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    return Error{std::string("this GL does not compile the shader: ") + log, name};
}

} // namespace

Buffer makeBuffer() {
    GLuint id = 0;
    glGenBuffers(1, &id);
    return Buffer(id);
}
VertexArray makeVertexArray() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return VertexArray(id);
}
Texture makeTexture() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return Texture(id);
}
Framebuffer makeFramebuffer() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return Framebuffer(id);
}
Renderbuffer makeRenderbuffer() {
    GLuint id = 0;
    glGenRenderbuffers(1, &id);
    return Renderbuffer(id);
}

Result<Program> makeProgram(const char* name, const std::string& vertex, const std::string& fragment) {
    Program program(glCreateProgram());
    if (!program) return Error{"GL makes no program: is a context current?", name};
    const GLuint v = glCreateShader(GL_VERTEX_SHADER), f = glCreateShader(GL_FRAGMENT_SHADER);
    Status good = compile(v, name, vertex);
    if (good) good = compile(f, name, fragment);
    glAttachShader(program, v);
    glAttachShader(program, f);
    glLinkProgram(program);
    glDeleteShader(v);
    glDeleteShader(f); // only marks the shaders; GL frees them with the program
    if (!good) return good.error();
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[2048] = "";
        glGetProgramInfoLog(program, sizeof log, nullptr, log);
        return Error{std::string("this GL does not link the shaders: ") + log, name};
    }
    if (const GLuint block = glGetUniformBlockIndex(program, "Frame"); block != GL_INVALID_INDEX)
        glUniformBlockBinding(program, block, 0);
    glUseProgram(program);
    if (const GLint map = glGetUniformLocation(program, "uShadowMap"); map >= 0) glUniform1i(map, 0);
    glUseProgram(0);
    return program;
}

void attribute(GLuint location, int count, std::size_t stride, std::size_t offset, GLuint divisor) {
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, count, GL_FLOAT, GL_FALSE, GLsizei(stride),
                          reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(location, divisor);
}

long long stream(GLuint buffer, const void* data, std::size_t bytes) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(bytes), data, GL_STREAM_DRAW);
    return static_cast<long long>(bytes);
}

std::uint32_t packColor(Color c) {
    const auto byte = [](float x) { return std::uint32_t(std::lround(255 * std::clamp(x, 0.0f, 1.0f))); };
    return byte(c.x) | byte(c.y) << 8 | byte(c.z) << 16 | 255u << 24;
}

Color heatColor(float value) {
    static constexpr std::array<Color, 5> ramp = {Color{0.16f, 0.20f, 0.52f},
                                                  {0.10f, 0.55f, 0.70f},
                                                  {0.45f, 0.75f, 0.35f},
                                                  {0.96f, 0.78f, 0.20f},
                                                  {0.85f, 0.18f, 0.12f}};
    const float at = 4 * std::clamp(value, 0.0f, 1.0f);
    const int i = std::min(int(at), 3);
    return (1 - (at - float(i))) * ramp[i] + (at - float(i)) * ramp[std::size_t(i) + 1];
}

} // namespace capstan::render
