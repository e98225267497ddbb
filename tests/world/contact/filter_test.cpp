// SPDX-License-Identifier: MIT
// Tests of filters for all kinds of objects. Two objects are in contact if each one's mask has the other's category,
// unless they share a group.
#include "contact_ropes.hpp"

#include <capstan/capstan.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace capstan {
namespace {

struct Filters {
    const char* what;
    FilterDef falling, below;
    bool touch;
};

const std::vector<Filters> kAll = {
    {"defaults", {}, {}, true},
    {"masks hold the categories", {2, 4, 0}, {4, 2, 0}, true},
    {"one bit of many", {6, 8, 0}, {24, 4, 0}, true},
    {"mask of the first lacks it", {1, ~2u, 0}, {2, ~0u, 0}, false},
    {"mask of the second lacks it", {2, ~0u, 0}, {1, ~2u, 0}, false},
    {"no category", {0, ~0u, 0}, {}, false},
    {"empty mask", {1, 0, 0}, {}, false},
    {"same group, above 0, against the masks", {1, 0, 3}, {1, 0, 3}, true},
    {"same group, below 0", {1, ~0u, -3}, {1, ~0u, -3}, false},
    {"different groups ask the masks", {1, ~0u, -3}, {1, ~0u, -4}, true},
    {"different groups, masks that refuse", {1, 0, 3}, {1, 0, 4}, false},
    {"a group against none asks the masks", {1, ~0u, -3}, {}, true},
};

void eachFilter(const std::function<bool(FilterDef, FilterDef)>& contacts) {
    for (const Filters& f : kAll) {
        EXPECT_EQ(mayTouch(f.falling, f.below), f.touch) << f.what;
        EXPECT_EQ(mayTouch(f.below, f.falling), f.touch) << f.what;
        EXPECT_EQ(contacts(f.falling, f.below), f.touch) << f.what;
    }
}

BodyDef floorWith(FilterDef filter) {
    BodyDef d = floorAt();
    d.filter = filter;
    return d;
}

void run(World& w, int frames) {
    for (int i = 0; i < frames; ++i) w.step(kFrame);
}

TEST(Filter, RopesAndBodies) {
    eachFilter([](FilterDef a, FilterDef b) {
        World w;
        w.add(floorWith(b));
        RopeDef d = straight({-0.1f, 0.05f, 0}, {0.1f, 0.05f, 0}, 6);
        d.filter = a;
        const RopeId r = w.add(d);
        run(w, 20);
        return w.positions(r)[3].y > 0;
    });
}

TEST(Filter, RopesAndRopes) {
    eachFilter([](FilterDef a, FilterDef b) {
        World w;
        RopeDef held = straight({0, 0, -0.1f}, {0, 0, 0.1f}, 2),
                d = straight({-0.1f, 0.05f, 0}, {0.1f, 0.05f, 0}, 6);
        held.pins = {0, 1, 2};
        held.filter = b;
        d.filter = a;
        w.add(held);
        const RopeId r = w.add(d);
        bool touched = false;
        for (int i = 0; i < 10; ++i) {
            w.step(kFrame);
            touched = touched || !w.contacts().empty();
        }
        return touched && w.positions(r)[3].y > 0;
    });
}

TEST(Filter, BodiesAndBodies) {
    eachFilter([](FilterDef a, FilterDef b) {
        World w;
        w.add(floorWith(b));
        BodyDef d = box({0, 0.15f, 0});
        d.filter = a;
        const BodyId id = w.add(d);
        run(w, 20);
        return w.pose(id).position.y > 0;
    });
}

// Bodies with joints are solved together with ropes. Their pairs come from another list.
TEST(Filter, BodiesWithJoints) {
    eachFilter([](FilterDef a, FilterDef b) {
        World w;
        w.add(floorWith(b));
        BodyDef d = box({0, 0.15f, 0});
        d.filter = a;
        const BodyId id = w.add(d);
        d.position = {0.25f, 0.15f, 0};
        w.add(joint(JointType::Fixed, id, w.add(d), {0.12f, 0.15f, 0}));
        run(w, 20);
        return w.pose(id).position.y > 0;
    });
}

TEST(Filter, ClothAndBodies) {
    eachFilter([](FilterDef a, FilterDef b) {
        World w;
        w.add(floorWith(b));
        ClothDef d = sheet(4, 0.4f, 0.02f);
        d.filter = a;
        const ClothId id = w.add(d);
        run(w, 20);
        return w.positions(id)[12].y > 0;
    });
}

TEST(Filter, ClothAndRopes) {
    eachFilter([](FilterDef a, FilterDef b) {
        World w;
        RopeDef held = straight({0, 0, -1}, {0, 0, 1}, 4);
        held.pins = {0, 1, 2, 3, 4};
        held.filter = b;
        w.add(held);
        ClothDef d = sheet(8, 0.4f, 0.03f);
        d.filter = a;
        const ClothId id = w.add(d);
        run(w, 15);
        return w.positions(id)[40].y > 0; // the middle vertex
    });
}

// A horizontal strand begins beside a ball. It swings down through the ball, or lies on the ball.
TEST(Filter, HairAndBodies) {
    eachFilter([](FilterDef a, FilterDef b) {
        World w;
        w.add(BodyDef{.name = "ball", .type = BodyType::Static, .shape = Sphere{0.1f}, .filter = b});
        HairDef d;
        d.roots = {{-0.15f, 0.12f, 0}};
        d.directions = {{1, 0, 0}};
        d.collides = {"ball"};
        d.filter = a;
        const HairId id = w.add(d);
        float nearest = 1;
        for (int i = 0; i < 120; ++i) {
            w.step(kFrame);
            for (const Point& p : w.strand(id, 0)) nearest = std::min(nearest, length(Vec3(p)));
        }
        return nearest > 0.098f;
    });
}

// Hair cannot collide with a mesh. Such a body gives no error if the filters exclude the pair.
TEST(Filter, HairLeavesOutAMeshThatItDoesNotTouch) {
    World w;
    w.add(BodyDef{.name = "face",
                  .type = BodyType::Static,
                  .shape = Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}},
                  .filter = {.category = 2}});
    HairDef d;
    d.roots = {{0, 0, 0}};
    d.directions = {{1, 0, 0}};
    d.collides = {"face"};
    EXPECT_EQ(w.tryAdd(d).error().where, "/collides/0");
    d.filter.mask = ~2u;
    EXPECT_TRUE(w.tryAdd(d));
}

TEST(Filter, CanBeEdited) {
    World w;
    const BodyId ground = w.add(floorAt());
    const BodyId id = w.add(box({0, 0.1f, 0}));
    run(w, 20);
    EXPECT_GT(w.pose(id).position.y, 0.05f);
    {
        BodyDef changed = w.def(ground);
        changed.filter.mask = 0;
        changed.userData = 7;
        EXPECT_TRUE(w.update(ground, changed));
    }
    EXPECT_EQ(w.def(ground).userData, 7u);
    run(w, 30);
    EXPECT_LT(w.pose(id).position.y, -0.2f);
}

// A value of a material that a kind of object does not use must be 0.
TEST(Material, WhatAKindHasNoUseForIsAnError) {
    World w;
    RopeDef rope = straight({0, 0, 0}, {1, 0, 0}, 4);
    rope.material = {0.5f, 0.6f, 0};
    EXPECT_TRUE(w.tryAdd(rope));
    rope.material.restitution = 0.5f;
    EXPECT_EQ(w.tryAdd(rope).error().where, "/material/restitution");
    EXPECT_EQ(w.tryAdd(rope).error().what, "restitution: must be 0 for a rope, got 0.5; leave it out");

    ClothDef cloth = sheet(2, 1, 1);
    cloth.material = {0.5f, 0.75f, 0};
    EXPECT_EQ(w.tryAdd(cloth).error().where, "/material/staticFriction");
    EXPECT_EQ(w.tryAdd(cloth).error().what, "staticFriction: must be 0 for cloth, got 0.75; leave it out");
    cloth.material = {0.5f, 0, 0.1f};
    EXPECT_EQ(w.tryAdd(cloth).error().where, "/material/restitution");
    cloth.material.restitution = 0;
    EXPECT_TRUE(w.tryAdd(cloth));

    HairDef hair;
    hair.roots = {{0, 0, 0}};
    hair.directions = {{1, 0, 0}};
    hair.material = {0.5f, 0.6f, 0};
    EXPECT_EQ(w.tryAdd(hair).error().where, "/material/staticFriction");
    hair.material = {0.5f, 0, 0.1f};
    EXPECT_EQ(w.tryAdd(hair).error().where, "/material/restitution");
    hair.material.restitution = 0;
    const HairId id = w.add(hair);

    // An edit cannot set such a value either.
    {
        RopeDef changed = w.def(w.ids<RopeId>()[0]);
        changed.material.restitution = 1;
        EXPECT_FALSE(w.update(w.ids<RopeId>()[0], changed));
    }
    {
        ClothDef changed = w.def(w.ids<ClothId>()[0]);
        changed.material.staticFriction = 1;
        EXPECT_FALSE(w.update(w.ids<ClothId>()[0], changed));
    }
    {
        HairDef changed = w.def(id);
        changed.material.restitution = 1;
        EXPECT_FALSE(w.update(id, changed));
    }
    {
        HairDef changed = w.def(id);
        changed.filter.mask = 0;
        EXPECT_FALSE(w.update(id, changed));
    } // the filter is read only when the hair is added
    {
        HairDef changed = w.def(id);
        changed.material.friction = 1;
        changed.userData = 3;
        EXPECT_TRUE(w.update(id, changed));
    }
    EXPECT_EQ(w.def(id).userData, 3u);
}

} // namespace
} // namespace capstan
