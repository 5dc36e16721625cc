#pragma once
// Lattices for people: `show algebra` and `show lattice`.
//
//   for i: A(i,:) ∪ B(i,:)    leads A(i,:), B(i,:)                                 {A(i,:), B(i,:)}
//     for j: A(i,j) ∪ B(i,j)  leads A(i,j), B(i,j)                                     ╱        ╲
//     for j: A(i,j)           leads A(i,j), where B(i,:) is missing                {A(i,:)}   {B(i,:)}   …
//
// The same loop may have several lattices: one for each case of the loops around it. Those that come out equal are one.

#include <string>
#include <vector>

#include "engine/coiterate/lattice.hpp"
#include "engine/text/text.hpp"

namespace trellis::coiterate {

/// A lattice among those of a kernel, with numbers for its nodes: its own, its points', and the end's. Behind those of all
/// lattices come the numbers of what is done at the points, case by case.
struct NumberedLattice {
  const Lattice* lattice = nullptr;
  const Lattice* around = nullptr;  ///< of the loop around, if there is one
  int number = 0;  ///< among all of the kernel, which is what `parent` means
  int parent = -1; ///< the loop around, as one of those that are kept
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

/// On one line: `t = 0; for k { t += A(i,k)*B(k,j) }`; "nothing".
std::string in_brief(const loop::Stmt& body);
/// `while A(i,j) and B(i,j) have entries`.
std::string condition(const Lattice& lattice, const Lattice::Point& point);

/// By operand, as short as tells them apart: "A", or "A(i,j)" where another one is of the same tensor.
std::vector<std::string> brief_names(const Lattice& lattice);
/// The same in signs: `while A ∧ B`, `while A ∨ B`, `at every i`.
std::string brief_condition(const Lattice& lattice, const Lattice::Point& point);

/// `for j: A(i,j) ∪ B(i,j)`.
std::string head(const Lattice& lattice);
/// What each operand does in the loop, and why: `leads A(i,j), B(i,j)`.
std::vector<std::string> remarks(const Lattice& lattice);
/// `where A(i,:) is missing`, of the case of the loop around that the lattice is for; empty when there is only one.
std::string where_missing(const NumberedLattice& one);

/// A line for each loop, nested as they are. Spans of stage algebra, by number.
text::Text print_algebra(const std::vector<NumberedLattice>& all);
/// Each lattice with its points, level by level. Spans of stage lattice, by node.
text::Text print_lattices(const std::vector<NumberedLattice>& shown);

}  // namespace trellis::coiterate
