// SPDX-License-Identifier: MIT
// Shorten: makes a failing input short, as long as it fails in the same way.
//
// Source: A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002 (ddmin). Pieces are lines
// of a recipe first, then words of its lines; of a scene file its lines, then letters.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace capstan::fuzz {

using Pieces = std::vector<std::string>;
// Returns whether these pieces still fail in the same way.
using StillFails = std::function<bool(const Pieces& pieces)>;

// Drops as many pieces as it can, with at most `trials` trials; `trials` is what is left of them afterwards.
Pieces shorten(Pieces pieces, const StillFails& stillFails, int& trials);

// The same for the text of a recipe, and for a scene file. `fails` judges a text.
std::string shortenRecipe(const std::string& text, const std::function<bool(const std::string&)>& fails,
                          int trials);
std::string shortenScene(const std::string& text, const std::function<bool(const std::string&)>& fails,
                         int trials);

} // namespace capstan::fuzz
