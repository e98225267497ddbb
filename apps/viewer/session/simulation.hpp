// SPDX-License-Identifier: MIT
// Simulation: a Session on a thread of its own. The window posts what shall be done and takes the newest Frame; it never
// waits for a step, and a step never waits for the window or its screen.
//
// A Frame is made only when the one before was taken, so a slow window costs the simulation less, not more.
#pragma once

#include <apps/viewer/session/session.hpp>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace capstan::viewer {

class Simulation {
public:
    using Command = std::function<void(Session&)>;

    explicit Simulation(Session session);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    void post(Command command); // done between two steps, in order
    bool take(Frame& frame);    // swaps with the newest; false when there is none since the last
    // Waits until all that was posted so far is done and shown, then takes. For films and tests.
    void takeAfter(Frame& frame);

private:
    void run();
    bool doCommands();
    void publish();
    void measureSpeed(double now);

    Session session_; // of the thread
    Frame back_;
    bool dirty_ = true;
    double speedSince_ = 0, timeThen_ = 0;
    float realSpeed_ = 0;

    std::mutex mutex_; // guards what follows
    std::condition_variable wake_, shown_;
    std::vector<Command> commands_;
    Frame ready_;
    bool fresh_ = false, stop_ = false;
    long long posted_ = 0, done_ = 0, told_ = 0; // commands; told_: shown in ready_

    std::thread thread_; // last: it uses all of the above
};

} // namespace capstan::viewer
