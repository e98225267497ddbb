// SPDX-License-Identifier: MIT
// Child: a task in a process of its own. So a crash, an abort or a loop without end is a result like any other.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace capstan::fuzz {

double clockSeconds();

struct Limits {
    int seconds = 120;     // of the processor; by the clock three times as many
    long megabytes = 2000; // of address space; not under a sanitizer, which reserves terabytes
};

// Ending: what a task returned, or how it ended in place of that.
struct Ending {
    int number = 0; // of the task
    bool returned = false;
    std::string text;   // its result
    std::string errors; // all that it wrote to stderr
    std::string how;    // "signal 11", "exit code 1", "hang"; empty if it returned
    double seconds = 0; // of the processor, which other programs do not change
    long kilobytes = 0; // largest memory
};

// Children runs tasks beside each other.
class Children {
public:
    explicit Children(Limits limits = {}) : limits_(limits) {}
    ~Children(); // ends those that still run
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;

    void start(int number, const std::function<std::string()>& task);
    int running() const { return int(children_.size()); }
    Ending wait(); // for the next one that ends; there must be one

private:
    struct Child {
        int number = 0, process = 0, pipe = 0;
        double begun = 0;
        bool killed = false;
        std::string heard;
    };
    void listen();
    Limits limits_;
    std::vector<Child> children_;
};

// Runs one task and waits for it.
Ending runAlone(const std::function<std::string()>& task, Limits limits = {});

} // namespace capstan::fuzz
