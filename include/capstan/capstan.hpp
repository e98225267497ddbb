// SPDX-License-Identifier: MIT
// Everything a program needs: #include <capstan/capstan.hpp>.
#pragma once

#include <capstan/check.hpp>
#include <capstan/world.hpp>
