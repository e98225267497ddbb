// SPDX-License-Identifier: MIT
// A WholeFile is whole or absent: it is written beside its place, under another name, and moved there when it is
// complete. A file that fails, or is not closed, is removed. One that was at its place before stays
// as it was.
//
// POSIX rename() replaces a file in one piece where both names are in one folder. A signal that ends the program is
// caught, because destructors do not run then (stopWhole). Only SIGKILL and a power cut leave NAME.part-PID behind.
#pragma once

#include <capstan/result.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace capstan::render {

class WholeFile {
public:
    // A place that is there and is no regular file (a pipe, a device) is written directly.
    static Result<WholeFile> open(const std::string& file);
    // check says whether open() would work, before the work that fills the file. It leaves nothing behind.
    static Status check(const std::string& file);
    ~WholeFile();
    WholeFile(WholeFile&& other) noexcept;
    WholeFile& operator=(WholeFile&& other) noexcept;
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    Status write(std::string_view bytes);
    Status close(); // moves it to its place

    // For another process that writes the file: where it writes, and which process ends with the file.
    const std::string& path() const { return path_; }
    void writtenBy(int process);

private:
    WholeFile() = default;
    Status failed(const char* what);
    void forget();

    std::string asked_, path_; // as the user wrote it; where the bytes go
    std::string target_;       // the place with its links followed
    std::FILE* file_ = nullptr;
    int slot_ = -1; // in the list that the signal handler reads; -1: nothing to remove
};

// stopWhole makes SIGINT, SIGTERM and SIGHUP remove all that is incomplete, say so, and exit with 1. A write beyond a
// limit of size becomes an error in place of a signal. A signal that is ignored stays ignored.
void stopWhole();

} // namespace capstan::render
