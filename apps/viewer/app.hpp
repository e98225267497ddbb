// SPDX-License-Identifier: MIT
// App: everything the window knows, and the functions that draw it. The scene itself lives in Simulation; what is here is
// how it is looked at.
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

// What the left or right button does while it is down.
enum class Holding { Nothing, Pull, Orbit, Pan, Stroke };

struct App {
    App(Window& w, Simulation& s, render::Renderer& r) : window(w), simulation(s), renderer(r) {}

    Window& window;
    Simulation& simulation;
    render::Renderer& renderer;
    Frame frame;
    History history;
    Canvas canvas;

    // How it is looked at
    render::Camera camera;
    render::CollectOptions look;
    render::DrawOptions draw;
    bool follow = false;
    Vec3 followed = {0, 0, 0};
    std::uint64_t seenScene = 0;
    std::string seenFile;

    // What the mouse does
    Tool tool = Tool::Pull;
    Holding holding = Holding::Nothing;
    std::uint64_t grabs = 0; // tried so far
    float lastX = 0, lastY = 0;
    float steerX = 0, steerY = 0; // as posted
    std::vector<float> trail;     // of a stroke: x, y in the picture
    float strength = 1;

    // Panels
    Rect picture, toolbar, left, right, plots, status;
    std::vector<Rect> covers; // panels that lie on the picture
    bool showBrowser = true, showInspector = true, showPlots = true, showHelp = false, showPanels = true;
    std::string folder, path; // of the browser; what is typed
    std::vector<std::string> scenes;
    bool focusPath = false, typing = false, entered = false; // entered: the path, with Enter
    std::optional<WorldDef> worldEdit;                       // while a widget is held, what it shows is ours
    std::optional<RopeDef> ropeEdit;
    std::optional<BodyDef> bodyEdit;
    std::optional<JointDef> jointEdit;
    std::optional<ClothDef> clothEdit;
    std::optional<HairDef> hairEdit;
    std::string seenSelection; // so that the panel turns to what was just selected
    int seenNotices = 0;
    double noticeAt = -1e9;
    std::string ownNotice; // of the window: screenshots, films

    // Pictures and films
    std::optional<render::Film> film;
    std::string filmName;
    bool shoot = false;
    std::string shootAs;
    render::Image image;

    std::map<std::string, std::pair<float, float>> widgets; // where the main ones are: for tests

    void post(Simulation::Command command) { simulation.post(std::move(command)); }
    void say(std::string text);
    void open(const std::string& file);
    void fit(bool roomToFall = false); // all of the scene in the picture
};

void layOut(App& app, float width, float height);
void drawToolbar(App& app);
void drawBrowser(App& app);
void drawInspector(App& app);
void drawPlots(App& app);
void drawStatus(App& app);
void drawOverlay(App& app); // on the picture: problem, notice, braid, stroke, names
void drawHelp(App& app);
void addPull(App& app); // spring line and force, into the view that is drawn
void listScenes(App& app);

// The events of one picture, in their order.
void handle(App& app, const std::vector<UserEvent>& events);

// One JSON object about the picture that was drawn (docs/viewer.md).
std::string traceLine(const App& app, long long number, const Picture& times);

} // namespace capstan::viewer
