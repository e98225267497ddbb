// SPDX-License-Identifier: MIT
// A Scene is one JSON file that serves as a sample, a test, a benchmark and a page of documentation.
//
// It consists of Defs, of actions and motions (script.hpp), and of expectations (expect.hpp). Reading, writing and
// docs/reference/scene.md all use the `fields` visitors, as for the Defs of defs.hpp. So a new field is written there and
// nowhere else. Playback runs a Scene (playback.hpp).
#pragma once

#include <capstan/api.hpp>
#include <capstan/defs.hpp>
#include <capstan/leash/leash_def.hpp>
#include <capstan/result.hpp>
#include <capstan/scene/camera_def.hpp>
#include <capstan/scene/expect.hpp>
#include <capstan/scene/script.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capstan {

// A Visual is the look of a body, in the body's own axes. Only viewers use it; physics uses the body's shapes.
struct Visual {
    std::string body;
    Vec3 color = {1, 1, 1};
    std::vector<Vec3> vertices;
    std::vector<Vec3> normals;
    std::vector<int> triangles;
};

template <DefOf<Visual> D, class V> void fields(D& d, V&& visit) {
    visit("body", d.body, any("", "name of the body that carries the mesh"));
    visit("color", d.color, within(0, 1, "", "colour as red, green and blue"));
    visit("vertices", d.vertices, any("m", "vertices in the body's axes"));
    visit("normals", d.normals,
          any("", "normals in the body's axes, one for each vertex; left out: viewers compute them"));
    visit("triangles", d.triangles,
          any("", "triangles, each three indices of vertices, counter-clockwise as seen from outside"));
}

// A Place is the position of a value in the file that it was read from.
struct Place {
    std::string pointer; // "/ropes/2/radius"
    int line = 0;
    int column = 0;
};

struct Scene {
    int version = 1;
    std::string about;
    WorldDef world;
    float rate = 60;
    int frames = 600;
    std::vector<RopeDef> ropes;
    std::vector<BodyDef> bodies;
    std::vector<JointDef> joints;
    std::vector<ClothDef> cloths;
    std::vector<HairDef> hairs;
    std::vector<Visual> visuals;
    std::vector<Motion> motions;
    std::vector<Action> actions;
    std::vector<ControlPoint> controls;
    std::optional<LeashDef> leash;
    std::optional<CameraDef> camera;
    Expect expect;

    // The fields below are not part of the file. They keep where the scene came from, so that a later error still
    // names line and column. `notes` lists what the reader corrected or left out.
    std::string name;
    std::vector<Place> places;
    std::vector<Error> notes;
};

template <DefOf<Scene> D, class V> void fields(D& d, V&& visit) {
    visit("version", d.version, within(1, 1, "", "version of the format"));
    visit("about", d.about, any("", "description of the scene for newcomers, in a sentence or two"));
    visit("world", d.world, any("", "gravity and settings of the solvers"));
    visit("rate", d.rate, within(1, 1e5, "1/s", "frames per second"));
    visit("frames", d.frames, within(1, 1e8, "", "number of frames of the run"));
    visit("ropes", d.ropes, any("", "ropes, cables and chains"));
    visit("bodies", d.bodies, any("", "rigid bodies"));
    visit("joints", d.joints, any("", "joints between bodies, and between ropes and bodies"));
    visit("cloths", d.cloths, any("", "sheets of cloth"));
    visit("hairs", d.hairs, any("", "heads of hair with many strands each"));
    visit("visuals", d.visuals, any("", "display meshes of bodies"));
    visit("motions", d.motions,
          any("", "motions of pinned nodes and vertices, kinematic bodies and drag joints"));
    visit("actions", d.actions, any("", "actions, each with its time"));
    visit("controls", d.controls,
          any("", "control vector over time: linear between control points, from [0, 0] at the start, and "
                  "constant after the last"));
    visit("leash", d.leash, any("", "handler who walks dogs on leashes"));
    visit("camera", d.camera,
          any("", "camera that shows the scene best; left out: pictures and viewers show all objects"));
    visit("expect", d.expect, any("", "expectations that must hold; `capstan check` tests them"));
}

// ImportOptions say how to read a file of another format (scene/import/ten_minute.hpp).
struct ImportOptions {
    // If true, bodies are centred on their transform's position, as in the program of that format. If false, they are
    // centred on their vertices, where the mesh is seen.
    bool centerAtOrigin = true;
};

// These functions read a scene. Errors use `name` for the file; their `where` reads "knot.json:14:9 /ropes/2/radius".
// Numbers and references are checked here. Playback::start makes the checks that need a World. A Ten Minute Physics
// file (one with "meshes") is read as well.
CAPSTAN_API Result<Scene> parseScene(std::string_view text, std::string_view name,
                                     const ImportOptions& options = {});
CAPSTAN_API Result<Scene> loadScene(const std::filesystem::path& file, const ImportOptions& options = {});

// saveScene leaves out fields that hold their default. parseScene(saveScene(s)) returns s bit for bit if its rotations
// are unit quaternions.
CAPSTAN_API std::string saveScene(const Scene& scene);

// checkScene checks ranges, and references between parts. parseScene calls it; a program that makes a scene must call
// it.
CAPSTAN_API Status checkScene(const Scene& scene);

// normalizeRotations makes every rotation a unit quaternion. It notes one whose length was off by more than the
// rounding of a file.
CAPSTAN_API void normalizeRotations(Scene& scene);

// errorAt makes an error at a value of the scene, with line and column when the scene came from a file.
CAPSTAN_API Error errorAt(const Scene& scene, const std::string& pointer, std::string what);

// The result is the text of docs/reference/scene.md.
CAPSTAN_API std::string sceneFormatMarkdown();

} // namespace capstan
