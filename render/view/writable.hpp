// SPDX-License-Identifier: MIT
// checkWritable returns an error if a file cannot be written. It is called before the work of making the content.
#pragma once

#include <capstan/result.hpp>

#include <string>

namespace capstan::render {

Status checkWritable(const std::string& file); // does not leave a new file behind

} // namespace capstan::render
