// SPDX-License-Identifier: MIT
// Source texts of the shaders, valid in GLES 3.0 and GL 3.3. gpu.cpp adds the lines with version and precision.
#pragma once

namespace capstan::render::shaders {

extern const char* const frame; // put before every shader: the shared uniform block

extern const char* const lit; // put before fragment shaders with light: shadow, sky, shade, tone curve
extern const char* const depthFragment;

extern const char* const tubeVertex;
extern const char* const tubeFragment;
extern const char* const solidVertex;
extern const char* const pieceVertex;
extern const char* const plainFragment; // for solids and pieces
extern const char* const meshFragment;
extern const char* const strandVertex;
extern const char* const strandFragment;
extern const char* const groundVertex;
extern const char* const groundFragment;
extern const char* const skyVertex;
extern const char* const skyFragment;
extern const char* const lineVertex;
extern const char* const flatVertex; // for positions in pixels
extern const char* const colorFragment;

} // namespace capstan::render::shaders
