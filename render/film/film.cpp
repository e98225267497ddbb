// SPDX-License-Identifier: MIT
// This file implements film.hpp. ffmpeg runs as a separate process and reads from a socket. A pipe was refused: if the
// reader has ended, a write raises a signal. On a socket the write can return an error.
#include <render/film/film.hpp>

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

extern char** environ; // environment variables (POSIX)

namespace capstan::render {
namespace {

std::string firstLine(std::FILE* log) {
    char line[300] = "";
    std::rewind(log);
    if (!std::fgets(line, sizeof line, log)) return "ffmpeg gave no reason";
    line[std::strcspn(line, "\n")] = 0;
    return line;
}

} // namespace

Film::Film(Film&& o) noexcept
    : file_(std::move(o.file_)), whole_(std::exchange(o.whole_, {})), log_(std::exchange(o.log_, nullptr)),
      pipe_(std::exchange(o.pipe_, -1)), child_(std::exchange(o.child_, -1)) {}

Film& Film::operator=(Film&& o) noexcept {
    std::swap(file_, o.file_);
    std::swap(whole_, o.whole_);
    std::swap(log_, o.log_);
    std::swap(pipe_, o.pipe_);
    std::swap(child_, o.child_);
    return *this;
}

Film::~Film() {
    wait();
    if (log_) std::fclose(log_);
}

int Film::wait() {
    int status = 0;
    if (pipe_ >= 0) ::close(std::exchange(pipe_, -1));
    if (child_ > 0)
        while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
        }
    child_ = -1;
    if (whole_) whole_->writtenBy(0);
    return status;
}

Result<Film> Film::open(const std::string& file, int width, int height, float fps) {
    if (width % 2 != 0 || height % 2 != 0)
        return Error{"width and height of a film must be even, got " + std::to_string(width) + "x" +
                         std::to_string(height),
                     file};
    Result<WholeFile> whole = WholeFile::open(file);
    if (!whole) return whole.error();
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return Error{std::string("ffmpeg cannot be started: ") + std::strerror(errno), file};
    Film film;
    film.file_ = file;
    film.whole_.emplace(std::move(*whole));
    film.pipe_ = ends[0];
    film.log_ = std::tmpfile();
    const std::string size = std::to_string(width) + "x" + std::to_string(height), rate = std::to_string(fps),
                      out = "file:" + film.whole_->path();
    std::vector<const char*> words = {
        "ffmpeg",     "-y",         "-loglevel", "error",      "-f",   "rawvideo", "-pix_fmt", "rgb24",
        "-s",         size.c_str(), "-r",        rate.c_str(), "-i",   "-",        "-an",      "-c:v",
        "libx264",    "-preset",    "veryfast",  "-crf",       "20",   "-pix_fmt", "yuv420p",  "-movflags",
        "+faststart", "-f",         "mp4",       out.c_str(),  nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    if (film.log_) posix_spawn_file_actions_adddup2(&actions, fileno(film.log_), STDERR_FILENO);
    const int failed =
        posix_spawnp(&film.child_, "ffmpeg", &actions, nullptr, const_cast<char**>(words.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failed != 0) {
        film.child_ = -1;
        return Error{std::string("films need ffmpeg, which does not start (") + std::strerror(failed) +
                         "): install ffmpeg (Debian)",
                     file};
    }
    film.whole_->writtenBy(film.child_);
    return film;
}

Status Film::add(const Image& image) {
    const std::uint8_t* at = image.rgb.data();
    for (std::size_t left = image.rgb.size(); left > 0;) {
        const ssize_t sent = send(pipe_, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) { // ffmpeg has ended; its log may give the reason
            Status end = close();
            return end ? Status(Error{"ffmpeg stopped too early", file_}) : end;
        }
        at += sent;
        left -= std::size_t(sent);
    }
    return done();
}

Status Film::close() {
    if (pipe_ < 0) return Error{"the film is closed already", file_};
    const int status = wait();
    // ffmpeg 5.1 exits with 0 after "Error writing trailer", on a disk that became full at the end. It prints errors only.
    const bool silent = log_ && std::fseek(log_, 0, SEEK_END) == 0 && std::ftell(log_) == 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && (silent || !log_)) return whole_->close();
    whole_.reset(); // removes what there is of it
    return Error{"ffmpeg could not write the film: " + (log_ ? firstLine(log_) : std::string()), file_};
}

} // namespace capstan::render
