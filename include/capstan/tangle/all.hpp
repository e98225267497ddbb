// SPDX-License-Identifier: MIT
// This header includes everything about tangles: where ropes are caught in each other, and what happens there.
#pragma once

#include <capstan/tangle/measure.hpp>
#include <capstan/tangle/tangle.hpp>
#include <capstan/tangle/tangles.hpp>
