// SPDX-License-Identifier: MIT
// This header includes everything about skins: frames along ropes, tubes and ribbons around them, and meshes that
// follow bones.
#pragma once

#include <capstan/skin/frames.hpp>
#include <capstan/skin/skin.hpp>
#include <capstan/skin/tube.hpp>
