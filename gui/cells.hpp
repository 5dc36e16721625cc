#pragma once
// Arrays as strips of cells.

#include <string>

#include "engine/format/scalar.hpp"

namespace trellis::gui {

/// A number as it fits into a cell: about three digits, `.42`, `-1.5`, `3e-07`; `true` and `false` as `1` and `0`.
std::string cell_text(const format::Value& value);

}  // namespace trellis::gui
