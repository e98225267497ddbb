// SPDX-License-Identifier: MIT
// A Simulation is a Session in a thread of its own. The window posts commands and takes the newest Frame. It never
// waits for a step, and a step never waits for the window or its screen.
//
// A Frame is made only when the window has taken the last one. So a slow window reduces the work of the simulation.
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

    void post(Command command); // executed between two steps, in order
    bool take(Frame& frame);    // swaps the newest Frame with `frame`; returns false if there is no newer one
    // takeAfter waits until all posted commands are executed and a Frame shows their result, then takes that Frame.
    // Films and tests use it.
    void takeAfter(Frame& frame);

private:
    void run();
    void attempt(const std::function<void()>& work);
    bool doCommands();
    void publish();
    void measureSpeed(double now);

    Session session_; // used by the thread only
    Frame back_;
    bool dirty_ = true;
    double speedSince_ = 0, timeThen_ = 0;
    float realSpeed_ = 0;

    std::mutex mutex_; // guards the members below
    std::condition_variable wake_, shown_;
    std::vector<Command> commands_;
    Frame ready_;
    bool fresh_ = false, stop_ = false;
    long long posted_ = 0, done_ = 0, told_ = 0; // commands: posted, executed, included in ready_

    std::thread thread_; // last member, since the thread uses all members above
};

} // namespace capstan::viewer
