// SPDX-License-Identifier: MIT
// This file handles mouse and keyboard. Every change of the World is posted to the simulation.
#include <apps/viewer/app.hpp>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

namespace capstan::viewer {
namespace {

constexpr float kTolerance = 8; // pixels: a click this near to a rope selects it

// rayAt gives the ray through the cursor in the picture.
render::Ray rayAt(const App& app, float x, float y) {
    return app.camera.ray(x - app.picture.x, y - app.picture.y, app.picture.w, app.picture.h);
}

// spreadOf returns the width of kTolerance pixels, in metres per metre of distance from the eye.
float spreadOf(const App& app) {
    const Vec3 ahead = app.camera.eye() + app.camera.forward();
    return kTolerance * app.camera.metresPerPixel(ahead, app.picture.h);
}

bool onPicture(const App& app, float x, float y) {
    if (!app.picture.holds(x, y) || app.showHelp) return false;
    return std::none_of(app.covers.begin(), app.covers.end(), [&](const Rect& r) { return r.holds(x, y); });
}

void clickRope(App& app, float x, float y) {
    const render::Ray ray = rayAt(app, x, y);
    const float radius = std::clamp(0.002f * app.camera.distance, 0.002f, 0.03f);
    app.post([ray, camera = app.camera, ground = app.frame.view.groundHeight, radius](Session& s) {
        if (s.playback()) s.clickRope(spotUnder(s.playback()->world(), ray, camera, ground), radius);
    });
}

// A press posts a grab. Only the simulation knows whether an object is under the cursor; handle() reads its reply.
void press(App& app, const UserEvent& e) {
    if (!onPicture(app, e.x, e.y)) return;
    app.lastX = e.x;
    app.lastY = e.y;
    const render::Ray ray = rayAt(app, e.x, e.y);
    const float spread = spreadOf(app);
    if (e.button == 2 || e.shift) {
        app.holding = Holding::Pan;
    } else if (e.button == 1) {
        app.holding = Holding::Orbit;
    } else if (e.control || app.tool == Tool::Cut) {
        app.holding = Holding::Stroke;
        app.trail = {e.x, e.y};
    } else if (app.tool == Tool::Rope) {
        clickRope(app, e.x, e.y);
    } else if (app.tool == Tool::Pin) {
        app.post([ray, spread](Session& s) { s.pinAt(ray, spread); });
    } else {
        app.holding = Holding::Pull;
        const std::uint64_t ticket = ++app.grabs;
        app.post([ray, spread, facing = app.camera.forward(), strength = app.strength, ticket](Session& s) {
            s.setStrength(strength);
            s.grab(ray, spread, facing, ticket);
        });
    }
}

void stroke(App& app, float x, float y) {
    const float fromX = app.trail[app.trail.size() - 2], fromY = app.trail.back();
    app.trail.push_back(x);
    app.trail.push_back(y);
    Stroke s;
    s.x0 = fromX - app.picture.x;
    s.y0 = fromY - app.picture.y;
    s.x1 = x - app.picture.x;
    s.y1 = y - app.picture.y;
    s.width = app.picture.w;
    s.height = app.picture.h;
    s.camera = app.camera;
    app.post([s](Session& session) { session.cut(s); });
}

void move(App& app, const UserEvent& e) {
    const float dx = e.x - app.lastX, dy = e.y - app.lastY;
    app.lastX = e.x;
    app.lastY = e.y;
    const render::Ray ray = rayAt(app, e.x, e.y);
    switch (app.holding) {
    case Holding::Orbit:
        app.camera.orbit(dx, dy);
        break;
    case Holding::Pan:
        app.camera.pan(dx, dy, app.picture.h);
        break;
    case Holding::Stroke:
        stroke(app, e.x, e.y);
        break;
    case Holding::Pull:
        app.post([ray](Session& s) { s.lead(ray); });
        break;
    case Holding::Nothing:
        break;
    }
}

void release(App& app, const UserEvent& e) {
    if (e.button == 0) app.post([](Session& s) { s.release(); });
    app.holding = Holding::Nothing;
    app.trail.clear();
}

void scroll(App& app, float steps) {
    if (!onPicture(app, app.lastX, app.lastY)) return;
    if (app.frame.pulling) {
        app.post([d = 0.05f * steps * app.camera.distance](Session& s) { s.shift(d); });
    } else {
        app.camera.zoom(steps);
    }
}

void cycleHeat(App& app) {
    app.look.heat = static_cast<render::Heat>((static_cast<int>(app.look.heat) + 1) % 4);
}

void changeSpeed(App& app, float factor) {
    app.post([factor](Session& s) {
        const float speed = s.speed() * factor;
        s.setSpeed(speed > 0.8f && speed < 1.25f ? 1.0f : speed);
    });
}

void toggleDebug(App& app) {
    DebugDrawOptions& d = app.look.debug;
    const bool on = !(d.jointFrames || d.jointLimits || d.contacts || d.tangles);
    d.jointFrames = d.jointLimits = d.contacts = d.tangles = on;
}

void toolKey(App& app, Tool tool) {
    app.tool = tool;
    app.post([](Session& s) { s.forgetRopeEnd(); });
}

void escape(App& app) {
    app.showHelp = false;
    toolKey(app, Tool::Pull);
    app.post([](Session& s) { s.select(Picked{}); });
}

void key(App& app, const UserEvent& e) {
    switch (e.key) {
    case GLFW_KEY_SPACE:
        return app.post([](Session& s) { s.play(!s.playing()); });
    case GLFW_KEY_PERIOD:
    case GLFW_KEY_S:
        return app.post([](Session& s) {
            s.play(false);
            s.step();
        });
    case GLFW_KEY_R:
        return app.post([](Session& s) { s.reset(); });
    case GLFW_KEY_LEFT_BRACKET:
    case GLFW_KEY_MINUS:
        return changeSpeed(app, 0.5f);
    case GLFW_KEY_RIGHT_BRACKET:
    case GLFW_KEY_EQUAL:
        return changeSpeed(app, 2);
    case GLFW_KEY_1:
    case GLFW_KEY_2:
    case GLFW_KEY_3:
    case GLFW_KEY_4:
        return toolKey(app, static_cast<Tool>(e.key - GLFW_KEY_1));
    case GLFW_KEY_P:
        return app.post([](Session& s) { s.togglePin(); });
    case GLFW_KEY_DELETE:
        return app.post([](Session& s) { s.removeSelected(); });
    case GLFW_KEY_U:
        return app.post([](Session& s) { s.untangle(); });
    case GLFW_KEY_F:
        return app.fit();
    case GLFW_KEY_C:
        app.follow = !app.follow;
        app.followed = app.frame.follow;
        return;
    case GLFW_KEY_H:
        return cycleHeat(app);
    case GLFW_KEY_D:
        return toggleDebug(app);
    case GLFW_KEY_TAB:
        app.showPanels = !app.showPanels;
        return;
    case GLFW_KEY_O:
        app.showPanels = app.showBrowser = app.focusPath = true;
        return;
    case GLFW_KEY_F1:
        app.showHelp = !app.showHelp;
        return;
    case GLFW_KEY_F12:
        app.shoot = true;
        return;
    case GLFW_KEY_F9:
        app.filmName = app.film ? "" : "new"; // the film starts or ends when the next picture is drawn
        return;
    case GLFW_KEY_ESCAPE:
        return escape(app);
    case GLFW_KEY_Q:
        if (e.control) app.window.close();
        return;
    default:
        return;
    }
}

void steer(App& app) {
    auto axis = [&](int more, int less) {
        return static_cast<float>(app.window.down(more)) - static_cast<float>(app.window.down(less));
    };
    const float x = app.typing ? 0 : axis(GLFW_KEY_RIGHT, GLFW_KEY_LEFT);
    const float y = app.typing ? 0 : axis(GLFW_KEY_UP, GLFW_KEY_DOWN);
    if (x == app.steerX && y == app.steerY) return;
    app.steerX = x;
    app.steerY = y;
    app.post([x, y](Session& s) { s.steer(x, y); });
}

} // namespace

void handle(App& app, const std::vector<UserEvent>& events) {
    using Kind = UserEvent::Kind;
    bool moved = false;
    for (const UserEvent& e : events) {
        if (e.kind == Kind::Press) press(app, e);
        if (e.kind == Kind::Release) release(app, e);
        if (e.kind == Kind::Move) {
            move(app, e);
            moved = true;
        }
        if (e.kind == Kind::Scroll) scroll(app, e.y);
        if (e.kind == Kind::Drop) app.open(e.file);
        if (e.kind == Kind::Letter && e.letter == '?' && !app.typing) app.showHelp = !app.showHelp;
        if (e.kind != Kind::Key) continue;
        if (!app.typing) key(app, e);
        // ImGui reads only the keys that are down when it draws, so it misses a key that was pressed and released
        // before.
        if (app.typing && (e.key == GLFW_KEY_ENTER || e.key == GLFW_KEY_KP_ENTER)) app.entered = true;
    }
    // While the scene runs, the object under a resting cursor may change.
    moved = moved || app.frame.playing;
    if (moved && app.holding == Holding::Nothing && onPicture(app, app.lastX, app.lastY)) {
        app.post([ray = rayAt(app, app.lastX, app.lastY), spread = spreadOf(app)](Session& s) {
            s.hover(ray, spread);
        });
    }
    // If the grab found no object that can be pulled, the drag turns the camera.
    const bool answered = app.frame.grabs == app.grabs;
    if (app.holding == Holding::Pull && answered && !app.frame.pulling) app.holding = Holding::Orbit;
    steer(app);
}

} // namespace capstan::viewer
