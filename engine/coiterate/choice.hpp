#pragma once
// Statements that what they do keeps from being done again where nothing but the loop's coordinate changes:
//
//   if x(i) > m { m = x(i); at = i }                 a choice: what it guards makes its condition false
//   if i == gap { gap += 1 }                         a passing: a counter goes along with the coordinate
//
// argmin and argmax are choices that settle ties, so that it does not matter in which order candidates come.

#include <optional>
#include <vector>

#include "engine/loop/stmt.hpp"

namespace trellis::coiterate {

/// `if value > best { best = value; … }`, or with `<`, perhaps inside a `let` that names the value.
struct Choice {
  /// A candidate that is no better may win all the same: if it is as good and its index is less, if it is as good and
  /// the first of all, if it is the first of all, or never.
  enum class Ties { least, first, any_first, never };
  loop::Stmt statement;
  lang::Expr value, best;
  format::BinaryOp better = format::BinaryOp::less;
  Ties ties = Ties::never;
  lang::Expr at = {}, index = {};   ///< what keeps the index, where ties ask for it, and what that is
  std::vector<lang::Expr> targets;  ///< all that it writes, each of another tensor

  /// Of two equal ones the one of the least index, in whatever order they come.
  lang::Expr wins(const lang::Expr& candidate, const lang::Expr& its_index) const;
};

std::optional<Choice> choice_of(const loop::Stmt& s);

/// `if i == gap { counter += 1 }`, where `gap` is the counter, or that and something that stays.
struct Passing {
  lang::Expr counter, gap;
};

loop::Stmt pass(const std::string& variable, const Passing& passing, const loop::Stmt& from);
std::optional<Passing> passing_of(const loop::Stmt& s, const std::string& variable);

/// The statements of a body, remarks aside.
std::vector<loop::Stmt> statements_in(const loop::Stmt& body);

}  // namespace trellis::coiterate
