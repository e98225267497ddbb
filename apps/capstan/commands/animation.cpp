// SPDX-License-Identifier: MIT
// This output writes the animated scene of a run as a glTF file.
#include <apps/capstan/commands/output.hpp>

#include <render/view/collect.hpp>
#include <render/view/glb.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace capstan::cli {
namespace {

class Animation : public Output {
public:
    Animation(std::string file, float fps) : file_(std::move(file)), shutter_(fps) {}
    Status add(const Playback& now) override {
        if (shutter_.due(now.summary().time) == 0) return done();
        collector_.collect(now, view_);
        return glb_.add(view_, now.summary().time);
    }
    Status close() override {
        if (Status written = glb_.write(file_); !written) return written;
        if (glb_.thin() > 1)
            fmt::print(stderr, "note: {}: the ropes have more than {} nodes: one in {:.1f} was written\n",
                       file_, render::kMostJoints, glb_.thin());
        return done();
    }

private:
    std::string file_;
    Shutter shutter_;
    render::Collector collector_;
    render::SceneView view_;
    render::Glb glb_;
};

} // namespace

Result<std::unique_ptr<Output>> openAnimation(const std::string& file, const PictureOptions& options) {
    return std::unique_ptr<Output>(std::make_unique<Animation>(file, options.fps));
}

} // namespace capstan::cli
