#include "engine/flow/updates.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;

/// On truth values, the bitwise operators are the logical ones.
std::optional<ReduceOp> reduction(BinaryOp op, format::ScalarType type) {
  const bool boolean = format::is_boolean(type);
  switch (op) {
    case BinaryOp::add: return boolean ? std::nullopt : std::optional(ReduceOp::sum);
    case BinaryOp::multiply: return ReduceOp::prod;
    case BinaryOp::logical_or: return ReduceOp::any;
    case BinaryOp::logical_and: return ReduceOp::all;
    case BinaryOp::bit_or: return boolean ? std::optional(ReduceOp::any) : std::nullopt;
    case BinaryOp::bit_and: return boolean ? std::optional(ReduceOp::all) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<ReduceOp> reduction(Function function) {
  if (function == Function::min) return ReduceOp::min;
  return function == Function::max ? std::optional(ReduceOp::max) : std::nullopt;
}

std::optional<Update> between(std::optional<ReduceOp> op, const std::string& function, const Assign& a,
                              const std::vector<Expr>& operands) {
  if (!op || operands.size() != 2) return std::nullopt;
  for (const int place : {0, 1}) {
    const auto* old = operands[static_cast<std::size_t>(place)].as<Value>();
    const Expr& other = operands[static_cast<std::size_t>(1 - place)];
    if (old && old->tensor == a.tensor && old->position == a.position && !mentions(other, a.tensor))
      return Update{*op, function, place, other};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Update> update_of(const Assign& a) {
  if (a.op) return mentions(a.value, a.tensor) ? std::nullopt : std::optional(Update{*a.op, "", 0, a.value});
  if (const auto* b = a.value.as<Binary>()) return between(reduction(b->op, a.value->type), "", a, {b->left, b->right});
  if (const auto* c = a.value.as<Call>()) return between(reduction(c->function), "", a, c->arguments);
  if (const auto* f = a.value.as<Apply>()) return between(ReduceOp::user, f->function, a, f->arguments);
  return std::nullopt;
}

std::optional<Once> once_of(const Assign& a) {
  const auto* const select = a.op ? nullptr : a.value.as<Select>();
  const auto* const test = select ? select->condition.as<Binary>() : nullptr;
  if (!test || test->op != BinaryOp::equal || !(test->left == select->otherwise)) return std::nullopt;
  const auto* const old = test->left.as<Value>();
  const auto* const open = test->right.as<Constant>();
  const bool own = old && old->tensor == a.tensor && old->position == a.position;
  if (!own || !open || mentions(select->then, a.tensor)) return std::nullopt;
  return Once{test->left, open->value, select->then};
}

std::optional<format::Value> annihilator(ReduceOp op, format::ScalarType type) {
  const auto number = [&](std::int64_t n) { return std::optional(format::Value::of_integer(type, n)); };
  const bool boolean = format::is_boolean(type);
  const bool natural = !boolean && !format::is_floating(type) && !format::is_signed(type);
  switch (op) {
    case ReduceOp::any: return boolean ? number(1) : std::nullopt;
    case ReduceOp::all: return boolean ? number(0) : std::nullopt;
    case ReduceOp::sum: return boolean ? number(1) : std::nullopt;
    case ReduceOp::prod: return format::is_floating(type) ? std::nullopt : number(0);
    case ReduceOp::min: return boolean || natural ? number(0) : std::nullopt;
    case ReduceOp::max: return boolean ? number(1) : type == format::ScalarType::u8 ? number(255) : std::nullopt;
    case ReduceOp::argmin:
    case ReduceOp::argmax:
    case ReduceOp::user: break;
  }
  return std::nullopt;
}

}  // namespace trellis::flow
