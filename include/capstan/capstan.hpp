// SPDX-License-Identifier: MIT
// This header includes everything that a program needs: #include <capstan/capstan.hpp>.
#pragma once

#include <capstan/check.hpp>
#include <capstan/world.hpp>
