// SPDX-License-Identifier: MIT
// See reach.hpp.
#include <capstan/scene/reach.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace capstan {
namespace {

// Union-find over bodies and ropes (Galler and Fischer 1964). They are numbered together, bodies first. Following
// leads_ from any number ends at the root of its mechanism.
class Mechanisms {
public:
    explicit Mechanisms(const World& world)
        : world_(world), bodies_(world.ids<BodyId>()), ropes_(world.ids<RopeId>()) {
        for (std::size_t i = 0; i < bodies_.size(); ++i) bodyNumber_[bodies_[i].index] = i;
        for (std::size_t i = 0; i < ropes_.size(); ++i) ropeNumber_[ropes_[i].index] = bodies_.size() + i;
        leads_.resize(bodies_.size() + ropes_.size());
        std::iota(leads_.begin(), leads_.end(), std::size_t(0));
        for (JointId id : world.ids<JointId>()) {
            std::vector<std::size_t> sides = free(world.def(id));
            if (sides.size() == 2) leads_[root(sides[0])] = root(sides[1]);
        }
    }

    std::vector<double> reaches() {
        collect();
        std::vector<double> out;
        for (std::size_t i = 0; i < bodies_.size(); ++i) out.push_back(dynamic(i) ? reach(i) : 0);
        return out;
    }

private:
    struct Hold {
        std::vector<Vec3> anchors; // m, points that are fixed in the world
        std::vector<Vec3> joints;
        double longest = 0; // m, length of the longest rope
    };

    bool dynamic(std::size_t body) const { return world_.massProperties(bodies_[body]).mass > 0; }
    std::size_t root(std::size_t i) {
        while (leads_[i] != i) i = leads_[i] = leads_[leads_[i]];
        return i;
    }
    std::size_t numberOf(const BodyRef& ref) const {
        BodyId id = ref.id ? ref.id : world_.find<BodyId>(ref.name);
        auto found = id ? bodyNumber_.find(id.index) : bodyNumber_.end();
        return found == bodyNumber_.end() || !dynamic(found->second) ? leads_.size() : found->second;
    }
    // Returns the numbers of the joint's movable sides.
    std::vector<std::size_t> free(const JointDef& def) const {
        std::vector<std::size_t> out;
        if (!def.rope.empty()) {
            RopeId id = def.rope.id ? def.rope.id : world_.find<RopeId>(def.rope.name);
            auto found = id ? ropeNumber_.find(id.index) : ropeNumber_.end();
            if (found != ropeNumber_.end()) out.push_back(found->second);
        } else if (std::size_t n = numberOf(def.body0); n < leads_.size()) {
            out.push_back(n);
        }
        if (std::size_t n = numberOf(def.body1); n < leads_.size()) out.push_back(n);
        return out;
    }
    void collect() {
        for (JointId id : world_.ids<JointId>()) {
            const JointDef& def = world_.def(id);
            std::vector<std::size_t> sides = free(def);
            if (sides.empty()) continue;
            Hold& hold = holds_[root(sides[0])];
            const bool framed = def.frame0 || def.frame1;
            const Vec3 anchor = framed ? world_.jointFrame(id, 1).position : def.anchor;
            hold.joints.push_back(anchor);
            if (sides.size() == 1) hold.anchors.push_back(anchor);
        }
        for (RopeId id : ropes_) {
            Hold& hold = holds_[root(ropeNumber_[id.index])];
            double length = 0;
            for (float l : world_.restLengths(id)) length += static_cast<double>(l);
            hold.longest = std::max(hold.longest, length);
            for (const Point& p : world_.positions(id)) {
                if (p.w == 0) hold.anchors.push_back(p);
            }
        }
    }
    double reach(std::size_t body) {
        const MassProperties& m = world_.massProperties(bodies_[body]);
        double most = static_cast<double>(std::max({m.inertia.x, m.inertia.y, m.inertia.z}));
        const Hold& hold = holds_[root(body)];
        double far = std::max(std::sqrt(most / static_cast<double>(m.mass)), hold.longest);
        Vec3 center = world_.centerOfMass(bodies_[body]);
        for (Vec3 a : hold.anchors.empty() ? hold.joints : hold.anchors) {
            far = std::max(far, static_cast<double>(length(a - center)));
        }
        return far;
    }

    const World& world_;
    std::vector<BodyId> bodies_;
    std::vector<RopeId> ropes_;
    std::map<std::uint32_t, std::size_t> bodyNumber_, ropeNumber_; // by slot
    std::vector<std::size_t> leads_;
    std::map<std::size_t, Hold> holds_;
};

} // namespace

std::vector<double> reaches(const World& world) { return Mechanisms(world).reaches(); }

} // namespace capstan
