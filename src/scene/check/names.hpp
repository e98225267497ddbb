// SPDX-License-Identifier: MIT
// The names of a scene's objects, and the checks of references to them. The error for an unknown name suggests the
// nearest known name (nearest.hpp).
#pragma once

#include <capstan/scene/field_types.hpp>
#include <capstan/scene/nearest.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capstan {

// Names of one kind of object, in the order of the file, and the index of each name in that list.
struct Names {
    const char* kind;
    std::map<std::string_view, std::size_t> number = {};
    std::vector<const char*> list = {};
};

enum class Who { Rope, Body, Joint };

class NameChecker {
protected:
    explicit NameChecker(const Scene& scene) : scene_(scene) {}

    bool fail(const std::string& pointer, std::string what) {
        error_ = errorAt(scene_, pointer, std::move(what));
        return false;
    }

    // ---- names, including those of the parts that cuts will create
    bool names() {
        auto all = [&](const auto& list, const char* folder, Names& into) {
            for (std::size_t i = 0; i < list.size(); ++i) {
                std::string pointer = folder + std::to_string(i) + "/name";
                if (!newName(list[i].name, i, pointer, into)) return false;
            }
            return true;
        };
        if (!all(scene_.ropes, "/ropes/", ropes_) || !all(scene_.bodies, "/bodies/", bodies_) ||
            !all(scene_.joints, "/joints/", joints_) || !all(scene_.cloths, "/cloths/", cloths_)) {
            return false;
        }
        for (std::size_t i = 0; i < scene_.actions.size(); ++i) {
            std::string pointer = "/actions/" + std::to_string(i) + "/part";
            if (!newName(scene_.actions[i].part, scene_.ropes.size() + i, pointer, ropes_)) return false;
        }
        return true;
    }
    bool newName(const std::string& name, std::size_t number, const std::string& pointer, Names& into) {
        if (name.empty()) return true;
        if (!into.number.emplace(name, number).second) {
            const char* many = &into == &bodies_   ? "bodies"
                               : &into == &joints_ ? "joints"
                               : &into == &cloths_ ? "cloths"
                                                   : "ropes";
            return fail(pointer, std::string("two ") + many + " are called \"" + shorten(name) + "\"");
        }
        into.list.push_back(name.c_str());
        return true;
    }
    bool known(const std::string& name, const Names& names, const std::string& pointer) {
        if (names.number.count(name)) return true;
        return fail(pointer, std::string("no ") + names.kind + " is called \"" + shorten(name) + "\"" +
                                 suggest(name, names.list));
    }
    bool rope(const std::string& name, const std::string& pointer) {
        if (!name.empty()) return known(name, ropes_, pointer + "/rope");
        return scene_.ropes.size() == 1 || fail(pointer, "\"rope\" must be given, because the scene has " +
                                                             std::to_string(scene_.ropes.size()) + " ropes");
    }
    bool body(const std::string& name, const std::string& pointer) {
        return known(name, bodies_, pointer + "/body");
    }
    bool joint(const std::string& name, const std::string& pointer) {
        return known(name, joints_, pointer + "/joint");
    }
    // Finds which of the three names was given, and checks it. All three may be empty if the scene has only one rope.
    bool who(const std::string& ropeName, const std::string& bodyName, const std::string& jointName,
             const std::string& pointer, Who& given) {
        if ((!ropeName.empty() + !bodyName.empty() + !jointName.empty()) > 1) {
            return fail(pointer, jointName.empty()
                                     ? "only one of \"rope\" and \"body\" may be given"
                                     : "only one of \"rope\", \"body\" and \"joint\" may be given");
        }
        given = !bodyName.empty() ? Who::Body : !jointName.empty() ? Who::Joint : Who::Rope;
        if (given == Who::Body) return body(bodyName, pointer);
        if (given == Who::Joint) return joint(jointName, pointer);
        return rope(ropeName, pointer);
    }

    const Scene& scene_;
    Names ropes_{"rope"}, bodies_{"body"}, joints_{"joint"}, cloths_{"cloth"};
    Error error_;
};

} // namespace capstan
