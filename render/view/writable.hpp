// SPDX-License-Identifier: MIT
// Whether a file can be written, asked before the work that fills it.
#pragma once

#include <capstan/result.hpp>

#include <string>

namespace capstan::render {

Status checkWritable(const std::string& file); // one that was not there is not left behind

} // namespace capstan::render
