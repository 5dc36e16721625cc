#pragma once
// Which instances of a nest must stay in their order: pairs that touch one element, at least one of them writing, for
// all sizes. Each pair of statements gives a Dependence for every loop that carries it and one for the pairs within an
// iteration.
//
//   for i in 1:n { x(i) = x(i-1) }        x(i) = …  →  x(i) = …   carried by loop i   {i', i : i' < i, i' = i - 1, …}
//
// Updates of one element by one operation commute; they are listed all the same, as `commutes`.

#include <vector>

#include "engine/lang/program.hpp"
#include "engine/math/relations.hpp"
#include "engine/schedule/instances.hpp"

namespace trellis::schedule {

struct Dependence {
  std::size_t source = 0, sink = 0;  ///< statements: the source's instance runs first
  std::size_t level = 0;             ///< the carrying loop among the common ones; their number: within one iteration
  bool commutes = false;
  Touch first, second;  ///< what they touch
  math::Domain pairs;   ///< the source's variables, each marked with ', then the sink's
  bool operator==(const Dependence&) const = default;
};

struct Nest {
  std::vector<Site> sites;
  std::vector<Dependence> dependences;
  /// The loop that carries it; null within one iteration.
  const Around* carrier(const Dependence& d) const;
};

/// The program says which index tensors hold no value twice: y(p(i)) is another element for each i then.
Nest analyse(const loop::Stmt& loops, const lang::Program& program, math::Solver& solver);

/// Of two things in one domain, the first's variables have a mark.
std::string marked(const std::string& name);
std::map<std::string, math::Affine> marking(const std::vector<std::string>& variables);
math::Domain both(const math::Domain& first, const math::Domain& second);

/// One way in which an instance of `first` runs before one of `second`: conjunctions over the marked and plain
/// variables, one for each common loop that separates them, then, if the text says so, one for a common iteration.
struct Before {
  std::size_t level = 0;
  std::vector<math::Constraint> constraints;
};
std::vector<Before> runs_before(const Site& first, const Site& second);
/// The same with the plain one first; where they may be one instance, that too.
std::vector<Before> runs_after(const Site& first, const Site& second);
/// Those of the pairs, whose variables these are, that run in this order. Orders that begin alike share what is found
/// out about the beginning.
math::Relations::Id restricted(math::Relations& relations, math::Relations::Id pairs,
                               const std::vector<std::string>& variables, const Before& order);

}  // namespace trellis::schedule
