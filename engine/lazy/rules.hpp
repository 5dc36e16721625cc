#pragma once
// Rules from expression to expression: what one step makes of a node itself. No rule names an operator; they ask the
// table of facts (docs/design/arrays.md#rewrites).

#include <span>
#include <string>
#include <vector>

#include "engine/lazy/facts.hpp"

namespace trellis::lazy {

struct Rewritten {
  Expr expr;
  std::string_view rule;
  Exactness how;
  std::string reason;  ///< for people: what holds that allows it
};
using Rule = std::vector<Rewritten> (*)(const Expr&);

/// ⊕[k] a, where a lacks k: n*a, a^n, or a; what is reduced over nothing is the identity.
std::vector<Rewritten> drop_missing(const Expr& expr);
/// A shape operator, or an arg, along a field that its operand lacks: that repeats as before.
std::vector<Rewritten> drop_shape(const Expr& expr);
/// ⊕[i] ⊕[j] a = ⊕[i,j] a, and back.
std::vector<Rewritten> merge_reductions(const Expr& expr);
std::vector<Rewritten> split_reduction(const Expr& expr);
/// Operands without the reduced fields stand outside; groups of operands that share none are reduced apart.
std::vector<Rewritten> factor_out(const Expr& expr);
/// The same of an operator whose second operand lacks the fields: ⊕ (b(k) / a) = (⊕ b(k)) / a.
std::vector<Rewritten> factor_out_second(const Expr& expr);
/// One field at a time: the operands that have it, reduced over it, make an operand without it.
std::vector<Rewritten> eliminate_field(const Expr& expr);
/// ⊕ of each operand, of a choice whose condition lacks the fields, and the dual reduction below an operator.
std::vector<Rewritten> reduce_operands(const Expr& expr);
/// a ⊗ (b ⊕ c) = (a ⊗ b) ⊕ (a ⊗ c).
std::vector<Rewritten> distribute(const Expr& expr);

std::span<const Rule> all_rules();
/// Those that do not choose which operands of a product are reduced early: that is left to the planner.
std::span<const Rule> rules_before_plans();

/// All expressions that are one step away, anywhere below.
std::vector<Rewritten> rewritings(const Expr& expr, std::span<const Rule> rules = all_rules());

}  // namespace trellis::lazy
