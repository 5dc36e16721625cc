#pragma once
// What a layout says, with numbers for its parameters, as forms: `max(i, j)` and `min(i, j)` split it into branches.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/format/layout.hpp"
#include "engine/lang/syntax.hpp"

namespace trellis::lang::resolving {

/// Where a layout cannot be read, and why.
struct LayoutTrouble {
  text::Span span;
  std::string what;
};

/// Dimensions, conditions and maps; no inverses yet. The layout's tuples are names, and as long as it has levels.
std::optional<format::Layout> layout_forms(const syntax::LayoutDecl& layout,
                                           const std::map<std::string, std::int64_t>& numbers, LayoutTrouble& trouble);

}  // namespace trellis::lang::resolving
