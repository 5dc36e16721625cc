// Integers in a context of another width. They take the context's where it holds them; a sum, which is added up in 64
// bits, goes back into the type of its terms where a result was declared so, and wraps.

#include "engine/lang/resolve/integers.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using format::ScalarType;

namespace {

bool accumulates(const Resolution& resolution, const syntax::Reference& r) {
  if (kind_of(resolution, r) != ReferenceKind::reduction || !r.body) return false;
  const auto op = reduction_of(resolution, r);
  return op == format::ReduceOp::sum || op == format::ReduceOp::prod;
}

/// Is it made of operands in the type that it is asked for, rather than converted as a whole?
bool passes_width_on(const Resolution& resolution, const syntax::Expr& e) {
  if (e.as<syntax::Unary>() || e.as<syntax::Select>()) return true;
  if (const auto* b = e.as<syntax::Binary>()) return !format::is_comparison(b->op) && !format::is_logical(b->op);
  const auto* r = e.as<syntax::Reference>();
  return r && (kind_of(resolution, *r) == ReferenceKind::call || accumulates(resolution, *r));
}

}  // namespace

bool takes_width(format::ReduceOp op, const Natural& body, ScalarType wanted) {
  const bool adds = op == format::ReduceOp::sum || op == format::ReduceOp::prod;
  return adds && body.kind == Natural::Kind::fixed && format::is_integer(body.type) && format::is_integer(wanted);
}

/// Is it the same modulo 2^bits of the type, whether it is computed in that type or in a wider one?
bool Elaborator::wraps_alike(const syntax::Expr& e, ScalarType type) {
  if (const auto* n = e.as<syntax::Number>()) {
    const NumberValue value = number_value(n->spelling);
    return value.integral && !value.overflow && value.magnitude <= 127;
  }
  const Natural own = types_.of(e);
  if (own.kind == Natural::Kind::fixed && own.type == type) return true;
  if (const auto* u = e.as<syntax::Unary>()) return wraps_alike(u->operand, type);
  if (const auto* s = e.as<syntax::Select>()) return wraps_alike(s->then, type) && wraps_alike(s->otherwise, type);
  if (const auto* b = e.as<syntax::Binary>()) {
    const bool ring = b->op == BinaryOp::add || b->op == BinaryOp::subtract || b->op == BinaryOp::multiply ||
                      b->op == BinaryOp::bit_and || b->op == BinaryOp::bit_or || b->op == BinaryOp::bit_xor;
    return ring && wraps_alike(b->left, type) && wraps_alike(b->right, type);
  }
  const auto* r = e.as<syntax::Reference>();
  if (!r) return true;
  if (kind_of(resolution_, *r) == ReferenceKind::reduction)
    return accumulates(resolution_, *r) && wraps_alike(*r->body, type);
  return kind_of(resolution_, *r) == ReferenceKind::access || kind_of(resolution_, *r) == ReferenceKind::cast;
}

std::optional<Expr> Elaborator::in_another_width(const syntax::Expr& e, const Natural& own, ScalarType type) {
  if (!format::is_integer(own.type) || !format::is_integer(type) || !holds(type, own.plain)) return std::nullopt;
  const bool within = holds(type, own.type) ? passes_width_on(resolution_, e) : wraps_alike(e, type);
  const Expr value = elaborate_fitting(e, within ? type : own.type);
  return value ? cast(type, value) : value;
}

}  // namespace trellis::lang::resolving
