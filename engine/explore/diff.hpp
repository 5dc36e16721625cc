#pragma once
// What differs between two texts, line by line, as `diff -u` shows it.

#include <string>
#include <string_view>

namespace trellis::explore {

/// Hunks with three lines around each change; empty when the texts are equal.
std::string unified_diff(std::string_view left, std::string_view right);

}  // namespace trellis::explore
