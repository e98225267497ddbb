// SPDX-License-Identifier: MIT
// This file implements output.hpp.
#include <apps/capstan/commands/output.hpp>

#include <apps/capstan/commands/csv.hpp>

#include <filesystem>
#include <utility>

namespace capstan::cli {
namespace {

class Table : public Output {
public:
    explicit Table(CsvWriter csv) : csv_(std::move(csv)) {}
    Status add(const Playback& now) override { return csv_.write(now); }
    Status close() override { return csv_.close(); }

private:
    CsvWriter csv_;
};

Result<std::unique_ptr<Output>> openTable(const std::string& file, const Playback& start) {
    const World& world = start.world();
    Result<CsvWriter> csv = CsvWriter::open(file, !world.ids<BodyId>().empty(),
                                            !world.ids<ClothId>().empty() || !world.ids<HairId>().empty());
    if (!csv) return csv.error();
    return std::unique_ptr<Output>(std::make_unique<Table>(std::move(*csv)));
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

Status checkPlaces(const RunOptions& options) {
    for (const std::string& file : options.out)
        if (Status s = render::WholeFile::check(file); !s) return s;
    return done();
}

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
