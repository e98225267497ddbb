// SPDX-License-Identifier: MIT
// Embedding in a game loop: fixed steps for frames of any length, interpolated poses, the game's job system, and
// userData.
#include <capstan/capstan.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

using namespace capstan;

// The game's own record of an object. The engine stores its address as userData.
struct Actor {
    const char* name;
    int hits = 0;
};

// The game's job system. This simplest version starts a thread for each task.
void runJobs(void* context, int count, void (*task)(void* data, int index), void* data) {
    ++*static_cast<int*>(context);
    std::vector<std::thread> others;
    for (int i = 1; i < count; ++i) others.emplace_back(task, data, i);
    task(data, 0);
    for (std::thread& other : others) other.join();
}

int main() {
    Actor floor{"floor"}, ball{"ball"};
    int calls = 0;
    WorldDef def;
    def.tasks = {.context = &calls, .workers = 2, .parallelFor = runJobs};
    World world(def);
    world.add(BodyDef{
        .type = BodyType::Static, .shape = Plane{}, .userData = reinterpret_cast<std::uintptr_t>(&floor)});
    world.add(BodyDef{.shape = Sphere{0.25f},
                      .mass = 2,
                      .position = {0, 2, 0},
                      .material = {.friction = 0.5f, .restitution = 0.7f},
                      .userData = reinterpret_cast<std::uintptr_t>(&ball)});

    constexpr float dt = 1.0f / 60; // s, fixed, because results depend on the step
    float owed = 0;
    std::vector<Transform> before, now;
    // Durations of frames as a display may deliver them [s].
    for (float frame : {0.016f, 0.017f, 0.033f, 0.007f, 0.05f, 0.016f, 0.21f, 0.3f, 0.4f}) {
        // After a pause at most 0.25 s are simulated. So the game runs slower for a moment, and steps never pile up.
        owed = std::min(owed + frame, 0.25f);
        while (owed >= dt) {
            before.assign(world.bodyPoses().begin(), world.bodyPoses().end());
            world.step(dt);
            for (const Event& e : world.events())
                if (e.kind == Event::Kind::ContactBegin)
                    for (std::uint64_t who : {e.userDataA, e.userDataB})
                        ++reinterpret_cast<Actor*>(static_cast<std::uintptr_t>(who))->hits;
            now.assign(world.bodyPoses().begin(), world.bodyPoses().end());
            owed -= dt;
        }
        if (before.size() != now.size() || now.empty()) continue;
        const float share = owed / dt; // the drawn pose lies at this fraction of the last step
        const Vec3 drawn = (1 - share) * before[1].position + share * now[1].position;
        std::printf("%5.3f s  ball drawn at %.3f m\n", world.time(), double(drawn.y));
    }
    std::printf("%s: %d hits, %s: %d hits; the job system was called %d times\n", floor.name, floor.hits,
                ball.name, ball.hits, calls);
    return ball.hits > 0 && floor.hits == ball.hits ? 0 : 1;
}
