// SPDX-License-Identifier: MIT
// Everything about walks on leashes.
#pragma once

#include <capstan/leash/leash_def.hpp>
#include <capstan/leash/walk.hpp>
