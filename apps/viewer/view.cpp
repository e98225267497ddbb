// SPDX-License-Identifier: MIT
// This file implements `capstan view`: the loop that runs the window, picture by picture.
#include <apps/viewer/view.hpp>

#include <apps/capstan/commands/checks.hpp>
#include <apps/viewer/app.hpp>

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace capstan::viewer {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kFilmRate = 30; // pictures per second

float since(Clock::time_point from) { return std::chrono::duration<float>(Clock::now() - from).count(); }

// Numbers lists all values of a CollectOptions, so that two CollectOptions can be compared.
struct Numbers {
    std::vector<float> all;
    template <class T> void operator()(const char*, const T& value, const Field&) {
        all.push_back(static_cast<float>(value));
    }
};

std::vector<float> numbersOf(const render::CollectOptions& o) {
    Numbers n;
    fields(o.debug, n);
    n.all.insert(n.all.end(),
                 {static_cast<float>(o.heat), static_cast<float>(o.figures), static_cast<float>(o.visuals)});
    return n.all;
}

// freeName returns the first file name that does not exist yet: capstan-001.png, capstan-002.png, ...
std::string freeName(const char* extension) {
    for (int i = 1;; ++i) {
        char name[64];
        std::snprintf(name, sizeof name, "capstan-%03d.%s", i, extension);
        std::error_code ignored;
        if (!fs::exists(name, ignored)) return name;
    }
}

int fail(const std::string& text) {
    std::fprintf(stderr, "capstan: %s\n", text.c_str());
    return cli::badUse;
}

class Loop {
public:
    Loop(App& app, const cli::ViewOptions& options) : app_(app), options_(options) {
        if (!options.trace.empty() && options.trace != "-") file_.open(options.trace);
        trace_ = options.trace.empty() ? nullptr : options.trace == "-" ? &std::cout : &file_;
    }
    bool badTrace() const { return trace_ == &file_ && !file_; }

    int run() {
        while (!app_.window.closing()) {
            const double wait = calm_ ? 0.1 : std::max(0.0, 1 / 60.0 - static_cast<double>(since(begun_)));
            const std::vector<UserEvent> events = app_.window.events(wait);
            handle(app_, events);
            film();
            if (!app_.film && app_.simulation.take(app_.frame)) news_ = true;
            if (news_) noticed();
            if (const std::string told = cli::takeFailedCheck(); !told.empty()) app_.say(told);
            const bool act = news_ || !events.empty() || drawn_ < 3 || since(begun_) > 0.25f || app_.shoot;
            calm_ = !act;
            if (!act) continue;
            news_ = false;
            picture();
            if (options_.frames > 0 && drawn_ >= options_.frames) break;
        }
        endFilm();
        if (trace_ && !*trace_ && failed_.empty())
            failed_ = options_.trace + ": not all of it could be written";
        if (failed_.empty()) return cli::success;
        fail(failed_);
        return cli::failed;
    }

private:
    // noticed processes a new Frame: it extends the plots, and for a new scene it schedules a fit of the camera.
    void noticed() {
        Frame& f = app_.frame;
        if (f.scene != app_.seenScene) app_.history.samples.clear();
        app_.history.add(f.samples);
        const bool other = f.scene != app_.seenScene && f.file != app_.seenFile;
        app_.seenScene = f.scene;
        if (other) {
            app_.seenFile = f.file;
            app_.follow = false;
            fitLater_ = true;
            app_.window.title(fs::path(f.file).filename().string() + " - Capstan");
        }
        if (app_.follow) app_.camera.target += f.follow - app_.followed;
        app_.followed = f.follow;
    }

    void beginView() {
        const std::optional<CameraDef>& c = app_.frame.camera;
        app_.camera = render::Camera{};
        if (c) {
            app_.camera = render::Camera::at(c->eye, c->target, c->fieldOfView);
        } else {
            app_.fit(true);
        }
    }

    void film() {
        if (app_.filmName == "new" && !app_.film) beginFilm();
        if (app_.filmName.empty() && app_.film) endFilm();
        if (!app_.film) return;
        app_.post([](Session& s) { s.filmAdvance(1 / kFilmRate); });
        app_.simulation.takeAfter(app_.frame);
        news_ = true;
    }

    void beginFilm() {
        const std::string name = freeName("mp4");
        Result<render::Film> film = render::Film::open(
            name, app_.canvas.width() & ~1, app_.canvas.height() & ~1, static_cast<float>(kFilmRate));
        app_.filmName = film ? name : "";
        if (!film) return app_.say(film.error().text());
        app_.film.emplace(std::move(*film));
        app_.post([](Session& s) { s.film(true); });
        app_.say("filming to " + name);
    }

    void endFilm() {
        if (!app_.film) return;
        Status closed = app_.film->close();
        app_.say(closed ? "film written: " + app_.filmName : closed.error().text());
        app_.film.reset();
        app_.filmName.clear();
        app_.post([](Session& s) { s.film(false); });
    }

    // addToFilm adds the picture of the scene, without panels. H.264 needs an even width and height.
    void addToFilm() {
        app_.canvas.read(app_.image);
        render::Image& im = app_.image;
        const int w = im.width & ~1, h = im.height & ~1;
        if (w != im.width || h != im.height) {
            render::Image even{w, h, {}};
            for (int y = 0; y < h; ++y) {
                auto row = im.rgb.begin() + 3 * y * im.width;
                even.rgb.insert(even.rgb.end(), row, row + 3 * w);
            }
            im = std::move(even);
        }
        if (Status added = app_.film->add(im); !added) {
            endFilm();
            app_.say("the film ends here: " + added.error().text());
        }
    }

    void draw() {
        const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
        const int w = std::max(16, static_cast<int>(app_.picture.w * scale.x));
        const int h = std::max(16, static_cast<int>(app_.picture.h * scale.y));
        render::SceneView& view = app_.frame.view;
        const std::size_t lines = view.lines.size(), dots = view.dots.size(), labels = view.labels.size();
        addPull(app_);
        app_.canvas.resize(w, h);
        app_.draw.textScale = scale.x;
        app_.renderer.draw(view, app_.camera, app_.draw, w, h);
        app_.canvas.unbind();
        // The same Frame may be drawn again with another pull, so the lines, dots and labels of this pull are
        // removed.
        view.lines.resize(lines);
        view.dots.resize(dots);
        view.labels.resize(labels);
        const Rect& r = app_.picture;
        ImGui::GetBackgroundDrawList()->AddImage(
            reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(app_.canvas.texture())), {r.x, r.y},
            {r.x + r.w, r.y + r.h}, {0, 1}, {1, 0});
    }

    void panels() {
        drawToolbar(app_);
        drawBrowser(app_);
        drawInspector(app_);
        drawPlots(app_);
        drawStatus(app_);
        drawOverlay(app_);
        drawHelp(app_);
        app_.typing = ImGui::GetIO().WantTextInput;
        const std::vector<float> look = numbersOf(app_.look);
        if (look != look_) app_.post([o = app_.look](Session& s) { s.look(o); });
        look_ = look;
    }

    void shoot() {
        int w = 0, h = 0;
        app_.window.size(w, h);
        render::readPixels(w, h, app_.image);
        const std::string name = app_.shootAs.empty() ? freeName("png") : app_.shootAs;
        Status written = render::writePng(app_.image, name);
        app_.say(written ? "photo written: " + name : written.error().text());
        if (!written && !app_.shootAs.empty()) failed_ = written.error().text();
        app_.shoot = false;
    }

    void picture() {
        Picture times;
        times.whole = since(begun_);
        begun_ = Clock::now();
        app_.window.begin();
        layOut(app_, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y);
        if (fitLater_) beginView();
        fitLater_ = false;
        auto then = Clock::now();
        draw();
        times.draw = since(then);
        if (app_.film) addToFilm();
        then = Clock::now();
        panels();
        app_.window.end();
        times.panels = since(then);
        if (!options_.photo.empty() && drawn_ + 1 == options_.frames) {
            app_.shootAs = options_.photo;
            app_.shoot = true;
        }
        if (app_.shoot) shoot();
        then = Clock::now();
        app_.window.swap();
        times.swap = since(then);
        ++drawn_;
        app_.history.add(times);
        if (trace_) *trace_ << traceLine(app_, drawn_, times) << std::endl;
    }

    App& app_;
    const cli::ViewOptions& options_;
    std::ofstream file_;
    std::ostream* trace_ = nullptr;
    Clock::time_point begun_ = Clock::now();
    long long drawn_ = 0;
    bool news_ = false, calm_ = false, fitLater_ = false;
    std::vector<float> look_;
    std::string failed_; // error of the screenshot of --photo
};

// sceneFolder returns the folder of the browser: the given one, or scenes/ here, or the scenes of the source tree.
std::string sceneFolder(const std::string& given) {
    std::error_code ignored;
    if (!given.empty()) return given;
    return fs::is_directory("scenes", ignored) ? "scenes" : CAPSTAN_SCENES_DIR;
}

} // namespace

int view(const cli::ViewOptions& options) {
    const std::string folder = sceneFolder(options.scenes);
    const std::string scene = options.scene.empty() ? folder + "/tangle/three_dogs.json" : options.scene;
    std::error_code ignored;
    if (!fs::is_regular_file(scene, ignored)) return fail(scene + ": there is no such file");
    Result<Window> window = Window::open("Capstan", options.width, options.height, options.scale);
    if (!window) return fail(window.error().text());
    Result<render::Renderer> renderer = render::Renderer::create();
    if (!renderer) return fail(renderer.error().text());

    Wishes wishes;
    wishes.import.centerAtOrigin = !options.world.boxCenters;
    wishes.world = [w = options.world](WorldDef& def) {
        if (!w.backend.empty()) def.backend = w.backend == "scalar" ? Backend::Scalar : Backend::Simd;
        if (w.threads > 0) def.threads = w.threads;
        if (w.substeps > 0) def.substeps = w.substeps;
    };
    Session session(wishes);
    session.open(scene);
    session.play(!options.paused);
    session.tellWhereabouts(!options.trace.empty());
    Simulation simulation(std::move(session));
    App app(*window, simulation, *renderer);
    app.folder = folder;
    app.draw.quality = window->software() ? render::Quality::Low : render::Quality::High;
    if (!options.quality.empty())
        app.draw.quality = options.quality == "high" ? render::Quality::High : render::Quality::Low;
    listScenes(app);
    Loop loop(app, options);
    if (loop.badTrace()) return fail(options.trace + ": cannot be written");
    return loop.run();
}

void App::say(std::string text) {
    ownNotice = std::move(text);
    noticeAt = ImGui::GetTime();
}

void App::open(const std::string& file) {
    post([file](Session& s) { s.open(file); });
}

void App::fit(bool roomToFall) {
    const render::SceneView& v = frame.view;
    // An empty scene has no bounding box, so a default box is used.
    Vec3 lower = v.empty() ? Vec3{-1, 0, -1} : v.lower, upper = v.empty() ? Vec3{1, 2, 1} : v.upper;
    // An object that starts in the air will fall or swing by about its own size. So the box grows downwards, at most
    // to 0, where most scenes have their floor.
    if (roomToFall && lower.y > 0) {
        const Vec3 size = upper - lower;
        lower.y = std::max(0.0f, lower.y - std::max(0.0f, std::max(size.x, size.z) - size.y));
    }
    camera = render::Camera::framing(lower, upper, picture.w / std::max(1.0f, picture.h), camera.yaw,
                                     camera.pitch);
}

} // namespace capstan::viewer
