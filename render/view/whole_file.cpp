// SPDX-License-Identifier: MIT
// This file implements whole_file.hpp. The signal handler may only call what POSIX lists as safe in it: kill, waitpid,
// unlink, write and _exit. So the paths stand in a fixed table, and not in strings.
#include <render/view/whole_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

namespace capstan::render {
namespace {

struct Slot {
    std::atomic<bool> taken{false}, ready{false};
    std::atomic<int> process{0};
    char path[PATH_MAX] = "";
};
constexpr int kSlots = 64; // files that are open at once; those beyond are not removed by a signal
Slot slots[kSlots];
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may only use atomics without locks");

int takeSlot(const std::string& path) {
    if (path.size() >= sizeof slots[0].path) return -1;
    for (int i = 0; i < kSlots; ++i) {
        if (slots[i].taken.exchange(true)) continue;
        std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
        slots[i].process = 0;
        slots[i].ready = true;
        return i;
    }
    return -1;
}

void say(const char* text) {
    const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
    static_cast<void>(ignored);
}

void stop(int) {
    bool some = false;
    for (Slot& s : slots) {
        if (!s.ready) continue;
        some = true;
        // ffmpeg could make the file anew after it was removed, so it ends first.
        if (const int process = s.process; process > 0) {
            ::kill(process, SIGKILL);
            ::waitpid(process, nullptr, 0);
        }
        ::unlink(s.path);
    }
    say(some ? "capstan: stopped by a signal, so what was being written was removed\n"
             : "capstan: stopped by a signal\n");
    ::_exit(1);
}

std::string reason(const char* what) {
    return errno == 0 ? what : std::string(what) + ": " + std::strerror(errno);
}

// Follows links, so that the file behind a link is replaced and not the link.
std::string targetOf(const std::string& file) {
    std::error_code failed;
    const std::filesystem::path target = std::filesystem::canonical(file, failed);
    return failed ? file : target.string();
}

} // namespace

Result<WholeFile> WholeFile::open(const std::string& file) {
    WholeFile f;
    f.asked_ = file;
    f.target_ = targetOf(file);
    errno = 0;
    struct stat there {};
    const bool old = ::stat(f.target_.c_str(), &there) == 0;
    if (old && S_ISDIR(there.st_mode)) errno = EISDIR;
    if (old && S_ISREG(there.st_mode) && ::access(f.target_.c_str(), W_OK) != 0) errno = EACCES;
    if (errno == EISDIR || errno == EACCES) return Error{reason("cannot be written"), file};
    const bool direct = old && !S_ISREG(there.st_mode);
    static std::atomic<int> serial{0};
    f.path_ = direct ? f.target_
                     : f.target_ + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(serial++);
    errno = 0;
    const int flags = O_WRONLY | O_CLOEXEC | (direct ? 0 : O_CREAT | O_EXCL);
    const int handle = ::open(f.path_.c_str(), flags, 0666);
    if (handle < 0) return Error{reason("cannot be written"), file};
    if (!direct) f.slot_ = takeSlot(f.path_);
    if (old && !direct) static_cast<void>(::fchmod(handle, there.st_mode & 07777));
    f.file_ = ::fdopen(handle, "wb");
    if (f.file_) return f;
    ::close(handle);
    if (!direct) ::unlink(f.path_.c_str());
    return Error{reason("cannot be written"), file};
}

Status WholeFile::check(const std::string& file) {
    Result<WholeFile> opened = open(file);
    return opened ? done() : Status(opened.error());
}

WholeFile::~WholeFile() {
    if (!file_) return;
    std::fclose(file_);
    if (path_ != target_) ::unlink(path_.c_str());
    forget();
}

WholeFile::WholeFile(WholeFile&& o) noexcept
    : asked_(std::move(o.asked_)), path_(std::move(o.path_)), target_(std::move(o.target_)),
      file_(std::exchange(o.file_, nullptr)), slot_(std::exchange(o.slot_, -1)) {}

WholeFile& WholeFile::operator=(WholeFile&& o) noexcept {
    std::swap(asked_, o.asked_);
    std::swap(path_, o.path_);
    std::swap(target_, o.target_);
    std::swap(file_, o.file_);
    std::swap(slot_, o.slot_);
    return *this;
}

void WholeFile::forget() {
    if (slot_ < 0) return;
    slots[slot_].ready = false;
    slots[slot_].taken = false;
    slot_ = -1;
}

void WholeFile::writtenBy(int process) {
    if (slot_ >= 0) slots[slot_].process = process;
}

// The file is removed at once. errno says why, if it is not 0.
Status WholeFile::failed(const char* what) {
    const Error error{reason(what) + "; its place was left as it was", asked_};
    std::fclose(std::exchange(file_, nullptr));
    if (path_ != target_) ::unlink(path_.c_str());
    forget();
    return error;
}

Status WholeFile::write(std::string_view bytes) {
    if (!file_) return Error{"the file is closed already", asked_};
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return done();
    return failed("not all of it could be written");
}

Status WholeFile::close() {
    if (!file_) return Error{"the file is closed already", asked_};
    errno = 0;
    if (std::fflush(file_) != 0) return failed("not all of it could be written");
    // Without this, a power cut after the move could leave an empty file. A pipe cannot do it and need not.
    const bool direct = path_ == target_;
    if (!direct && ::fsync(::fileno(file_)) != 0) return failed("not all of it could be written");
    if (!direct && ::rename(path_.c_str(), target_.c_str()) != 0)
        return failed("cannot be moved to its place");
    const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
    forget();
    if (!closed) return Error{reason("not all of it could be written"), asked_};
    return done();
}

void stopWhole() {
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {
        }, now{};
        if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        now.sa_handler = stop;
        ::sigfillset(&now.sa_mask);
        ::sigaction(signal, &now, nullptr);
    }
    std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace capstan::render
