// SPDX-License-Identifier: MIT
// The shaders, as text that GLES 3.0 and GL 3.3 both take (gpu.cpp puts the first lines before).
#pragma once

namespace capstan::render::shaders {

extern const char* const frame; // before every shader: the block that all share

extern const char* const lit; // before fragment shaders that are lit: shadow, sky, shade, tone
extern const char* const depthFragment;

extern const char* const tubeVertex;
extern const char* const tubeFragment;
extern const char* const solidVertex;
extern const char* const pieceVertex;
extern const char* const plainFragment; // of solids and pieces
extern const char* const meshFragment;
extern const char* const strandVertex;
extern const char* const strandFragment;
extern const char* const groundVertex;
extern const char* const groundFragment;
extern const char* const skyVertex;
extern const char* const skyFragment;
extern const char* const lineVertex;
extern const char* const flatVertex; // pixels
extern const char* const colorFragment;

} // namespace capstan::render::shaders
