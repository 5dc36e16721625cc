#pragma once
// The literals of `fill_with`: nested lists, or a string of bytes.

#include <optional>
#include <vector>

#include "engine/session/command/words.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::session {

struct ListLiteral {
  tensor::Index shape;
  std::vector<format::Value> values;  ///< row-major, of the asked type
};

/// Reads the rest of the command as values of `type`; all lists of one depth must be equally long. Empty is reported.
std::optional<ListLiteral> read_literal(Words& words, format::ScalarType type);

}  // namespace trellis::session
