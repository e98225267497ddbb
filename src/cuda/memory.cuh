// SPDX-License-Identifier: MIT
// Memory of a GPU, and Errors made from CUDA's error codes.
#pragma once

#include <capstan/result.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace capstan {

// Returns an Error if e is one. `doing` says what failed.
inline Status check(cudaError_t e, const char* doing) {
    if (e == cudaSuccess) return done();
    return Error{std::string("CUDA: ") + doing + ": " + cudaGetErrorString(e), ""};
}

// The memory that a World may use and does use on the GPU.
struct DeviceBudget {
    std::size_t limit = 0, taken = 0; // bytes; limit 0: all memory of the GPU
};

// Measures the time between two events on the GPU.
struct DeviceClock {
    cudaEvent_t begin = nullptr, end = nullptr;
    float seconds() const { // must be called after the stream is synchronised
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        return 1e-3f * ms;
    }
};

// An array on the GPU. It never shrinks, and it loses its content when it grows.
template <class T> class DeviceArray {
public:
    DeviceArray() = default;
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { drop(); }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }

    // Resizes the array to n elements.
    Status fit(std::size_t n, DeviceBudget& budget) {
        size_ = n;
        if (n <= room_) return done();
        drop();
        const std::size_t bytes = n * sizeof(T);
        const bool over = budget.limit > 0 && budget.taken + bytes > budget.limit;
        if (over || cudaMalloc(&data_, bytes) != cudaSuccess) {
            cudaGetLastError(); // clears the error, so that the next check does not report it
            data_ = nullptr;
            size_ = 0;
            std::size_t free = 0, all = 0;
            cudaMemGetInfo(&free, &all);
            auto mega = [](std::size_t b) { return std::to_string(b / 1000000) + " MB"; };
            return Error{
                "out of device memory: " + mega(bytes) + " more are needed, this world has " +
                    mega(budget.taken) + ", " +
                    (over ? "and may take " + mega(budget.limit) : "and " + mega(free) + " are free"),
                "/deviceMemory"};
        }
        room_ = n;
        budget_ = &budget;
        budget.taken += bytes;
        return done();
    }
    Status put(const T* from, std::size_t n, DeviceBudget& budget, cudaStream_t stream) {
        if (Status s = fit(n, budget); !s) return s;
        return check(cudaMemcpyAsync(data_, from, n * sizeof(T), cudaMemcpyHostToDevice, stream),
                     "copying to the GPU");
    }
    Status put(const std::vector<T>& from, DeviceBudget& budget, cudaStream_t stream) {
        return put(from.data(), from.size(), budget, stream);
    }
    Status get(T* to, std::size_t n, cudaStream_t stream) const {
        return check(cudaMemcpyAsync(to, data_, n * sizeof(T), cudaMemcpyDeviceToHost, stream),
                     "copying from the GPU");
    }

private:
    void drop() {
        cudaFree(data_);
        if (budget_) budget_->taken -= room_ * sizeof(T);
        data_ = nullptr;
        room_ = 0;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
    DeviceBudget* budget_ = nullptr; // must outlive the array
};

// Page-locked memory of the host, which a GPU reads and writes directly.
template <class T> class PinnedArray {
public:
    PinnedArray() = default;
    PinnedArray(const PinnedArray&) = delete;
    PinnedArray& operator=(const PinnedArray&) = delete;
    ~PinnedArray() { cudaFreeHost(data_); }
    T* data() const { return data_; }
    T& operator[](std::size_t i) const { return data_[i]; }
    Status fit(std::size_t n) {
        if (n <= room_) return done();
        cudaFreeHost(data_);
        data_ = nullptr;
        room_ = 0;
        if (Status s = check(cudaMallocHost(&data_, n * sizeof(T)), "allocating pinned memory"); !s) return s;
        room_ = n;
        return done();
    }

private:
    T* data_ = nullptr;
    std::size_t room_ = 0;
};

// Writes a small result into page-locked memory with a kernel. The copy engine would take 8 us longer, and would
// sometimes delay the preceding event, too.
template <class T> __global__ void copyToHost(const T* from, T* to) { *to = *from; }
template <class T>
Status requestResults(const DeviceArray<T>& from, const PinnedArray<T>& to, cudaStream_t stream) {
    copyToHost<<<1, 1, 0, stream>>>(from.data(), to.data());
    return check(cudaGetLastError(), "asking the GPU");
}

} // namespace capstan
