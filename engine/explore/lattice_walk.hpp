#pragma once
// A walk through a kernel's lattices over what its operands store, step by step: which point a loop is at, where each operand
// stands among its entries, which case that is, and which operand runs out.
//
//   y(i) = a(i) + b(i)    at {a, b}: i=0, a here     i=2, a and b here     b runs out, on to {a}     i=3, a here     a runs out

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/lang/program.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::explore {

struct LatticeStep {
  int lattice = 0;                             ///< NumberedLattice::number
  int point = 0;                               ///< of that lattice
  std::optional<std::int64_t> coordinate;      ///< that is visited; none where an operand runs out
  struct Cursor {
    int operand = 0;
    std::int64_t at = 0, begin = 0, end = 0;   ///< among the level's entries: of the first not behind the coordinate
    bool here = false;                         ///< it has the coordinate
  };
  std::vector<Cursor> cursors;                 ///< one for each operand
  std::string does;                            ///< the case's body
  int which = -1;                              ///< the case, as one of the point's outcomes
  std::optional<int> runs_out;                 ///< an operand; -1: the loop's range ends
  int to = -1;                                 ///< the point after that; -1: the end
  std::map<std::string, std::int64_t> around;  ///< the variables of the loops around
};

struct LatticeWalk {
  std::vector<LatticeStep> steps;
  bool complete = true;  ///< false: there is more than was asked for
};

/// Loops over workspaces are passed over: what these hold comes and goes. Empty when a lattice walks a level whose entries are not listed in rising order, or a loop's bounds are not known.
std::optional<LatticeWalk> walk_lattices(const std::vector<coiterate::NumberedLattice>& lattices, const lang::Program& program,
                                         const std::map<std::string, tensor::Tensor>& tensors, const std::map<std::string, std::int64_t>& sizes,
                                         std::size_t most);

}  // namespace trellis::explore
