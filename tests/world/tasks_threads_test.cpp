// SPDX-License-Identifier: MIT
// Tests that the job system of a host, and a pool that several worlds share, give the bits of a world's own threads.
// The test also runs under the thread sanitizer.
#include "worlds.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace capstan {
namespace {

constexpr float kTasksFrame = 1.0f / 60;

// A minimal job system: threads that wait for a batch of tasks.
class Host {
public:
    explicit Host(int workers) {
        for (int k = 1; k < workers; ++k) threads_.emplace_back([this] { loop(); });
        system = {this, workers, &Host::parallelFor};
    }
    ~Host() {
        {
            std::lock_guard lock(mutex_);
            stop_ = true;
        }
        wake_.notify_all();
        for (std::thread& t : threads_) t.join();
    }
    TaskSystem system;
    int calls = 0, most = 0;

private:
    static void parallelFor(void* context, int count, void (*task)(void*, int), void* data) {
        Host& host = *static_cast<Host*>(context);
        std::unique_lock lock(host.mutex_);
        ++host.calls;
        host.most = std::max(host.most, count);
        host.task_ = task;
        host.data_ = data;
        host.next_ = 0;
        host.left_ = count;
        host.count_ = count;
        host.wake_.notify_all();
        host.work(lock);
        host.done_.wait(lock, [&] { return host.left_ == 0; });
    }
    void work(std::unique_lock<std::mutex>& lock) {
        while (next_ < count_) {
            const int index = next_++;
            lock.unlock();
            task_(data_, index);
            lock.lock();
            if (--left_ == 0) done_.notify_all();
        }
    }
    void loop() {
        std::unique_lock lock(mutex_);
        while (!stop_) {
            work(lock);
            wake_.wait(lock, [&] { return stop_ || next_ < count_; });
        }
    }
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::vector<std::thread> threads_;
    void (*task_)(void*, int) = nullptr;
    void* data_ = nullptr;
    int next_ = 0, count_ = 0, left_ = 0;
    bool stop_ = false;
};

// Ropes in contact, bodies and cloth: all kinds of work that is distributed over threads.
void fillWithWork(World& w) {
    for (int i = 0; i < 24; ++i) w.add(hundredNodes(0, false, 3.0f * float(i)));
    w.add(BodyDef{.type = BodyType::Static, .shape = Plane{}, .position = {0, -1, 0}});
    for (int i = 0; i < 30; ++i)
        w.add(
            BodyDef{.shape = Box{{0.2f, 0.2f, 0.2f}}, .position = {0.01f * float(i), 0.21f * float(i), -3}});
    w.add(ClothDef{.origin = {-4, 1, 0}, .cellsU = 24, .cellsV = 24});
}

std::uint64_t hashAfterSteps(World& w, int steps) {
    for (int i = 0; i < steps; ++i) w.step(kTasksFrame);
    return w.hash();
}

std::uint64_t hashWanted() {
    World w;
    fillWithWork(w);
    return hashAfterSteps(w, 20);
}

TEST(Tasks, AHostsJobSystemGivesTheSameBits) {
    for (int workers : {1, 3}) {
        Host host(workers);
        World w({.tasks = host.system});
        fillWithWork(w);
        EXPECT_EQ(hashAfterSteps(w, 20), hashWanted());
        if (workers == 1) continue;
        EXPECT_GT(host.calls, 20);
        EXPECT_LE(host.most, workers);
    }
}

// A host may execute tasks one after the other, in any order.
TEST(Tasks, AHostWithOneThreadThatGoesBackwardsWillDo) {
    const TaskSystem backwards = {nullptr, 4, [](void*, int count, void (*task)(void*, int), void* data) {
                                      for (int k = count - 1; k >= 0; --k) task(data, k);
                                  }};
    World w({.tasks = backwards});
    fillWithWork(w);
    EXPECT_EQ(hashAfterSteps(w, 20), hashWanted());
}

TEST(Tasks, TwoWorldsShareAPoolOneAfterTheOther) {
    const std::shared_ptr<ThreadPool> pool = makeThreadPool(3);
    World a({.pool = pool}), b({.pool = pool});
    fillWithWork(a);
    fillWithWork(b);
    for (int i = 0; i < 20; ++i) {
        a.step(kTasksFrame);
        b.step(kTasksFrame);
    }
    EXPECT_EQ(a.hash(), hashWanted());
    EXPECT_EQ(b.hash(), a.hash());
}

TEST(Tasks, TwoWorldsShareAPoolAtOnce) {
    World a, b;
    {
        const std::shared_ptr<ThreadPool> pool = makeThreadPool(3); // the worlds keep the pool alive
        a.configure({.pool = pool});
        b.configure({.pool = pool});
    }
    fillWithWork(a);
    fillWithWork(b);
    std::thread other([&] { hashAfterSteps(b, 20); });
    hashAfterSteps(a, 20);
    other.join();
    EXPECT_EQ(a.hash(), hashWanted());
    EXPECT_EQ(b.hash(), a.hash());
}

TEST(Tasks, AWorldLeavesThePoolWhenItIsConfiguredAnew) {
    const std::shared_ptr<ThreadPool> pool = makeThreadPool(2);
    World w({.pool = pool});
    EXPECT_GT(pool.use_count(), 1);
    w.configure({.threads = 2});
    EXPECT_EQ(pool.use_count(), 1);
    fillWithWork(w);
    EXPECT_EQ(hashAfterSteps(w, 20), hashWanted());
}

TEST(Tasks, ABadJobSystemIsAnError) {
    const auto nothing = [](void*, int, void (*)(void*, int), void*) {};
    const Result<World> both = World::make({.tasks = {nullptr, 2, nothing}, .pool = makeThreadPool(2)});
    ASSERT_FALSE(both);
    EXPECT_EQ(both.error().where, "/tasks");
    for (int workers : {0, -1, 257}) {
        const Result<World> bad = World::make({.tasks = {nullptr, workers, nothing}});
        ASSERT_FALSE(bad);
        EXPECT_EQ(bad.error().where, "/tasks/workers");
    }
    CountChecks checks;
    EXPECT_TRUE(makeThreadPool(0));
    EXPECT_EQ(checks.count(), 1);
}

} // namespace
} // namespace capstan
