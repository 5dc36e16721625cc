#include "engine/lazy/facts.hpp"

#include <algorithm>
#include <array>

#include "engine/lazy/operation.hpp"

namespace trellis::lazy {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;
using format::UnaryOp;

std::string_view name_of(Exactness exactness) { return exactness == Exactness::exact ? "exact" : "rounds"; }
Exactness both(Exactness a, Exactness b) { return std::max(a, b); }

std::string_view name_of(Law law) {
  switch (law) {
    case Law::semiring: return "semiring";
    case Law::first_operand: return "first operand";
    case Law::homomorphic: return "homomorphic";
    case Law::dual: return "dual";
  }
  return "";
}

std::optional<Exactness> Fact::of(format::ScalarType type) const {
  if (format::is_floating(type)) return floating;
  return format::is_boolean(type) ? boolean : integer;
}

namespace {

constexpr std::optional<Exactness> never = std::nullopt, exact = Exactness::exact, rounds = Exactness::rounds;

// Integers wrap, so that min(a + b) is no sum of a and a minimum there, nor max(-a) a minimum's negation: -(-2^63) is
// -2^63. max(a * b) would need a sign.
const std::array<Fact, 22> table_of_facts{{
    {Law::semiring, ReduceOp::sum, BinaryOp::multiply, rounds, exact, never},
    {Law::semiring, ReduceOp::min, BinaryOp::add, exact, never, never},
    {Law::semiring, ReduceOp::max, BinaryOp::add, exact, never, never},
    {Law::semiring, ReduceOp::any, BinaryOp::logical_and, never, never, exact},
    {Law::semiring, ReduceOp::all, BinaryOp::logical_or, never, never, exact},
    {Law::semiring, ReduceOp::min, Function::max, exact, exact, never},
    {Law::semiring, ReduceOp::max, Function::min, exact, exact, never},
    {Law::first_operand, ReduceOp::sum, BinaryOp::divide, rounds, never, never},
    {Law::first_operand, ReduceOp::min, BinaryOp::subtract, exact, never, never},
    {Law::first_operand, ReduceOp::max, BinaryOp::subtract, exact, never, never},
    {Law::homomorphic, ReduceOp::sum, BinaryOp::add, rounds, exact, never},
    {Law::homomorphic, ReduceOp::sum, BinaryOp::subtract, rounds, exact, never},
    {Law::homomorphic, ReduceOp::prod, BinaryOp::multiply, rounds, exact, never},
    {Law::homomorphic, ReduceOp::min, Function::min, exact, exact, never},
    {Law::homomorphic, ReduceOp::max, Function::max, exact, exact, never},
    {Law::homomorphic, ReduceOp::any, BinaryOp::logical_or, never, never, exact},
    {Law::homomorphic, ReduceOp::all, BinaryOp::logical_and, never, never, exact},
    {Law::dual, ReduceOp::sum, UnaryOp::negate, exact, exact, never, ReduceOp::sum},
    {Law::dual, ReduceOp::min, UnaryOp::negate, exact, never, never, ReduceOp::max},
    {Law::dual, ReduceOp::max, UnaryOp::negate, exact, never, never, ReduceOp::min},
    {Law::dual, ReduceOp::any, UnaryOp::logical_not, never, never, exact, ReduceOp::all},
    {Law::dual, ReduceOp::all, UnaryOp::logical_not, never, never, exact, ReduceOp::any},
}};

}  // namespace

std::span<const Fact> facts() { return table_of_facts; }

const Fact* find_fact(Law law, ReduceOp reduction, const Operator& op, format::ScalarType type) {
  const auto found = std::ranges::find_if(table_of_facts, [&](const Fact& fact) {
    return fact.law == law && fact.reduction == reduction && fact.op == op && fact.of(type);
  });
  return found == table_of_facts.end() ? nullptr : &*found;
}

Exactness exactness_of_regrouping(ReduceOp op, format::ScalarType type) {
  return is_idempotent(op) || !format::is_floating(type) ? Exactness::exact : Exactness::rounds;
}

Exactness exactness_of_association(const Operator& op, format::ScalarType type) {
  const bool sums = op == Operator(BinaryOp::add) || op == Operator(BinaryOp::multiply);
  return sums && format::is_floating(type) ? Exactness::rounds : Exactness::exact;
}

}  // namespace trellis::lazy
