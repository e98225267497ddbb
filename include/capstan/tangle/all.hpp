// SPDX-License-Identifier: MIT
// This header includes everything about tangles: how they are found, measured and released.
#pragma once

#include <capstan/tangle/measure.hpp>
#include <capstan/tangle/tangle.hpp>
#include <capstan/tangle/tangles.hpp>
