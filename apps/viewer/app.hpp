// SPDX-License-Identifier: MIT
// App is the state of the window and the functions that draw it. The scene itself lives in Simulation; App only says
// how it is shown.
#pragma once

#include <apps/viewer/history.hpp>
#include <apps/viewer/input/canvas.hpp>
#include <apps/viewer/input/window.hpp>
#include <apps/viewer/session/simulation.hpp>
#include <render/film/film.hpp>
#include <render/gl/renderer.hpp>
#include <render/view/camera.hpp>
#include <render/view/collect.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace capstan::viewer {

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;
    bool holds(float px, float py) const { return px >= x && px < x + w && py >= y && py < y + h; }
};

enum class Tool { Pull, Cut, Rope, Pin };

// Holding is the effect of the left or right mouse button while it is down.
enum class Holding { Nothing, Pull, Orbit, Pan, Stroke };

struct App {
    App(Window& w, Simulation& s, render::Renderer& r) : window(w), simulation(s), renderer(r) {}

    Window& window;
    Simulation& simulation;
    render::Renderer& renderer;
    Frame frame;
    History history;
    Canvas canvas;

    // ---- camera and drawing
    render::Camera camera;
    render::CollectOptions look;
    render::DrawOptions draw;
    bool follow = false;
    Vec3 followed = {0, 0, 0};
    std::uint64_t seenScene = 0;
    std::string seenFile;

    // ---- mouse
    Tool tool = Tool::Pull;
    Holding holding = Holding::Nothing;
    std::uint64_t grabs = 0; // number of attempts so far
    float lastX = 0, lastY = 0;
    float steerX = 0, steerY = 0; // the last values that were posted
    std::vector<float> trail;     // points of a stroke: x, y in the picture
    float strength = 1;

    // ---- panels
    Rect picture, toolbar, left, right, plots, status;
    std::vector<Rect> covers; // panels that cover a part of the picture
    bool showBrowser = true, showInspector = true, showPlots = true, showHelp = false, showPanels = true;
    std::string folder, path; // folder of the browser; path in its text field
    std::vector<std::string> scenes;
    bool focusPath = false, typing = false, entered = false; // entered: the path was confirmed with Enter
    std::optional<WorldDef> worldEdit;                       // the user's values while a widget is held
    std::optional<RopeDef> ropeEdit;
    std::optional<BodyDef> bodyEdit;
    std::optional<JointDef> jointEdit;
    std::optional<ClothDef> clothEdit;
    std::optional<HairDef> hairEdit;
    std::string seenSelection; // used to open the panel of a new selection
    int seenNotices = 0;
    double noticeAt = -1e9;
    std::string ownNotice; // notice of the window: screenshots, films

    // ---- pictures and films
    std::optional<render::Film> film;
    std::string filmName;
    bool shoot = false;
    std::string shootAs;
    render::Image image;

    std::map<std::string, std::pair<float, float>> widgets; // positions of the main widgets, for tests

    void post(Simulation::Command command) { simulation.post(std::move(command)); }
    void say(std::string text);
    void open(const std::string& file);
    void fit(bool roomToFall = false); // puts the whole scene into the picture
};

void layOut(App& app, float width, float height);
void drawToolbar(App& app);
void drawBrowser(App& app);
void drawInspector(App& app);
void drawPlots(App& app);
void drawStatus(App& app);
void drawOverlay(App& app); // onto the picture: problem, notice, braid, stroke, names
void drawHelp(App& app);
void addPull(App& app); // adds the spring line and the force to the drawn view
void listScenes(App& app);

// handle processes the events of one picture in order.
void handle(App& app, const std::vector<UserEvent>& events);

// traceLine gives one JSON object about the picture that was drawn (docs/reference/output.md).
std::string traceLine(const App& app, long long number, const Picture& times);

} // namespace capstan::viewer
