// SPDX-License-Identifier: MIT
#include <apps/fuzz/child.hpp>

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <new>
#include <stdexcept>

namespace capstan::fuzz {
namespace {

constexpr char kMark = '\x01'; // between what the child wrote to stderr and what its task returned

void limit(int what, rlim_t soft, rlim_t hard) {
    const rlimit both = {soft, hard};
    setrlimit(what, &both);
}

void setLimits(const Limits& limits) {
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_CPU, rlim_t(limits.seconds), rlim_t(limits.seconds) + 5);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlim_t bytes = rlim_t(limits.megabytes) << 20;
    limit(RLIMIT_AS, bytes, bytes);
#endif
}

void writeAll(int to, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = write(to, text.data() + done, text.size() - done);
        if (n <= 0) _exit(3);
        done += std::size_t(n);
    }
}

constexpr int kNoMemory = 42; // exit code of a child that found no memory

[[noreturn]] void live(int pipe, const Limits& limits, const std::function<std::string()>& task) {
    dup2(pipe, STDERR_FILENO);
    setLimits(limits);
    int code = 0;
    try {
        const std::string result = task();
        std::fflush(stderr);
        writeAll(pipe, kMark + result);
    } catch (const std::bad_alloc&) {
        code = kNoMemory;
    } catch (const std::exception& error) {
        writeAll(pipe, std::string("exception: ") + error.what() + "\n");
        code = 3;
    }
    _exit(code);
}

std::string howEnded(int status) {
    if (WIFSIGNALED(status)) {
        if (WTERMSIG(status) == SIGXCPU) return "hang";
        return "signal " + std::to_string(WTERMSIG(status));
    }
    const int code = WEXITSTATUS(status);
    return code == kNoMemory ? "memory" : "exit code " + std::to_string(code);
}

} // namespace

double clockSeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Children::~Children() {
    for (const Child& c : children_) {
        kill(c.process, SIGKILL);
        waitpid(c.process, nullptr, 0);
        close(c.pipe);
    }
}

void Children::start(int number, const std::function<std::string()>& task) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe to a child process could be made");
    std::fflush(nullptr);
    const int process = fork();
    if (process < 0) throw std::runtime_error("no child process could be made");
    if (process == 0) {
        close(ends[0]);
        live(ends[1], limits_, task);
    }
    close(ends[1]);
    children_.push_back({number, process, ends[0], clockSeconds(), false, {}});
}

// Reads what is there, and ends those that are over their time by the clock.
void Children::listen() {
    std::vector<pollfd> all;
    for (const Child& c : children_) all.push_back({c.pipe, POLLIN, 0});
    poll(all.data(), all.size(), 1000);
    for (Child& c : children_) {
        if (c.killed || clockSeconds() - c.begun < 3.0 * limits_.seconds) continue;
        kill(c.process, SIGKILL);
        c.killed = true;
    }
}

Ending Children::wait() {
    for (;;) {
        listen();
        for (std::size_t i = 0; i < children_.size(); ++i) {
            Child& c = children_[i];
            pollfd one = {c.pipe, POLLIN, 0};
            if (poll(&one, 1, 0) <= 0) continue;
            char buffer[4096];
            const ssize_t n = read(c.pipe, buffer, sizeof buffer);
            if (n > 0) {
                c.heard.append(buffer, std::size_t(n));
                continue;
            }
            int status = 0;
            rusage used{};
            wait4(c.process, &status, 0, &used);
            close(c.pipe);
            Ending e;
            e.number = c.number;
            const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
            e.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
            e.kilobytes = used.ru_maxrss;
            const std::size_t mark = c.heard.find(kMark);
            e.returned = mark != std::string::npos && WIFEXITED(status) && WEXITSTATUS(status) == 0;
            e.errors = c.heard.substr(0, mark);
            if (e.returned) e.text = c.heard.substr(mark + 1);
            if (!e.returned) e.how = c.killed ? "hang" : howEnded(status);
            children_.erase(children_.begin() + std::ptrdiff_t(i));
            return e;
        }
    }
}

Ending runAlone(const std::function<std::string()>& task, Limits limits) {
    Children one(limits);
    one.start(0, task);
    return one.wait();
}

} // namespace capstan::fuzz
