// SPDX-License-Identifier: MIT
// App is the state of the window, with the functions that draw the window. The scene itself lives in Simulation.
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
    std::uint64_t grabs = 0; // number of grabs that were posted; the last ticket
    float lastX = 0, lastY = 0;
    float steerX = 0, steerY = 0; // last values that were sent to the simulation
    std::vector<float> trail;     // points of a cutting stroke: x, y in pixels of the picture
    float strength = 1;

    // ---- panels
    Rect picture, toolbar, left, right, plots, status;
    std::vector<Rect> covers; // panels that cover part of the picture
    bool showBrowser = true, showInspector = true, showPlots = true, showHelp = false, showPanels = true;
    std::string folder, path; // folder of the browser; path in its text field
    std::vector<std::string> scenes;
    bool focusPath = false, typing = false, entered = false; // entered: the path was confirmed with Enter
    std::optional<WorldDef> worldEdit;                       // values of the user while a widget is held
    std::optional<RopeDef> ropeEdit;
    std::optional<BodyDef> bodyEdit;
    std::optional<JointDef> jointEdit;
    std::optional<ClothDef> clothEdit;
    std::optional<HairDef> hairEdit;
    std::string seenSelection; // last selection; a new one opens its panel
    int seenNotices = 0;
    double noticeAt = -1e9;
    std::string ownNotice; // notice about the window: screenshots, films

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
    void fit(bool roomToFall = false); // moves the camera so that the picture shows the whole scene
};

void layOut(App& app, float width, float height);
void drawToolbar(App& app);
void drawBrowser(App& app);
void drawInspector(App& app);
void drawPlots(App& app);
void drawStatus(App& app);
void drawOverlay(App& app); // draws problem, notice, braid, stroke and names over the picture
void drawHelp(App& app);
void addPull(App& app); // adds the spring line and the force label of a pull to the view
void listScenes(App& app);

// handle processes the input events of one picture in order.
void handle(App& app, const std::vector<UserEvent>& events);

// traceLine formats data about the drawn picture as one JSON object (docs/reference/output.md).
std::string traceLine(const App& app, long long number, const Picture& times);

} // namespace capstan::viewer
