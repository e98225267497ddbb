// SPDX-License-Identifier: MIT
// checkWritable says whether a file can be written, before the work that fills it.
#pragma once

#include <capstan/result.hpp>

#include <string>

namespace capstan::render {

Status checkWritable(const std::string& file); // leaves no new file behind

} // namespace capstan::render
