// SPDX-License-Identifier: MIT
// This header includes everything about scenes: reading, checking, writing and playing them.
#pragma once

#include <capstan/scene/camera_def.hpp>
#include <capstan/scene/expect.hpp>
#include <capstan/scene/expectations.hpp>
#include <capstan/scene/playback.hpp>
#include <capstan/scene/reach.hpp>
#include <capstan/scene/scene.hpp>
#include <capstan/scene/script.hpp>
