// SPDX-License-Identifier: MIT
// A Scene is the content of one JSON file. It serves as a sample, a test, a benchmark and a page of documentation.
//
// It consists of Defs, of motions and actions (script.hpp), and of expectations (expect.hpp). Reading, writing and
// docs/reference/scene.md all use the `fields` functions of these structs. So a new field is declared there and
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

// A Visual is the display mesh of a body, in the body's own axes. Only viewers use it; physics uses the body's
// shapes.
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

// A Place is the position of a value in the file from which it was read.
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

    // The fields below are not part of the file. `places` lets a later error name line and column. `notes` lists the
    // values that the reader corrected or ignored.
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
    // If true, the origin of a body is the position of its transform, as in the program that wrote the file. If
    // false, it is the centre of its vertices, where the mesh is seen.
    bool centerAtOrigin = true;
};

// parseScene reads a scene from text, and loadScene from a file. Errors use `name` for the file; their `where` reads
// "knot.json:14:9 /ropes/2/radius". Numbers and references are checked. Playback::start makes the checks that need a
// World. A Ten Minute Physics file (one with "meshes") is recognised and imported.
CAPSTAN_API Result<Scene> parseScene(std::string_view text, std::string_view name,
                                     const ImportOptions& options = {});
CAPSTAN_API Result<Scene> loadScene(const std::filesystem::path& file, const ImportOptions& options = {});

// Returns the scene as JSON text. Fields that hold their default are left out. parseScene(saveScene(s)) returns s bit
// for bit if its rotations are unit quaternions.
CAPSTAN_API std::string saveScene(const Scene& scene);

// Checks ranges, and references between parts. parseScene calls it; a program that builds a Scene itself must call
// it.
CAPSTAN_API Status checkScene(const Scene& scene);

// Makes every rotation a unit quaternion. A rotation whose length was wrong by more than the rounding of a file is
// listed in `notes`.
CAPSTAN_API void normalizeRotations(Scene& scene);

// Returns an Error at a value of the scene, with line and column if the scene came from a file.
CAPSTAN_API Error errorAt(const Scene& scene, const std::string& pointer, std::string what);

// Returns the text of docs/reference/scene.md.
CAPSTAN_API std::string sceneFormatMarkdown();

} // namespace capstan
