// SPDX-License-Identifier: MIT
// This file holds the shaders of shaders.hpp. The light has three parts: a sun with a shadow map, a sky that is
// brighter above than below, and a weak specular highlight. The highlight follows J. Blinn 1977 with the Fresnel term
// of C. Schlick 1994. The tone curve of K. Narkowicz 2015 maps the result to the screen. Colours of surfaces are
// given in sRGB; the vertex shader converts them to linear light.
#include <render/gl/shaders.hpp>

namespace capstan::render::shaders {

const char* const frame = R"(
layout(std140) uniform Frame {
    mat4 uClip;
    mat4 uLight;
    vec4 uEye, uSun, uShadow, uView, uGround, uCenter, uRight, uAbove;
};
vec3 linear(vec3 c) { return c * c * (0.75 * c + 0.25); }
vec3 heatRamp(float x) {
    x = 4.0 * clamp(x, 0.0, 1.0);
    vec3 c = mix(vec3(0.16, 0.20, 0.52), vec3(0.10, 0.55, 0.70), clamp(x, 0.0, 1.0));
    c = mix(c, vec3(0.45, 0.75, 0.35), clamp(x - 1.0, 0.0, 1.0));
    c = mix(c, vec3(0.96, 0.78, 0.20), clamp(x - 2.0, 0.0, 1.0));
    return mix(c, vec3(0.85, 0.18, 0.12), clamp(x - 3.0, 0.0, 1.0));
}
)";

const char* const lit = R"(
uniform sampler2DShadow uShadowMap;
float sunlight(vec3 p, vec3 n, float nl) {
    if (uSun.w < 0.5) return 1.0;
    vec3 q = (uLight * vec4(p + n * (uShadow.z * (1.6 - nl)), 1.0)).xyz;
    if (any(greaterThan(abs(q - 0.5), vec3(0.5)))) return 1.0;
    float sum = 0.0;
    vec2 corner = q.xy - 0.5 * (uShadow.x - 1.0) * uShadow.y;
    for (float y = 0.0; y < uShadow.x; y += 1.0)
        for (float x = 0.0; x < uShadow.x; x += 1.0)
            sum += textureLod(uShadowMap, vec3(corner + uShadow.y * vec2(x, y), q.z), 0.0);
    return sum / (uShadow.x * uShadow.x);
}
vec3 skyColor(vec3 d) {
    float up = clamp(d.y, 0.0, 1.0);
    vec3 c = mix(vec3(0.56, 0.65, 0.72), vec3(0.10, 0.22, 0.42), 1.0 - pow(1.0 - up, 5.0));
    float sun = max(dot(d, uSun.xyz), 0.0);
    return c + vec3(0.22, 0.17, 0.10) * pow(sun, 6.0);
}
vec3 skylight(vec3 n) {
    return mix(vec3(0.20, 0.18, 0.16), vec3(0.40, 0.46, 0.55), 0.5 * n.y + 0.5);
}
vec3 shade(vec3 albedo, float rough, vec3 p, vec3 n, float open) {
    vec3 v = normalize(uEye.xyz - p), h = normalize(v + uSun.xyz);
    float nl = dot(n, uSun.xyz), nv = max(dot(n, v), 0.0);
    float light = nl > 0.0 ? nl * sunlight(p, n, nl) : 0.0;
    float sharp = mix(160.0, 10.0, rough);
    float gloss = pow(max(dot(n, h), 0.0), sharp) * (sharp + 8.0) / 34.0;
    float fresnel = 0.04 + 0.96 * pow(1.0 - nv, 5.0) * (1.0 - rough);
    vec3 sun = vec3(2.55, 2.36, 2.08) * light * open;
    return albedo * (skylight(n) * open + sun) + fresnel * gloss * sun + 0.5 * fresnel * open * skylight(reflect(-v, n));
}
vec3 tone(vec3 c) {
    c *= 0.92;
    c = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);
    return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));
}
)";

const char* const depthFragment = "void main() {}\n";

// Ropes: each instance is one segment, a cubic through its two nodes whose slopes come from the neighbouring nodes
// (E. Catmull, R. Rom 1974). So rings of neighbouring segments coincide, and the tube bends without corners.
const char* const tubeVertex = R"(
layout(location = 0) in vec2 aRing;
layout(location = 1) in vec3 aP0;
layout(location = 2) in vec3 aP1;
layout(location = 3) in vec3 aP2;
layout(location = 4) in vec3 aP3;
layout(location = 5) in vec4 aN1;
layout(location = 6) in vec4 aN2;
layout(location = 7) in vec2 aS1;
layout(location = 8) in vec2 aS2;
layout(location = 9) in vec4 aColor;
layout(location = 10) in vec4 aSecond;
layout(location = 11) in float aHeat1;
layout(location = 12) in float aHeat2;
out vec3 vP, vN, vT, vColor, vSecond;
out vec2 vBraid;
void main() {
    if (aS1.y <= 0.0) {
        gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
        return;
    }
    float t = aRing.y, s = 1.0 - t;
    vec3 d = aP2 - aP1, a = 0.5 * (aP2 - aP0) - d, b = 0.5 * (aP3 - aP1) - d;
    vec3 center = aP1 + t * d + t * s * (s * a - t * b);
    vec3 T = d + (1.0 - 4.0 * t + 3.0 * t * t) * a + (3.0 * t * t - 2.0 * t) * b;
    T = dot(T, T) > 0.0 ? normalize(T) : vec3(0.0, 1.0, 0.0);
    vec3 n = mix(aN1.xyz, aN2.xyz, t);
    n = normalize(n - dot(n, T) * T + vec3(1e-9, 0.0, 0.0));
    float angle = 6.2831853 * aRing.x;
    vN = cos(angle) * n + sin(angle) * cross(T, n);
    // No thinner than a pixel, of the picture or of the shadow map: a dashed line is not a rope.
    float least = uEye.w > 0.5 ? 0.6 * uShadow.z : 0.55 * uView.w * distance(center, uEye.xyz);
    vP = center + max(aS1.y, least) * vN;
    vT = T;
    vBraid = vec2(3.0 * aRing.x, mix(aS1.x, aS2.x, t));
    vec3 heat = linear(heatRamp(mix(aHeat1, aHeat2, t)));
    vColor = uView.z > 0.5 ? heat : linear(aColor.rgb);
    vSecond = uView.z > 0.5 ? heat * 0.8 : linear(aSecond.rgb);
    gl_Position = uClip * vec4(vP, 1.0);
}
)";

// Surface of ropes: three strands twisted around each other, one of them in another colour. Each strand consists of
// yarns that are twisted the opposite way. Strands and yarns fade where they are thinner than one or two pixels.
const char* const tubeFragment = R"(
in vec3 vP, vN, vT, vColor, vSecond;
in vec2 vBraid;
out vec4 color;
void main() {
    vec3 n = normalize(vN), T = normalize(vT), around = cross(T, n);
    float x = vBraid.x + vBraid.y, y = 5.0 * vBraid.x - 4.0 * vBraid.y;
    float clear = clamp(1.6 - 2.4 * fwidth(x), 0.0, 1.0), fine = clamp(1.4 - 2.4 * fwidth(y), 0.0, 1.0);
    float f = fract(x) - 0.5, g = fract(y) - 0.5;
    float other = mix(0.22, step(fract(x / 3.0), 0.33333), clear);
    n = normalize(n + normalize(around + 0.77 * T) * (1.5 * f * clear) + normalize(around - T) * (0.45 * g * fine));
    float groove = 1.0 - clear * 2.6 * f * f * (1.0 + 0.6 * abs(f)) - fine * 0.35 * g * g;
    color = vec4(tone(shade(mix(vColor, vSecond, other), 0.85, vP, n, groove)), 1.0);
}
)";

// Solids: vertex = core * aCore + rounding * aNormal. Only the core is scaled, so that edges keep their rounding.
const char* const solidVertex = R"(
layout(location = 0) in vec3 aCore;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec4 iPlace;
layout(location = 3) in vec4 iTurn;
layout(location = 4) in vec4 iSize;
layout(location = 5) in vec4 iColor;
out vec3 vP, vN, vColor;
out float vRough;
vec3 turn(vec3 v) { return v + 2.0 * cross(iTurn.xyz, cross(iTurn.xyz, v) + iTurn.w * v); }
void main() {
    vP = iPlace.xyz + turn(aCore * iSize.xyz + iPlace.w * aNormal);
    vN = turn(aNormal);
    vColor = linear(iColor.rgb);
    vRough = iColor.a;
    gl_Position = uClip * vec4(vP, 1.0);
}
)";

const char* const pieceVertex = R"(
layout(location = 0) in vec3 aPlace;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in float aHeat;
uniform vec4 uPlace, uTurn, uColor, uBack;
out vec3 vP, vN, vColor, vBack;
out float vRough;
vec3 turn(vec3 v) { return v + 2.0 * cross(uTurn.xyz, cross(uTurn.xyz, v) + uTurn.w * v); }
void main() {
    vP = uPlace.xyz + turn(aPlace);
    vN = turn(aNormal);
    vec3 heat = linear(heatRamp(aHeat));
    vColor = uPlace.w > 0.5 ? heat : linear(uColor.rgb);
    vBack = uPlace.w > 0.5 ? heat : linear(uBack.rgb);
    vRough = uColor.a;
    gl_Position = uClip * vec4(vP, 1.0);
}
)";

const char* const plainFragment = R"(
in vec3 vP, vN, vColor;
in float vRough;
out vec4 color;
void main() { color = vec4(tone(shade(vColor, vRough, vP, normalize(vN), 1.0)), 1.0); }
)";

// Meshes (cloth): the surface is visible and lit from both sides, and a little light shines through.
const char* const meshFragment = R"(
in vec3 vP, vN, vColor, vBack;
in float vRough;
out vec4 color;
void main() {
    vec3 n = normalize(vN), albedo = gl_FrontFacing ? vColor : vBack;
    n = gl_FrontFacing ? n : -n;
    vec3 through = albedo * vec3(0.30, 0.28, 0.25) * max(-dot(n, uSun.xyz), 0.0);
    color = vec4(tone(shade(albedo, vRough, vP, n, 1.0) + through), 1.0);
}
)";

// Hair: a ribbon per segment, turned towards the eye (in the shadow pass, towards the sun).
const char* const strandVertex = R"(
layout(location = 0) in vec2 aCorner;
layout(location = 1) in vec4 aP0;
layout(location = 2) in vec4 aP1;
layout(location = 3) in vec4 aP2;
layout(location = 4) in vec4 aP3;
uniform vec4 uRoot, uTip;
out vec3 vP, vT, vColor;
void main() {
    if (aP1.w < 0.0 || aP2.w < 0.0) {
        gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
        return;
    }
    bool end = aCorner.y > 0.5;
    vec4 p = end ? aP2 : aP1;
    vec3 before = end ? aP1.xyz : (aP0.w < 0.0 ? aP1.xyz : aP0.xyz);
    vec3 after = end ? (aP3.w < 0.0 ? aP2.xyz : aP3.xyz) : aP2.xyz;
    vT = normalize(after - before + vec3(0.0, 1e-9, 0.0));
    vec3 toEye = uEye.w > 0.5 ? uSun.xyz : uEye.xyz - p.xyz;
    vec3 aside = normalize(cross(vT, toEye) + vec3(1e-9, 0.0, 0.0));
    float pixel = uEye.w > 0.5 ? 0.0 : 0.6 * uView.w * length(toEye);
    vP = p.xyz + aside * aCorner.x * max(0.5 * uRoot.w * (1.0 - 0.75 * p.w), pixel);
    vColor = linear(mix(uRoot.rgb, uTip.rgb, p.w));
    gl_Position = uClip * vec4(vP, 1.0);
}
)";

// Hair is shaded by the angle between its direction and the light (J. Kajiya, T. Kay 1989).
const char* const strandFragment = R"(
in vec3 vP, vT, vColor;
out vec4 color;
void main() {
    vec3 T = normalize(vT), v = normalize(uEye.xyz - vP);
    vec3 n = normalize(v - dot(v, T) * T + vec3(0.0, 1e-6, 0.0));
    float tl = dot(T, uSun.xyz), tv = dot(T, v);
    float sl = sqrt(max(1.0 - tl * tl, 0.0)), sv = sqrt(max(1.0 - tv * tv, 0.0));
    float light = sunlight(vP, n, 0.5), gloss = pow(max(sl * sv - tl * tv, 0.0), 40.0);
    vec3 c = vColor * (skylight(n) + 1.9 * sl * light) + 0.25 * gloss * light;
    color = vec4(tone(c), 1.0);
}
)";

const char* const groundVertex = R"(
out vec3 vP;
void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    vP = vec3(uEye.x + corner.x * uGround.z * 9.0, uGround.x, uEye.z + corner.y * uGround.z * 9.0);
    gl_Position = uClip * vec4(vP, 1.0);
}
)";

// Ground: the lines of the grid are one pixel wide and fade where cells are smaller than a few pixels.
const char* const groundFragment = R"(
in vec3 vP;
out vec4 color;
float lines(vec2 p, float cell) {
    vec2 q = p / cell, w = max(fwidth(q), vec2(1e-6));
    vec2 g = clamp(1.2 - abs(fract(q - 0.5) - 0.5) / w, 0.0, 1.0);
    return max(g.x, g.y) * clamp(1.3 - 3.0 * max(w.x, w.y), 0.0, 1.0);
}
void main() {
    vec3 d = vP - uEye.xyz;
    float away = length(d), far = length(vP - uCenter.xyz);
    float haze = clamp(1.0 - exp(-pow(far / (1.8 * uGround.z), 2.5)), 0.0, 1.0);
    vec3 albedo = vec3(0.150, 0.147, 0.138);
    if (uGround.y > 0.5) {
        float g = max(lines(vP.xz, uGround.w), 0.45 * lines(vP.xz, 0.2 * uGround.w));
        albedo = mix(albedo, vec3(0.085, 0.086, 0.088), g * 0.75);
    }
    vec3 c = shade(albedo, 1.0, vP, vec3(0.0, 1.0, 0.0), 1.0);
    vec3 horizon = skyColor(normalize(vec3(d.x, 0.0, d.z)));
    color = vec4(tone(mix(c, horizon, haze)), 1.0);
}
)";

const char* const skyVertex = R"(
out vec3 vD;
void main() {
    vec2 uv = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2)) * 2.0 - 1.0;
    vec3 ahead = cross(uAbove.xyz, uRight.xyz);
    vD = ahead + uv.x * uRight.w * uRight.xyz + uv.y * uAbove.w * uAbove.xyz;
    gl_Position = vec4(uv, 0.99999, 1.0);
}
)";

const char* const skyFragment = R"(
in vec3 vD;
out vec4 color;
void main() { color = vec4(tone(skyColor(normalize(vD))), 1.0); }
)";

// Lines: each is a rectangle whose width is given in pixels. A line of length 0 is a square dot.
const char* const lineVertex = R"(
layout(location = 0) in vec2 aCorner;
layout(location = 1) in vec4 iFrom;
layout(location = 2) in vec3 iTo;
layout(location = 3) in vec4 iColor;
out vec4 vColor;
void main() {
    vec4 a = uClip * vec4(iFrom.xyz, 1.0), b = uClip * vec4(iTo, 1.0);
    const float e = 0.004;
    if (a.w < e && b.w < e) {
        gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
        return;
    }
    if (a.w < e) a = mix(a, b, (e - a.w) / (b.w - a.w));
    if (b.w < e) b = mix(b, a, (e - b.w) / (a.w - b.w));
    vec2 along = (b.xy / b.w - a.xy / a.w) * uView.xy;
    float l = length(along);
    along = l > 1e-3 ? along / l : vec2(1.0, 0.0);
    vec4 p = aCorner.y > 0.5 ? b : a;
    vec2 off = aCorner.x * vec2(-along.y, along.x) + (l > 1e-3 ? 0.0 : aCorner.y * 2.0 - 1.0) * along;
    p.xy += off * iFrom.w / uView.xy * p.w;
    vColor = iColor;
    gl_Position = p;
}
)";

const char* const flatVertex = R"(
layout(location = 0) in vec2 aPixel;
layout(location = 1) in vec4 aColor;
out vec4 vColor;
void main() {
    vColor = aColor;
    gl_Position = vec4(2.0 * aPixel.x / uView.x - 1.0, 1.0 - 2.0 * aPixel.y / uView.y, 0.0, 1.0);
}
)";

const char* const colorFragment = R"(
in vec4 vColor;
out vec4 color;
void main() { color = vColor; }
)";

} // namespace capstan::render::shaders
