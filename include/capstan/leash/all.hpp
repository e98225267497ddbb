// SPDX-License-Identifier: MIT
// This header includes everything about walks on leashes.
#pragma once

#include <capstan/leash/leash_def.hpp>
#include <capstan/leash/walk.hpp>
