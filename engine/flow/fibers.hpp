#pragma once
// What the passes ask that make walks of fibers faster (carry_positions, stream_entries, unroll_walks, fetch_ahead): is
// a loop a plain walk, and which fibers do the iterations of a loop come by? Nothing that is computed depends on what
// they set.

#include <optional>
#include <set>
#include <string>

#include "engine/flow/flow.hpp"
#include "engine/math/affine.hpp"

namespace trellis::flow {

/// Tensors that the statement gives values or entries to.
std::set<std::string> written_in(const Stmt& stmt);

/// The cursor, if the loop is a serial walk of a whole fiber, entry by entry and upwards in storage, of a tensor that
/// is not `written` meanwhile; else null.
const Cursor* walks_fiber(const Flow& flow, const Coiterate& loop, const std::set<std::string>& written);

/// A loop, one of whose iterations is for each fiber of a level, from the first on: names what stands in the fibers'
/// parent position.
struct Iterations {
  std::string fiber;           ///< the loop's variable, or the cursor that counts its entries
  bool by_coordinate = false;  ///< the former
  math::Affine first = {};     ///< which value the variable has for the first fiber
  /// Is it the position of the fiber?
  bool of(const Position& parent) const;
};
std::optional<Iterations> iterations_of(const Flow& flow, const Stmt& loop, const std::set<std::string>& written);

/// Of a loop whose iterations wait for each other: the cursor whose fiber, that of the iteration's own number, names
/// all the iterations that it waits for; null where they are found otherwise.
const Cursor* fibers_waited_for(const Flow& flow, const Loop& loop);

/// The statement with those changed that it comes by once: in sequences, lets and look-ups, not in loops and branches.
/// Loops and branches are handed over as they are.
template <class Change>
Stmt map_once(const Stmt& s, Change&& change) {
  const auto* test = s.as<Test>();
  const bool straight =
      s.as<Seq>() || s.as<Let>() || s.as<Locate>() || s.as<Insert>() || s.as<Tabulate>() || (test && test->certain);
  if (!straight) return change(s);
  return map_children(
      s, [&](const Stmt& child) { return map_once(child, change); }, [](const Expr& e) { return e; });
}

/// The loop with the bodies of its iterations changed.
template <class Change>
Stmt map_iterations(const Stmt& loop, Change&& change) {
  return map_children(
      loop, [&](const Stmt& body) { return map_once(body, change); }, [](const Expr& e) { return e; });
}

}  // namespace trellis::flow
