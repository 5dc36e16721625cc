#pragma once
// Tries what a definition declares of a function on small and random values of the types it is used with: its
// properties, and that its clauses for literals agree with the general one.

#include <optional>
#include <string>
#include <vector>

#include "engine/lang/function.hpp"

namespace trellis::lang {

/// Applies where the operands that have a value here equal it.
struct LiteralClause {
  Function function;
  std::vector<std::optional<format::Value>> operands;
};

struct Trial {
  std::string failure;    ///< "commutative fails: f(1, 2) = 1 but f(2, 1) = 2"
  std::string unchecked;  ///< what could not be tried, because the function takes too many steps
};

/// Bounded: takes no longer than a fraction of a second.
Trial try_out(const Function& function, const std::vector<LiteralClause>& clauses,
              const std::vector<Function>& functions);

}  // namespace trellis::lang
