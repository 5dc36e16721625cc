#pragma once
// What a loop's header and body say of how often things happen, without any data.

#include <optional>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::cost {

/// The iterations of a loop that compilers repeat in place: few, over constants, with nothing but such loops inside.
/// Else empty.
std::optional<double> unrolled_trips(const flow::Loop& loop);

/// A tile of a tensor in a local array (flow/hold_in_registers.hpp), all of whose elements two loops go over: the C
/// compiler writes them out in vectors, and keeps the array in registers.
struct RegisterTile {
  const flow::Loop *rows, *columns;
  const flow::Assign* assign;
  double row_trips, column_trips;
  std::string array;
};
std::optional<RegisterTile> register_tile(const flow::Loop& rows, const flow::Flow& flow);

/// Does how much the body does depend on the variable: by a bound, a condition, or a let?
bool is_shaped_by(const flow::Stmt& body, const std::string& variable);

}  // namespace trellis::cost
