#pragma once
// Numbers for the lattices of a kernel, and for what is drawn of them: views, traces and pages name them by these.
//
// The same loop may have several lattices: one for each case of the loops around it. Those that come out equal are one.

#include <string>
#include <vector>

#include "engine/coiterate/lattice.hpp"

namespace trellis::coiterate {

/// A lattice among those of a kernel, with numbers for its nodes: its own, its points', and the end's. Behind those of
/// all lattices come the numbers of what is done at the points, case by case.
struct NumberedLattice {
  const Lattice* lattice = nullptr;
  const Lattice* around = nullptr;  ///< of the loop around, if there is one
  int number = 0;                   ///< among all of the kernel, which is what `parent` means
  int parent = -1;                  ///< the loop around, as one of those that are kept
  int id = 0;
  int first_outcome = 0;  ///< of its first point
  int point_id(int point) const { return id + 1 + (point < 0 ? static_cast<int>(lattice->points.size()) : point); }
  int outcome_id(int point, int outcome) const;
};

/// By number, the first lattice that is like it, in a loop around that is: the one that is shown.
std::vector<int> same_lattices(const std::vector<Lattice>& all);
/// Without repetition; outer loops before inner ones. They point into `all`.
std::vector<NumberedLattice> distinct(const std::vector<Lattice>& all);
/// Those of loops over the variable or, when it is empty, of all loops that sparse operands are offered to.
std::vector<NumberedLattice> of_loop(const std::vector<NumberedLattice>& all, const std::string& variable);

/// What is there at a coordinate, what is not, and what is done then: a leaf of a point's cases.
struct Outcome {
  std::vector<int> present, absent;
  loop::Stmt body;
};
std::vector<Outcome> outcomes(const Lattice::Point& point);

}  // namespace trellis::coiterate
