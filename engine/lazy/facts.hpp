#pragma once
// What reductions and operators have to do with each other: the one table that rules ask (docs/design/arrays.md#facts).
// What operators are by themselves, coiteration knows (operation.hpp). A test tries each row on a grid of values of
// each type.

#include <optional>
#include <span>

#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

/// `exact`: the same elements, bit for bit. `rounds`: floating ones may differ in rounding, and where a value on the
/// way leaves the range of its type.
enum class Exactness { exact, rounds };
std::string_view name_of(Exactness exactness);
/// Of steps one after the other.
Exactness both(Exactness a, Exactness b);

/// ⊕ reduces, f is an operator, a lacks the field k that is reduced:
enum class Law {
  semiring,       ///< ⊕ f(a, b(k)) = f(a, ⊕ b(k)), and with operands exchanged; k takes some value
  first_operand,  ///< ⊕ f(b(k), a) = f(⊕ b(k), a); k takes some value
  homomorphic,    ///< ⊕ f(b(k), c(k)) = f(⊕ b(k), ⊕ c(k))
  dual            ///< ⊕ f(b(k)) = f(⊗ b(k))
};
std::string_view name_of(Law law);

struct Fact {
  Law law;
  format::ReduceOp reduction;
  Operator op;
  /// How it holds for each kind of type; not at all where none is said.
  std::optional<Exactness> floating, integer, boolean;
  format::ReduceOp dual = format::ReduceOp::user;  ///< ⊗
  std::optional<Exactness> of(format::ScalarType type) const;
};

std::span<const Fact> facts();
/// The row, where it holds for the type.
const Fact* find_fact(Law law, format::ReduceOp reduction, const Operator& op, format::ScalarType type);

/// How n equal values reduce to `repeated` of one (fills.hpp), and how reductions over several fields become one after
/// the other.
Exactness exactness_of_regrouping(format::ReduceOp op, format::ScalarType type);
/// The same of an operator whose operands are associated anew.
Exactness exactness_of_association(const Operator& op, format::ScalarType type);

}  // namespace trellis::lazy
