#pragma once
// What differs between two texts, line by line, as `diff -u` shows it.

#include <string>
#include <string_view>
#include <vector>

namespace trellis::explore {

/// A line of both, of the left text alone, or of the right one.
struct DiffLine {
  char mark = ' ';  ///< ' ', '-', '+'
  std::string_view text;
};
/// By the longest common subsequence; of equally good answers the one that removes before it adds. Lines are parts of
/// the texts.
std::vector<DiffLine> line_diff(std::string_view left, std::string_view right);

/// Hunks with three lines around each change; empty when the texts are equal.
std::string unified_diff(std::string_view left, std::string_view right);

}  // namespace trellis::explore
