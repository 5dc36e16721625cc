#pragma once
// Which lists of levels make a format. Judged by the facts of the levels, so that a new level needs no new rule:
//
//   {compressed(nonunique), singleton}   fine: every entry of the one has one coordinate in the other
//   {compressed, singleton}              a row of several elements would have no place for the second
//   {dense(wide), compressed}            a dense level keeps no coordinates that could be wide

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/format/format.hpp"

namespace trellis::format {

/// What is wrong with one of a format's levels.
struct Misfit {
  std::size_t level = 0;  ///< its place; one past the last is the `pattern` behind them
  std::string what;       ///< "singleton stands below dense"
  std::string advice;
};

/// The first thing that is wrong; only for levels that are available.
std::optional<Misfit> misfit(const Format& format);

/// Whether what is stored says what somebody listed, as it does of lists, and not of blocks or dense levels: then there
/// is a pattern of it.
bool lists_entries(const Format& format);

/// The options of levels: nonunique unordered decreasing wide listed.
const std::vector<std::string>& option_names();

/// 32-bit coordinates and positions end here; a dimension of more makes its level wide.
constexpr std::int64_t largest_narrow = 2147483647;
/// The format with the levels wide that need it for these sizes; a negative size is not known.
Format widened(Format format, const std::vector<std::int64_t>& shape);

}  // namespace trellis::format
