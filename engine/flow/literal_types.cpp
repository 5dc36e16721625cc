#include "engine/flow/literal_types.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;
using format::ScalarType;
using OwnType = std::optional<ScalarType>;

bool gives_truth(BinaryOp op) { return format::is_comparison(op) || format::is_logical(op); }
bool shifts(BinaryOp op) { return op == BinaryOp::shift_left || op == BinaryOp::shift_right; }

OwnType first_of(const OwnType& a, const OwnType& b) { return a ? a : b; }

OwnType operands(const Binary& b) {
  return shifts(b.op) ? own_type(b.left) : first_of(own_type(b.left), own_type(b.right));
}

OwnType arguments(const Call& call) {
  for (const Expr& argument : call.arguments)
    if (const OwnType own = own_type(argument)) return own;
  return std::nullopt;
}

}  // namespace

OwnType own_type(const Expr& e) {
  return e.match(
      [&](const Constant&) { return format::is_boolean(e->type) ? OwnType(e->type) : std::nullopt; },
      [&](const Unary& u) { return u.op == format::UnaryOp::logical_not ? OwnType(e->type) : own_type(u.operand); },
      [&](const Binary& b) { return gives_truth(b.op) ? OwnType(ScalarType::boolean) : operands(b); },
      [](const Select& s) { return first_of(own_type(s.then), own_type(s.otherwise)); },
      [](const Call& c) { return arguments(c); }, [](const After& a) { return own_type(a.value); },
      [&](const auto&) { return OwnType(e->type); });
}

ScalarType operand_type(const Binary& b, ScalarType wanted) {
  const ScalarType otherwise = format::is_logical(b.op)      ? ScalarType::boolean
                               : format::is_comparison(b.op) ? type_of_literals
                                                             : wanted;
  return operands(b).value_or(otherwise);
}

ScalarType arm_type(const Select& s, ScalarType wanted) {
  return first_of(own_type(s.then), own_type(s.otherwise)).value_or(wanted);
}

ScalarType argument_type(const Call& call, ScalarType wanted) { return arguments(call).value_or(wanted); }

ScalarType result_type(BinaryOp op, ScalarType left) { return gives_truth(op) ? ScalarType::boolean : left; }

}  // namespace trellis::flow
