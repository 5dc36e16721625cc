#pragma once
// What levels do, in words.

#include <string>

#include "engine/format/level.hpp"

namespace trellis::session {

/// "found by bisection".
std::string in_words(format::Locate locate);
/// What a level's facts mean for whoever uses it: "stored coordinates in rising order, found by bisection".
std::string in_words(const format::Facts& facts);

}  // namespace trellis::session
