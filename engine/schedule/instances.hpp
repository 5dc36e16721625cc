#pragma once
// The statement instances of a loop nest: for each statement, the loops around it, the points at which it runs, and the
// elements that it touches there. What is not affine is taken to be possible: a condition may hold, an index may be
// any.
//
//   for i in 0:n { if i > 0 { x(i) += x(i-1) } }      x(i) += …  {i : 0 <= i, i < n, i > 0}  updates x(i), reads x(i-1)
//
// `while` counts its passes in a loop of its own, without an end; its condition is written by the statement that tests
// it and read by all that it governs, and so is that of `until`. A declared tensor belongs to one instance of its
// block.

#include <optional>
#include <string>
#include <vector>

#include "engine/loop/stmt.hpp"

namespace trellis::schedule {

/// An index that is an element of an index tensor, `p(i)`.
struct Through {
  std::string tensor;
  std::vector<math::Affine> index;
  bool operator==(const Through&) const = default;
};

/// One tensor that a statement touches.
struct Touch {
  enum class Kind { read, write, update } kind = Kind::read;
  std::string tensor;
  std::vector<std::optional<math::Affine>> index;  ///< empty where it is not affine: any element of that dimension
  std::optional<format::ReduceOp> op;              ///< of an update: those by one operation may change places
  std::vector<math::Constraint> guards;            ///< where in the statement's domain it happens
  int scope = -1;                                  ///< what declares it, a number; -1: it outlives the nest
  std::size_t shared = 0;  ///< how many of the outer loops' iterations each have one of their own
  bool floating = false;   ///< of an update: it is one of floating numbers
  std::vector<std::optional<Through>> through = {};  ///< by dimension: where the index is one of those
  bool operator==(const Touch&) const = default;
};

struct Around {
  int id = 0;  ///< of the loop in this nest
  std::string variable;
  bool descending = false;
};

struct Site {
  int statement = -1;                                        ///< its number, which transformations carry along
  enum class Part { action, decision } part = Part::action;  ///< a decision is what `while` and `until` test
  std::vector<Around> loops;                                 ///< outermost first
  int sequence = 0;                                          ///< its place in the text
  math::Domain domain;                                       ///< variables: those of `loops`
  bool exact = true;                                         ///< it runs at every point of the domain
  std::vector<Touch> touches;
};

/// In the order of the text. `loops` is numbered.
std::vector<Site> sites(const loop::Stmt& loops);

/// How many of the outermost loops two statements have in common.
std::size_t common_loops(const Site& a, const Site& b);

}  // namespace trellis::schedule
