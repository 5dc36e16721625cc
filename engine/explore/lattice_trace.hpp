#pragma once
// The control flow that was compiled, executed and written down step by step as its lattices see it: which point a loop
// is at, where each operand stands among its entries, which case that is and what it does, and which operand runs out.
//
//   y(i) = a(i) + b(i)    at {a, b}: i=0, a here     i=2, a and b here     b runs out, on to {a}     i=3, a here     a
//   runs out

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/compile.hpp"
#include "engine/flow/interpret.hpp"

namespace trellis::explore {

struct LatticeStep {
  int lattice = 0;                         ///< NumberedLattice::number
  int point = 0;                           ///< of that lattice
  std::optional<std::int64_t> coordinate;  ///< that is visited; none where an operand runs out
  struct Cursor {
    int operand = 0;
    std::int64_t at = 0, begin = 0, end = 0;  ///< among the level's entries, in storage: of the next one
    bool here = false;                        ///< it has the coordinate
    bool ran_out = false;
    std::int64_t first = 0;                 ///< of the entries that are listed
    std::vector<std::int64_t> stored = {};  ///< what is stored there, near `at`; of regions the last coordinates
    std::vector<std::int64_t> starts = {};  ///< of regions: the first ones
    std::int64_t from = 0, to = 0;          ///< all entries that are here
    std::vector<flow::Standing::Level> levels = {};  ///< of a product, whose `stored` are keys
  };
  std::vector<Cursor> cursors;  ///< of the operands that lead or follow
  std::string does;             ///< the case's body
  int which = -1;               ///< the case, as one of the point's outcomes
  std::optional<int> runs_out;  ///< an operand; -1: the loop's range ends
  bool left = false;            ///< with -1: nothing can change any more, so the loop ends early
  int to = -1;                  ///< the point after that; -1: the end
  flow::LoopValues around;      ///< of the loops around
  /// Of those, the ones over fibers that waited in a list, and the coordinates that they waited for.
  flow::LoopValues waited = {};
  /// What the case does to elements, in order; at most 12.
  struct Touch {
    enum class Kind { finds, marches, reads, writes, inserts, appends } kind = Kind::reads;
    std::string tensor;
    tensor::Index index;     ///< of a tensor, in the order of its dimensions
    std::int64_t place = 0;  ///< among the level's entries or the values; -1: it is not stored
    std::optional<format::Value> value = {};
    tensor::Index last = {};  ///< of a run: the element up to which all are touched; empty: there is one
    std::int64_t moved = 0;   ///< of a pointer that marches: so many entries on, or back where it is negative
  };
  std::vector<Touch> touches = {};
};

struct LatticeTrace {
  std::vector<LatticeStep> steps;
  bool complete = true;              ///< false: there is more than was asked for
  std::optional<flow::Fault> fault;  ///< execution ended there
};

const char* name_of(LatticeStep::Touch::Kind kind);
/// `reads a(2)`, `marches 2 entries on to L(3,2)`: without the value.
std::string in_words(const LatticeStep::Touch& touch);

/// Of a legal kernel, on tensors that are changed. At most `most` steps.
LatticeTrace trace_lattices(const Compilation& compilation, const flow::Bindings& bindings, std::size_t most);

}  // namespace trellis::explore
