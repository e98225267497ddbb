// SPDX-License-Identifier: MIT
// Checks single values: every number must be finite and within the range of its field, and every rotation must not be
// zero.
#include "scene/format/ranges.hpp"

#include <capstan/scene/field_types.hpp>
#include <capstan/scene/json_text.hpp>

#include <cmath>
#include <cstdio>

namespace capstan {
namespace {

double sizeOf(Quatf q) {
    return length(Quatd{static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
                        static_cast<double>(q.w)});
}

class Ranges {
public:
    explicit Ranges(const Scene& scene) : scene_(scene) {}
    Status run() { return def(scene_, "") && distances() ? done() : Status(error_); }

private:
    bool fail(const std::string& pointer, std::string what) {
        error_ = errorAt(scene_, pointer, std::move(what));
        return false;
    }
    bool number(double value, const Field& field, const std::string& pointer, const std::string& name) {
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
    // Checks the targets of distance joints, which must be at least 0. Targets of other axes may be negative.
    bool distances() {
        for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
            const std::optional<float>& target = scene_.joints[i].distance.target;
            const std::string pointer = "/joints/" + std::to_string(i) + "/distance/target";
            if (target && !number(static_cast<double>(*target), atLeast(0, "", ""), pointer, "target"))
                return false;
        }
        return true;
    }
    template <class D> bool def(const D& d, const std::string& pointer) {
        bool good = true;
        fields(d, [&](const char* name, const auto& v, const Field& field) {
            good = good && value(v, field, pointer + "/" + name, name);
        });
        return good;
    }
    template <class T>
    bool value(const T& v, const Field& field, const std::string& pointer, const std::string& name) {
        if constexpr (std::is_same_v<T, int> || std::is_same_v<T, float>) {
            return number(static_cast<double>(v), field, pointer, name);
        } else if constexpr (std::is_same_v<T, Vec3>) {
            if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
                return fail(pointer, name + " must hold finite numbers");
            }
            return value(v.x, field, pointer, name) && value(v.y, field, pointer, name) &&
                   value(v.z, field, pointer, name);
        } else if constexpr (std::is_same_v<T, Quatf>) {
            double size = sizeOf(v);
            if (!std::isfinite(size)) return fail(pointer, name + " must hold finite numbers");
            return size > 1e-6 || fail(pointer, "a rotation must not be zero");
        } else if constexpr (isOptional<T>) {
            return !v || value(*v, field, pointer, name);
        } else if constexpr (isVector<T>) {
            for (std::size_t i = 0; i < v.size(); ++i) {
                if (!value(v[i], field, pointer + "/" + std::to_string(i), name)) return false;
            }
            return true;
        } else if constexpr (isDef<T>) {
            return def(v, pointer);
        } else {
            return true;
        }
    }

    const Scene& scene_;
    Error error_;
};

} // namespace

Status checkRanges(const Scene& scene) { return Ranges(scene).run(); }

std::string normalisedText(double length) {
    char text[80];
    std::snprintf(text, sizeof text, "the quaternion was normalised; its length was %.4g", length);
    return text;
}

void normalizeRotations(Scene& scene) {
    auto mend = [&](Quatf& q, const std::string& pointer) {
        double size = sizeOf(q);
        // A length within the rounding of float is not changed, so that writing and reading a scene does not change
        // it.
        if (std::abs(size - 1) < 1e-6 || !(size > 0)) return;
        if (std::abs(size - 1) > 1e-3) {
            scene.notes.push_back(errorAt(scene, pointer, normalisedText(size)));
        }
        auto part = [&](float a) { return static_cast<float>(static_cast<double>(a) / size); };
        q = {part(q.x), part(q.y), part(q.z), part(q.w)};
    };
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        BodyDef& body = scene.bodies[i];
        std::string pointer = "/bodies/" + std::to_string(i);
        mend(body.rotation, pointer + "/rotation");
        mend(body.shape.rotation, pointer + "/shape/rotation");
        for (std::size_t k = 0; k < body.parts.size(); ++k) {
            mend(body.parts[k].rotation, pointer + "/parts/" + std::to_string(k) + "/rotation");
        }
    }
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        JointDef& joint = scene.joints[i];
        std::string pointer = "/joints/" + std::to_string(i);
        if (joint.frame0) mend(joint.frame0->rotation, pointer + "/frame0/rotation");
        if (joint.frame1) mend(joint.frame1->rotation, pointer + "/frame1/rotation");
    }
}

} // namespace capstan
