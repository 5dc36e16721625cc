#pragma once
// Control flow from its text: what `print` writes reads back as the same flow, but for remarks, origins and places in
// the user's program. `flow.hpp` has the grammar.
//
//   kernel y
//   size n
//   operand a{n}: f64            a level that is compressed; [n] is dense, {n: hashed nonunique} is said
//   result y: f64
//   coiterate i in 0:n
//     lead pa at a.1 full
//     while pa
//       y += a[pa]               what belongs to a line is indented deeper

#include <optional>
#include <string>
#include <string_view>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct ReadFlow {
  std::optional<Flow> flow;  ///< numbered; none: there is a problem
  std::string problem = {};  ///< "3:7: there is no tensor `B`", line and column from 1
};

/// It need not pass `verify`, but all names are known, and so all types.
ReadFlow read(std::string_view text);

}  // namespace trellis::flow
