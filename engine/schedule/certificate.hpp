#pragma once
// The proof that a transformed nest does what the nest before did, for all sizes. It looks at the two nests and at
// where each instance went, not at how the transformation came to it: every instance of the nest before runs exactly
// once, and every pair that depends on its order still runs in it.

#include <map>
#include <string>
#include <variant>

#include "engine/schedule/dependences.hpp"

namespace trellis::schedule {

/// What a statement's old variables are in terms of those that it has now; absent ones stayed as they were.
using Move = std::map<std::string, math::Affine>;
/// By the statement's number, which both nests share.
using Moves = std::map<int, Move>;

struct Certificate {
  int dependences = 0;  ///< respected
  int statements = 0;   ///< whose instances run exactly once
  /// Floating numbers that are added up or multiplied in another order, and the statements that now do so in another
  /// order of loops, by their numbers before.
  std::vector<std::string> reassociated = {};
  std::vector<int> reassociating = {};
  bool operator==(const Certificate&) const = default;
};

/// A dependence whose sink now runs first, at the smallest sizes at which it does.
struct Violation {
  Dependence dependence;
  math::Assignment sizes;
  math::Assignment source, sink;  ///< the iterations of the nest before
  std::vector<math::Domain> pairs =
      {};  ///< all that run the wrong way round, in the variables of the nest after, the source's marked
};

/// Instances that run never or more than once, or share what they must not: a bug of this compiler.
struct Broken {
  std::string what;
};

std::variant<Certificate, Violation, Broken> certify(const Nest& before, const loop::Stmt& after, const Moves& moves,
                                                     math::Solver& solver);

/// Updates that commute, but round differently in another order.
bool rounds_by_order(const Dependence& dependence);
/// Notes that those of the dependence come in another one. `before`: the nest that it is of.
void add_reassociated(Certificate& certificate, const Nest& before, const Dependence& dependence);

/// A pair of the dependence at the smallest sizes, in the nest's own variables.
Violation smallest(const Nest& nest, const Dependence& dependence, const math::Domain& pairs, math::Solver& solver);

}  // namespace trellis::schedule
