// Expressions in the type that their context needs.

#include <map>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using format::ScalarType;
using Kind = Natural::Kind;

namespace {

std::string text_of(ScalarType type) { return std::string(format::name_of(type)); }

syntax::Expr cast_syntax(ScalarType type, const syntax::Expr& operand) {
  syntax::Argument argument;
  argument.value = operand;
  syntax::Reference cast{{text_of(type), operand->span}, {}, std::vector{argument}, {}};
  return syntax::Expr(syntax::ExprNode{std::move(cast), operand->span});
}

template <class Node>
Expr make(Node node, ScalarType type, text::Span span) {
  return Expr(ExprNode{std::move(node), type, span});
}

}  // namespace

syntax::Expr as_number(const syntax::Expr& truth) {
  const auto number = [&](const char* spelling) {
    return syntax::Expr(syntax::ExprNode{syntax::Number{spelling}, truth->span});
  };
  return syntax::Expr(syntax::ExprNode{syntax::Select{truth, number("1"), number("0")}, truth->span});
}

Expr Elaborator::elaborate(const syntax::Expr& e, ScalarType type) {
  const Natural own = types_.of(e);
  const bool flexible = own.kind == Kind::integer || own.kind == Kind::real;
  const bool literal = e.as<syntax::Number>() || e.as<syntax::Character>() || e.as<syntax::Infinity>();
  if (flexible && format::is_boolean(type) && !literal) {
    auto& diagnostic = resolution_.error("E0221", e->span, "a number stands where a truth value is needed");
    diagnostic.notes.push_back({{}, "compare it, as in x != 0"});
    return {};
  }
  if (own.kind == Kind::fixed && own.type != type) {
    const std::optional<Expr> converted = in_another_width(e, own, type);
    return converted ? *converted : mismatch(e, own.type, type);
  }
  return elaborate_fitting(e, type);
}

Expr Elaborator::mismatch(const syntax::Expr& e, ScalarType own, ScalarType needed) {
  if (!elaborate_fitting(e, own)) return {};  // what is wrong inside comes first
  if (format::is_boolean(needed)) {
    auto& diagnostic =
        resolution_.error("E0221", e->span, "a condition must be a truth value", "this is " + text_of(own));
    diagnostic.notes.push_back({{}, "compare it, as in x != 0"});
    return {};
  }
  auto& diagnostic = resolution_.error("E0220", e->span,
                                       std::string(own >= ScalarType::u64 ? "a " : "an ") + text_of(own) +
                                           " value stands where " + text_of(needed) + " is needed",
                                       "this is " + text_of(own));
  if (draft_.source && format::is_boolean(own))
    offer(draft_, rewritten(draft_, e, as_number(e)), "1 where it holds", diagnostic);
  const bool rounds = format::is_floating(needed) && rounded_quotient(resolution_, types_, e);
  if (draft_.source && rounds)
    offer(draft_, rewritten(draft_, e, with_exact_quotients(resolution_, types_, e, needed)), "the quotient as it is",
          diagnostic);
  if (draft_.source)
    offer(draft_, rewritten(draft_, e, cast_syntax(needed, e)), rounds ? "the quotient rounded down" : "converts it",
          diagnostic);
  else diagnostic.notes.push_back({{}, "convert it, as in " + to_string(cast_syntax(needed, e))});
  return {};
}

Expr Elaborator::elaborate_index(const syntax::Expr& e) {
  const Natural own = types_.of(e);
  if (own.kind == Kind::fixed && format::is_integer(own.type)) {
    Expr index = elaborate_fitting(e, own.type);
    return index ? cast(ScalarType::i64, index) : index;
  }
  return elaborate(e, ScalarType::i64);
}

Expr Elaborator::elaborate_fitting(const syntax::Expr& e, ScalarType type) {
  auto literal = [&]() -> Expr {
    auto value = literal_value(resolution_, e, type);
    return value ? make(Constant{*value}, type, e->span) : Expr();
  };
  return e.match([&](const syntax::Number&) { return literal(); }, [&](const syntax::Character&) { return literal(); },
                 [&](const syntax::Truth&) { return literal(); }, [&](const syntax::Infinity&) { return literal(); },
                 [&](const syntax::Missing&) { return missing(e, type); },
                 [&](const syntax::Tuple&) {
                   resolution_.error("E0213", e->span, "a tuple is no value");
                   return Expr();
                 },
                 [&](const syntax::Reference& r) { return reference(e, r, type); },
                 [&](const syntax::Unary& u) { return unary(e, u, type); },
                 [&](const syntax::Binary& b) { return binary_operation(e, b, type); },
                 [&](const syntax::Select& s) { return select(e, s, type); });
}

Expr Elaborator::unsupported(const syntax::Expr& e, const std::string& operation, ScalarType type) {
  resolution_.error("E0223", e->span, operation + " is not defined for " + text_of(type));
  return {};
}

Expr Elaborator::unary(const syntax::Expr& e, const syntax::Unary& u, ScalarType type) {
  const bool literal =
      u.operand.as<syntax::Number>() || u.operand.as<syntax::Character>() || u.operand.as<syntax::Infinity>();
  if (u.op == format::UnaryOp::negate && literal) {
    auto value = literal_value(resolution_, e, type);
    return value ? make(Constant{*value}, type, e->span) : Expr();
  }
  Expr operand = elaborate(u.operand, type);
  if (!operand) return {};
  if (u.op == format::UnaryOp::bit_not && format::is_boolean(type))
    return make(Unary{format::UnaryOp::logical_not, operand}, type, e->span);
  if (u.op == format::UnaryOp::bit_not && !format::is_integer(type)) return unsupported(e, "~", type);
  if (u.op == format::UnaryOp::negate && format::is_boolean(type)) return unsupported(e, "-", type);
  return make(Unary{u.op, operand}, type, e->span);
}

Expr Elaborator::binary_operation(const syntax::Expr& e, const syntax::Binary& b, ScalarType type) {
  if (format::is_logical(b.op)) return logical(e, b);
  if (!format::is_comparison(b.op)) return arithmetic(e, b, type);
  const ScalarType sides = default_type(join(types_.of(b.left), types_.of(b.right)));
  Expr left = elaborate(b.left, sides);
  Expr right = elaborate(b.right, sides);
  if (!left || !right) return {};
  return make(Binary{b.op, left, right}, ScalarType::boolean, e->span);
}

/// Where an index is divided by parameters, their value makes the quotient quasi-affine.
Expr Elaborator::with_known_divisor(BinaryOp op, const Expr& dividend, const Expr& divisor) {
  const bool divides = op == BinaryOp::divide || op == BinaryOp::modulo;
  if (!divides || divisor.as<Constant>() || !affine(dividend)) return divisor;
  const auto form = affine(divisor);
  const auto value = form ? constant_divisor(resolution_, *form) : std::nullopt;
  return value ? make(Constant{format::Value::of_integer(ScalarType::i64, *value)}, ScalarType::i64, divisor->span)
               : divisor;
}

Expr Elaborator::arithmetic(const syntax::Expr& e, const syntax::Binary& b, ScalarType type) {
  const std::string symbol(format::symbol(b.op));
  Expr left = elaborate(b.left, type);
  Expr right;
  if (b.op == BinaryOp::shift_left || b.op == BinaryOp::shift_right) {
    const Natural count = types_.of(b.right);
    right = count.kind == Kind::fixed ? elaborate(b.right, count.type) : elaborate(b.right, type);
    if (right && !format::is_integer(right->type)) return unsupported(e, "a shift's count", right->type);
  } else {
    right = elaborate(b.right, type);
  }
  if (!left || !right) return {};
  right = with_known_divisor(b.op, left, right);
  // Of one bit each.
  static const std::map<BinaryOp, BinaryOp> of_truth = {{BinaryOp::bit_and, BinaryOp::logical_and},
                                                        {BinaryOp::bit_or, BinaryOp::logical_or},
                                                        {BinaryOp::bit_xor, BinaryOp::not_equal}};
  if (format::is_boolean(type) && of_truth.count(b.op))
    return make(Binary{of_truth.at(b.op), left, right}, type, e->span);
  if (format::is_boolean(type)) return unsupported(e, symbol, type);
  if (format::is_bitwise(b.op) && !format::is_integer(type)) return unsupported(e, symbol, type);
  return make(Binary{b.op, left, right}, type, e->span);
}

}  // namespace trellis::lang::resolving
