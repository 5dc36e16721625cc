#pragma once
// Conjunctions and disjunctions of conditions, kept small: neutral and repeated operands go, and a || (a && b) is a.
// Without that no twin has a shape: a quotient gives T && (T || L(j,j)).

#include <vector>

#include "engine/lang/expr.hpp"

namespace trellis::symbolic {

lang::Expr truth(bool value);
bool is_true(const lang::Expr& condition);
bool is_false(const lang::Expr& condition);

lang::Expr all_of(const std::vector<lang::Expr>& conditions);
lang::Expr any_of(const std::vector<lang::Expr>& conditions);

/// The operands of a chain of `&&`, or of `||`; the condition itself when it is none.
std::vector<lang::Expr> conjuncts(const lang::Expr& condition);
std::vector<lang::Expr> disjuncts(const lang::Expr& condition);

}  // namespace trellis::symbolic
