// SPDX-License-Identifier: MIT
// What can be wrong with a scene whose every value has the right type: ranges, and references between parts.
#include <capstan/scene/field_types.hpp>
#include <capstan/scene/json_text.hpp>
#include <capstan/scene/nearest.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace capstan {
namespace {

class Checker {
public:
    explicit Checker(const Scene& scene) : scene_(scene) {}

    Status run() {
        bool good = ranges(scene_, "") && size() && names() && motions() && actions() && expectations();
        return good ? done() : Status(error_);
    }

private:
    bool fail(const std::string& pointer, std::string what) {
        error_ = errorAt(scene_, pointer, std::move(what));
        return false;
    }

    // ---- ranges, of every field of every Def
    bool inRange(double value, const Field& field, const std::string& pointer, const std::string& name) {
        if (!std::isfinite(value)) return fail(pointer, name + " must be a finite number");
        if (field.open ? value > field.min : value >= field.min) {
            if (value <= field.max) return true;
        }
        std::string bounds;
        if (std::isfinite(field.min)) bounds = (field.open ? "above " : "at least ") + jsonNumber(field.min);
        if (std::isfinite(field.max))
            bounds += (bounds.empty() ? "" : " and ") + ("at most " + jsonNumber(field.max));
        return fail(pointer, name + " must be " + bounds + ", got " + jsonNumber(static_cast<float>(value)));
    }
    template <class D> bool ranges(const D& def, const std::string& pointer) {
        bool good = true;
        fields(def, [&](const char* name, const auto& value, const Field& field) {
            good = good && range(value, field, pointer + "/" + name, name);
        });
        return good;
    }
    template <class T>
    bool range(const T& value, const Field& field, const std::string& pointer, const std::string& name) {
        if constexpr (std::is_same_v<T, int> || std::is_same_v<T, float>) {
            return inRange(static_cast<double>(value), field, pointer, name);
        } else if constexpr (std::is_same_v<T, Vec3>) {
            return (std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z)) ||
                   fail(pointer, name + " must hold finite numbers");
        } else if constexpr (isOptional<T>) {
            return !value || range(*value, field, pointer, name);
        } else if constexpr (isVector<T>) {
            for (std::size_t i = 0; i < value.size(); ++i) {
                if (!range(value[i], field, pointer + "/" + std::to_string(i), name)) return false;
            }
            return true;
        } else if constexpr (isDef<T>) {
            return ranges(value, pointer);
        } else {
            return true;
        }
    }

    // ---- what fits in memory
    bool size() {
        constexpr double most = 2e7;
        double nodes = 0;
        for (std::size_t i = 0; i < scene_.ropes.size(); ++i) {
            const RopeDef& r = scene_.ropes[i];
            nodes += r.segments > 0 ? r.segments + 1.0 : static_cast<double>(r.points.size());
            if (nodes > most) {
                return fail("/ropes/" + std::to_string(i),
                            "too many nodes: all ropes together may have " + jsonNumber(most));
            }
        }
        return true;
    }

    // ---- names of ropes, and of the parts that cuts will make
    bool names() {
        for (std::size_t i = 0; i < scene_.ropes.size(); ++i) {
            if (!newName(scene_.ropes[i].name, "/ropes/" + std::to_string(i) + "/name")) return false;
        }
        for (std::size_t i = 0; i < scene_.actions.size(); ++i) {
            if (!newName(scene_.actions[i].part, "/actions/" + std::to_string(i) + "/part")) return false;
        }
        return true;
    }
    bool newName(const std::string& name, const std::string& pointer) {
        if (name.empty()) return true;
        if (known(name)) return fail(pointer, "two ropes are called \"" + shorten(name) + "\"");
        nameSet_.insert(name);
        names_.push_back(name.c_str());
        return true;
    }
    bool known(const std::string& name) const { return nameSet_.count(name) != 0; }
    bool reference(const std::string& rope, const std::string& pointer) {
        if (rope.empty()) {
            return scene_.ropes.size() == 1 ||
                   fail(pointer, "\"rope\" is missing: there are " + std::to_string(scene_.ropes.size()) +
                                     " ropes, say which");
        }
        if (known(rope)) return true;
        return fail(pointer + "/rope", "no rope is called \"" + shorten(rope) + "\"" + suggest(rope, names_));
    }

    // ---- motions
    bool motions() {
        for (std::size_t i = 0; i < scene_.motions.size(); ++i) {
            if (!motion(scene_.motions[i], "/motions/" + std::to_string(i))) return false;
        }
        return true;
    }
    bool motion(const Motion& m, const std::string& pointer) {
        if (!reference(m.rope, pointer)) return false;
        int kinds = (m.path.empty() ? 0 : 1) + (m.circle ? 1 : 0) + (m.shake ? 1 : 0);
        if (kinds != 1) return fail(pointer, "a motion has exactly one of path, circle and shake");
        if (m.circle && m.circle->axis == Vec3{0, 0, 0}) {
            return fail(pointer + "/circle/axis", "the axis has no direction");
        }
        for (std::size_t i = 1; i < m.path.size(); ++i) {
            if (m.path[i].t <= m.path[i - 1].t) {
                return fail(pointer + "/path/" + std::to_string(i) + "/t",
                            "waypoints must come in order of time: " + jsonNumber(m.path[i].t) +
                                " s is not after " + jsonNumber(m.path[i - 1].t) + " s");
            }
        }
        if (!m.loop) return true;
        if (m.path.size() < 2)
            return fail(pointer + "/loop", "only a path of two or more waypoints can loop");
        return m.path.front().position == m.path.back().position ||
               fail(pointer + "/loop", "a path that loops must end where it begins");
    }

    // ---- actions
    struct Takes {
        Act act;
        std::vector<std::string_view> needs, may;
    };
    static const std::vector<Takes>& rules() {
        static const std::vector<Takes> all = {
            {Act::Cut, {"segment"}, {"part"}},
            {Act::Winch, {"node", "speed"}, {"duration"}},
            {Act::Pin, {"node"}, {"position"}},
            {Act::Unpin, {"node"}, {}},
            {Act::Push, {"node", "impulse"}, {}},
            {Act::Pull, {"node", "force"}, {"duration"}},
            {Act::Remove, {}, {}},
        };
        return all;
    }
    bool actions() {
        for (std::size_t i = 0; i < scene_.actions.size(); ++i) {
            if (!action(scene_.actions[i], "/actions/" + std::to_string(i))) return false;
        }
        return true;
    }
    bool action(const Action& a, const std::string& pointer) {
        if (!reference(a.rope, pointer)) return false;
        const Takes& takes = rules()[static_cast<std::size_t>(a.act)];
        auto in = [](const std::vector<std::string_view>& list, std::string_view key) {
            return std::find(list.begin(), list.end(), key) != list.end();
        };
        bool good = true;
        auto key = [&](const char* name, bool given) {
            if (good && !given && in(takes.needs, name)) {
                good = fail(pointer, std::string(word(a.act)) + " needs \"" + name + "\"");
            }
            if (good && given && !in(takes.needs, name) && !in(takes.may, name)) {
                good = fail(pointer + "/" + name, std::string(word(a.act)) + " takes no \"" + name + "\"");
            }
        };
        key("node", a.node.has_value());
        key("segment", a.segment.has_value());
        key("speed", a.speed.has_value());
        key("position", a.position.has_value());
        key("impulse", a.impulse.has_value());
        key("force", a.force.has_value());
        key("duration", a.duration.has_value());
        key("part", !a.part.empty());
        if (good && a.act == Act::Winch && *a.node != first && *a.node != last) {
            return fail(pointer + "/node", "a winch stands at an end: 0 or -1");
        }
        return good;
    }

    // ---- expect
    bool expectations() {
        const Expect& e = scene_.expect;
        if (!e.hash.empty()) {
            bool hex = e.hash.size() == 16 && e.hash.find_first_not_of("0123456789abcdef") == e.hash.npos;
            if (!hex) return fail("/expect/hash", "a hash has 16 digits out of 0123456789abcdef");
        }
        return each(e.tension, "/expect/tension/") && each(e.speed, "/expect/speed/") &&
               each(e.position, "/expect/position/") && each(e.length, "/expect/length/");
    }
    template <class E> bool each(const std::vector<E>& list, const std::string& folder) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            std::string pointer = folder + std::to_string(i);
            if (!reference(list[i].rope, pointer)) return false;
            double length = scene_.frames / static_cast<double>(scene_.rate);
            if (list[i].at && *list[i].at > length * (1 + 1e-6)) {
                return fail(pointer + "/at",
                            "the run ends before that, at " + jsonNumber(static_cast<float>(length)) + " s");
            }
            if constexpr (std::is_same_v<E, ExpectTension> || std::is_same_v<E, ExpectSpeed>) {
                if (list[i].at && list[i].peak) return fail(pointer + "/peak", "either \"at\" or \"peak\"");
            }
        }
        return true;
    }

    const Scene& scene_;
    std::set<std::string_view> nameSet_;
    std::vector<const char*> names_; // in the order of the file
    Error error_;
};

} // namespace

Status checkScene(const Scene& scene) { return Checker(scene).run(); }

Error errorAt(const Scene& scene, const std::string& pointer, std::string what) {
    // The value itself, or what it stands in: a value that was left out has no place of its own.
    for (std::string at = pointer;; at.resize(at.rfind('/'))) {
        for (const Place& place : scene.places) {
            if (place.pointer == at) {
                return {std::move(what), scene.name + ":" + std::to_string(place.line) + ":" +
                                             std::to_string(place.column) + " " + pointer};
            }
        }
        if (at.empty()) break;
    }
    return {std::move(what), scene.name.empty() ? pointer : scene.name + " " + pointer};
}

} // namespace capstan
