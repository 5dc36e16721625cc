#pragma once
// The lattice of one loop: which operands it walks, the points that its control flow goes through as they run out, and
// what is left to do at each (docs/design/coiteration.md#points, docs/design/coiteration.md#cases).
//
//   s += A(i)*B(i) + C(i)        point {A, B, C}    A runs out → {C}, B runs out → {C}, C runs out → {A, B}
//                                point {A, B}       either runs out → the end
//                                point {C}          C runs out → the end
//
// Lowering turns it into cursors and while loops; `show algebra` and `show lattice` print it.

#include <string>
#include <vector>

#include "engine/coiterate/algebra.hpp"
#include "engine/coiterate/offers.hpp"

namespace trellis::coiterate {

struct Surroundings;

struct Lattice {
  /// Walked; kept at the loop's coordinate; or looked up there.
  enum class Role { leads, follows, located };
  struct Operand {
    Literal literal;
    Role role = Role::located;
    std::string why = {};  ///< it does not lead
  };

  /// What may be at a coordinate, operand by operand.
  struct Case {
    int tested = -1;             ///< an operand; -1: nothing is left to test, and `body` runs
    bool certain = false;        ///< it is there, as no other lead can be what the loop stands at
    std::vector<Case> branches;  ///< it is there; it is not, unless that is certain
    loop::Stmt body;             ///< an empty block when there is nothing to do
  };

  struct Edge {
    int runs_out = -1;  ///< an operand; -1: all of them, or the loop's range
    int to = -1;        ///< a point; -1: the end
  };

  /// A stretch of the loop through which the same operands lead.
  struct Point {
    /// While all of them have entries left; while any has, with one body for every case; at every coordinate, likewise.
    enum class Goes { while_all, while_any, everywhere } goes = Goes::while_all;
    std::vector<int> leads;
    std::vector<int> follows;
    bool by_regions = false;  ///< an iteration deals with all coordinates up to where something begins or ends
    bool together = false;  ///< by regions: there is nothing to do but where all leads are, and no iteration elsewhere
    bool by_cases = false;  ///< `cases` says what is done; else `body` does, for every case
    std::vector<int> gone;  ///< leads that have run out, on whatever way the loop came here
    Algebra algebra = Algebra::everywhere();
    loop::Stmt body;
    Case cases;
    std::vector<Edge> edges;
  };

  loop::Stmt loop;  ///< a For
  Algebra algebra = Algebra::everywhere();
  std::vector<Operand> operands;
  std::vector<Offers::Refusal> refusals;
  std::string everywhere;     ///< why every coordinate is visited; empty when some operand leads
  std::vector<Point> points;  ///< in the order in which they run; none where a plain loop will do
  int parent = -1;            ///< number of the lattice of the loop around, among those of the flow
  std::vector<int> absent;    ///< operands of that one that are known to be missing here

  const loop::For& for_() const { return *loop.as<loop::For>(); }
  bool walks() const { return !points.empty(); }
  std::vector<int> with_role(Role role) const;
  std::vector<std::string> names() const;
};

/// Of a For whose body is offered these sequences.
Lattice build_lattice(const loop::Stmt& loop, const Offers& offers, const Surroundings& around);

}  // namespace trellis::coiterate
