// SPDX-License-Identifier: MIT
// This file draws stills and films of a run off screen.
#ifdef CAPSTAN_HAVE_RENDER
#include <apps/capstan/commands/output.hpp>

#include <fmt/format.h>
#include <render/film/film.hpp>
#include <render/film/image.hpp>
#include <render/gl/offscreen.hpp>
#include <render/gl/renderer.hpp>
#include <render/view/collect.hpp>
#include <render/view/whole_file.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace capstan::cli {
namespace {

using namespace capstan::render;

constexpr int kLookAhead = 3600; // most frames of the run that automatic framing simulates in advance

struct Size {
    int width = 0, height = 0;
};

Result<Size> parseSize(const std::string& text) {
    Size s;
    char end = 0;
    if (std::sscanf(text.c_str(), "%6dx%6d%c", &s.width, &s.height, &end) != 2 || s.width < 16 ||
        s.height < 16 || s.width > kLargestSide || s.height > kLargestSide)
        return Error{fmt::format("size: must be like 1280x720, with sides of 16 to {} pixels, got \"{}\"",
                                 kLargestSide, text),
                     "--size"};
    return s;
}

Result<Camera> parseCamera(const std::string& text) {
    Vec3 e, t;
    char end = 0;
    const bool six =
        std::sscanf(text.c_str(), "%f,%f,%f,%f,%f,%f%c", &e.x, &e.y, &e.z, &t.x, &t.y, &t.z, &end) == 6;
    if (!six || !(lengthSquared(e) < 1e12f) || !(lengthSquared(t) < 1e12f) || !(length(e - t) > 1e-3f))
        return Error{
            "camera: must be six numbers like 3,2,5,0,1,0, the eye and another point as the target, got \"" +
                text + "\"",
            "--camera"};
    return Camera::at(e, t);
}

Heat heatOf(const std::string& word) {
    return word == "tension"   ? Heat::Tension
           : word == "stretch" ? Heat::Stretch
           : word == "force"   ? Heat::ContactForce
                               : Heat::None;
}

// lookAhead computes the bounding box of the whole run from a second simulation of the scene, which costs little
// compared with drawing. An object that flies or falls away extends the box by at most the size of the scene.
void lookAhead(const Playback& start, Vec3& lower, Vec3& upper) {
    Result<Playback> again = Playback::start(start.scene());
    if (!again) return;
    Collector collector;
    SceneView view;
    const Vec3 first = lower, last = upper;
    const float r = 0.75f * length(upper - lower);
    for (int i = 0; i < kLookAhead && !again->done(); ++i) {
        again->frame();
        if (i % 6 != 0) continue;
        collector.collect(*again, view);
        lower = min(lower, view.lower);
        upper = max(upper, view.upper);
    }
    lower = max(lower, first - Vec3{r, r, r});
    upper = min(upper, last + Vec3{r, r, r});
}

// A Studio holds the GL context, the renderer and the view. Members are destroyed from the last to the first, so the
// renderer goes before its context.
struct Studio {
    Offscreen screen;
    Renderer renderer;
    Collector collector;
    SceneView view;
    CollectOptions collect;
    DrawOptions draw;
    Camera camera;
    bool framed = false; // true: the camera is final
    Image image;

    static Result<Studio> open(const PictureOptions& options, const Playback& start, bool film);
    const Image& take(const Playback& now);
};

Result<Studio> Studio::open(const PictureOptions& options, const Playback& start, bool film) {
    const Result<Size> size = parseSize(options.size);
    if (!size) return size.error();
    std::optional<Camera> camera;
    if (!options.camera.empty()) {
        const Result<Camera> parsed = parseCamera(options.camera);
        if (!parsed) return parsed.error();
        camera = *parsed;
    } else if (const auto& c = start.scene().camera) {
        camera = Camera::at(c->eye, c->target, c->fieldOfView);
    }
    SceneView view;
    Collector().collect(start, view);
    if (view.empty())
        return Error{"a picture needs an object, and the scene has no rope, body, cloth, hair or leash", ""};
    Result<Offscreen> screen = Offscreen::create(size->width, size->height);
    if (!screen) return screen.error();
    Result<Renderer> renderer = Renderer::create();
    if (!renderer) return renderer.error();
    Studio s{std::move(*screen), std::move(*renderer), {}, {}, {}, {}, {}, false, {}};
    s.draw.quality = options.quality == "low" ? Quality::Low : Quality::High;
    s.draw.textScale = size->height >= 1000 ? 3.0f : size->height >= 480 ? 2.0f : 1.0f;
    s.collect.heat = heatOf(options.heat);
    if (options.debug) {
        DebugDrawOptions& d = s.collect.debug;
        d.jointFrames = d.jointLimits = d.contacts = d.tangles = d.nodes = true;
    }
    if (camera) {
        s.camera = *camera;
        s.framed = true;
    } else if (film) {
        Vec3 lower = view.lower, upper = view.upper;
        lookAhead(start, lower, upper);
        s.camera = Camera::framing(lower, upper, float(size->width) / float(size->height));
        s.framed = true;
    }
    return s;
}

const Image& Studio::take(const Playback& now) {
    const int w = screen.width(), h = screen.height();
    collector.collect(now, view, collect);
    if (!framed) camera = Camera::framing(view.lower, view.upper, float(w) / float(h));
    if (const LeashWalk* walk = now.leash()) {
        draw.caption =
            fmt::format("{:5.1f} s   {} tangle{}\nbraid {}", now.summary().time, walk->tangles().count(),
                        walk->tangles().count() == 1 ? "" : "s", formatBraid(walk->word()));
    }
    screen.bind();
    renderer.draw(view, camera, draw, w, h);
    readPixels(w, h, image);
    return image;
}

class Picture : public Output {
public:
    Picture(std::string file, Studio studio, double at)
        : file_(std::move(file)), studio_(std::move(studio)), at_(at) {}
    ~Picture() override { studio_.screen.bind(); } // GL objects must be destroyed in their own context

    // The collector must see every frame, because headings of dogs and heat scales depend on earlier frames. Only one
    // frame is drawn.
    Status add(const Playback& now) override {
        if (taken_ || now.summary().time + 1e-6 < at_ - 2) return done();
        const bool due = at_ >= 0 ? now.summary().time + 1e-6 >= at_ : now.done();
        if (!due) {
            studio_.collector.collect(now, studio_.view, studio_.collect);
            return done();
        }
        taken_ = true;
        return writePng(studio_.take(now), file_);
    }
    Status close() override { return done(); }

private:
    std::string file_;
    Studio studio_;
    double at_;
    bool taken_ = false;
};

class Filming : public Output {
public:
    Filming(Studio studio, Film film, float fps)
        : studio_(std::move(studio)), film_(std::move(film)), shutter_(fps) {}
    ~Filming() override { studio_.screen.bind(); }
    Status add(const Playback& now) override {
        const int due = shutter_.due(now.summary().time);
        if (due == 0) return done();
        const Image& image = studio_.take(now);
        for (int i = 0; i < due; ++i)
            if (Status s = film_.add(image); !s) return s;
        return done();
    }
    Status close() override { return film_.close(); }

private:
    Studio studio_;
    Film film_;
    Shutter shutter_;
};

} // namespace

Result<std::unique_ptr<Output>> openPicture(const std::string& file, const PictureOptions& options,
                                            const Playback& start) {
    const double end = start.scene().frames / static_cast<double>(start.scene().rate);
    if (static_cast<double>(options.at) > end + 1e-6)
        return Error{fmt::format("the run ends at {:.6g} s, before {:.6g} s", end, options.at), "--at"};
    Result<Studio> studio = Studio::open(options, start, false);
    if (!studio) return studio.error();
    return std::unique_ptr<Output>(
        std::make_unique<Picture>(file, std::move(*studio), static_cast<double>(options.at)));
}

Result<std::unique_ptr<Output>> openFilm(const std::string& file, const PictureOptions& options,
                                         const Playback& start) {
    const Result<Size> size = parseSize(options.size);
    if (!size) return size.error();
    Result<Film> film = Film::open(file, size->width, size->height, options.fps);
    if (!film) return film.error();
    Result<Studio> studio = Studio::open(options, start, true);
    if (!studio) return studio.error();
    return std::unique_ptr<Output>(
        std::make_unique<Filming>(std::move(*studio), std::move(*film), options.fps));
}

} // namespace capstan::cli

#endif // CAPSTAN_HAVE_RENDER
