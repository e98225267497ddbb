// SPDX-License-Identifier: MIT
// This file implements simulation.hpp.
#include <apps/viewer/session/simulation.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace capstan::viewer {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr double kLookEvery = 0.3; // s between checks of the scene's file

double now() { return std::chrono::duration<double>(SteadyClock::now().time_since_epoch()).count(); }

} // namespace

Simulation::Simulation(Session session) : session_(std::move(session)), thread_([this] { run(); }) {}

Simulation::~Simulation() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void Simulation::post(Command command) {
    {
        std::lock_guard lock(mutex_);
        commands_.push_back(std::move(command));
        ++posted_;
    }
    wake_.notify_all();
}

bool Simulation::take(Frame& frame) {
    {
        std::lock_guard lock(mutex_);
        if (!fresh_) return false;
        std::swap(frame, ready_);
        fresh_ = false;
    }
    wake_.notify_all();
    return true;
}

void Simulation::takeAfter(Frame& frame) {
    post([](Session&) {}); // an empty command, so that a new Frame is made
    std::unique_lock lock(mutex_);
    const long long until = posted_;
    std::vector<Sample> samples; // kept when a Frame is skipped
    const auto keep = [&] { samples.insert(samples.end(), ready_.samples.begin(), ready_.samples.end()); };
    if (fresh_) keep();
    do {
        fresh_ = false; // the Frame in ready_ is outdated
        wake_.notify_all();
        shown_.wait(lock, [&] { return fresh_; });
        keep();
    } while (told_ < until);
    std::swap(frame, ready_);
    frame.samples = std::move(samples);
    fresh_ = false;
    wake_.notify_all();
}

// An exception of a thread would end the program. Most of them say that memory has run out.
void Simulation::attempt(const std::function<void()>& work) {
    try {
        work();
    } catch (const std::exception& error) {
        session_.play(false);
        session_.say(error.what());
    }
}

bool Simulation::doCommands() {
    std::vector<Command> commands;
    {
        std::lock_guard lock(mutex_);
        commands.swap(commands_);
    }
    for (Command& c : commands) attempt([&] { c(session_); });
    done_ += static_cast<long long>(commands.size());
    return !commands.empty();
}

// publish swaps the finished Frame into ready_ if the window has taken the previous one.
void Simulation::publish() {
    {
        std::lock_guard lock(mutex_);
        if (fresh_) return;
    }
    session_.show(back_);
    back_.realSpeed = realSpeed_;
    {
        std::lock_guard lock(mutex_);
        std::swap(back_, ready_);
        fresh_ = true;
        told_ = done_;
    }
    dirty_ = false;
    shown_.notify_all();
}

void Simulation::measureSpeed(double t) {
    const double time = session_.playback() ? session_.playback()->world().time() : 0;
    if (t - speedSince_ < 0.5) return;
    const double passed = time - timeThen_;
    realSpeed_ = passed >= 0 ? static_cast<float>(passed / (t - speedSince_)) : 0.0f;
    speedSince_ = t;
    timeThen_ = time;
}

void Simulation::run() {
    double before = now(), looked = before;
    for (;;) {
        dirty_ = doCommands() || dirty_;
        const double t = now();
        const int steps = session_.due(t - before);
        before = t;
        for (int i = 0; i < steps; ++i) {
            attempt([&] { session_.step(); });
            dirty_ = true;
            if (i + 1 < steps) doCommands();
        }
        measureSpeed(now());
        if (t - looked > kLookEvery) {
            looked = t;
            dirty_ = session_.reloadIfChanged() || dirty_;
        }
        if (dirty_) publish();
        std::unique_lock lock(mutex_);
        auto called = [&] { return stop_ || !commands_.empty() || (dirty_ && !fresh_); };
        const double wait = std::min(session_.untilNext() - (now() - before), kLookEvery);
        if (wait > 0) wake_.wait_for(lock, std::chrono::duration<double>(wait), called);
        if (stop_) return;
    }
}

} // namespace capstan::viewer
