// SPDX-License-Identifier: MIT
// This file implements output.hpp.
#include <apps/capstan/commands/output.hpp>

#include <apps/capstan/commands/csv.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace capstan::cli {
namespace {

class Table : public Output {
public:
    Table(const std::string& file, bool bodies, bool soft) : file_(file), csv_(file, bodies, soft) {}
    bool open() const { return csv_.open(); }
    Status add(const Playback& now) override {
        csv_.write(now);
        return done();
    }
    Status close() override {
        if (!csv_.close()) return Error{"the file could not be written to its end", file_};
        return done();
    }

private:
    std::string file_;
    CsvWriter csv_;
};

Result<std::unique_ptr<Output>> openTable(const std::string& file, const Playback& start) {
    const World& world = start.world();
    auto table = std::make_unique<Table>(file, !world.ids<BodyId>().empty(),
                                         !world.ids<ClothId>().empty() || !world.ids<HairId>().empty());
    if (!table->open()) return Error{std::string("cannot be written: ") + std::strerror(errno), file};
    return std::unique_ptr<Output>(std::move(table));
}

Result<std::unique_ptr<Output>> openOutput(const std::string& file, const RunOptions& options,
                                           const Playback& start) {
    const std::string extension = std::filesystem::path(file).extension().string();
    if (extension == ".csv") return openTable(file, start);
    if (extension == ".glb") return openAnimation(file, options.picture);
    if (extension == ".png" || extension == ".mp4") {
#ifdef CAPSTAN_HAVE_RENDER
        return extension == ".png" ? openPicture(file, options.picture, start)
                                   : openFilm(file, options.picture, start);
#else
        return Error{"this build has no renderer: install libegl-dev, libgles-dev and libstb-dev (Debian) "
                     "and build again",
                     file};
#endif
    }
    return Error{(extension.empty() ? "a file without an extension" : extension + " files") +
                     std::string(" cannot be written; supported are .png, .mp4, .glb and .csv"),
                 file};
}

} // namespace

Result<std::vector<std::unique_ptr<Output>>> openOutputs(const RunOptions& options, const Playback& start) {
    std::vector<std::unique_ptr<Output>> all;
    for (const std::string& file : options.out) {
        Result<std::unique_ptr<Output>> one = openOutput(file, options, start);
        if (!one) return one.error();
        all.push_back(std::move(*one));
    }
    return all;
}

} // namespace capstan::cli
