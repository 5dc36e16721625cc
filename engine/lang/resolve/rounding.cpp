// Quotients of integers, which round down. Whoever gave the result no type may not know that it is one of integers, and
// `f64(a(i) / 2)` converts what has been rounded: a note says so, and offers the exact quotient.

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using format::ScalarType;
using Kind = Natural::Kind;

namespace {

bool is_integral(const Natural& natural) {
  return natural.kind == Kind::integer || (natural.kind == Kind::fixed && format::is_integer(natural.type));
}

bool is_arithmetic(BinaryOp op) {
  return op == BinaryOp::add || op == BinaryOp::subtract || op == BinaryOp::multiply || op == BinaryOp::divide;
}

std::optional<std::int64_t> integer_literal(const syntax::Expr& e) {
  const auto* n = e.as<syntax::Number>();
  const NumberValue value = n ? number_value(n->spelling) : NumberValue{};
  return value.integral && !value.overflow ? std::optional(static_cast<std::int64_t>(value.magnitude)) : std::nullopt;
}

/// Also by zero, about which there is more to say.
bool divides_evenly(const syntax::Binary& quotient) {
  const auto dividend = integer_literal(quotient.left), divisor = integer_literal(quotient.right);
  return dividend && divisor && (*divisor == 0 || *dividend % *divisor == 0);
}

template <class Node>
syntax::Expr made_of(Node node, text::Span span) {
  return syntax::Expr(syntax::ExprNode{std::move(node), span});
}

syntax::Expr converted(ScalarType type, const syntax::Expr& e) {
  if (const auto* n = e.as<syntax::Number>()) return made_of(syntax::Number{n->spelling + ".0"}, e->span);
  syntax::Argument argument;
  argument.value = e;
  syntax::Reference cast{{std::string(format::name_of(type)), e->span}, {}, std::vector{argument}, {}};
  return made_of(std::move(cast), e->span);
}

/// The operands of which the value is made up by arithmetic: not indices, conditions or what has been converted.
bool passes_on(const Resolution& resolution, const syntax::Expr& e) {
  if (const auto* b = e.as<syntax::Binary>()) return is_arithmetic(b->op);
  if (const auto* u = e.as<syntax::Unary>()) return u->op == format::UnaryOp::negate;
  const auto* r = e.as<syntax::Reference>();
  return r && r->body && format::reduce_op(r->name.text) == format::ReduceOp::sum &&
         !resolution.has_meaning(r->name.text);
}

template <class F>
syntax::Expr map_operands(const Resolution& resolution, const syntax::Expr& e, F&& change) {
  if (!passes_on(resolution, e)) return e;
  if (const auto* r = e.as<syntax::Reference>()) {
    syntax::Reference reduction = *r;
    reduction.body = change(*r->body);
    return reduction.body->same(*r->body) ? e : made_of(std::move(reduction), e->span);
  }
  return map_children(e, change);
}

}  // namespace

std::optional<syntax::Expr> rounded_quotient(const Resolution& resolution, NaturalTypes& types, const syntax::Expr& e) {
  const auto* b = e.as<syntax::Binary>();
  if (b && b->op == BinaryOp::divide && is_integral(types.of(e)) && !divides_evenly(*b)) return e;
  std::optional<syntax::Expr> found;
  map_operands(resolution, e, [&](const syntax::Expr& operand) {
    if (!found) found = rounded_quotient(resolution, types, operand);
    return operand;
  });
  return found;
}

syntax::Expr with_exact_quotients(const Resolution& resolution, NaturalTypes& types, const syntax::Expr& e,
                                  ScalarType type) {
  if (!is_integral(types.of(e))) return e;
  if (rounded_quotient(resolution, types, e)) {
    const auto* b = e.as<syntax::Binary>();
    const bool flexible = types.of(e).kind == Kind::integer && b && b->op == BinaryOp::divide;
    if (flexible) return made_of(syntax::Binary{b->op, converted(type, b->left), b->right}, e->span);
    return map_operands(resolution, e, [&](const syntax::Expr& operand) {
      return with_exact_quotients(resolution, types, operand, type);
    });
  }
  return types.of(e).kind == Kind::fixed ? converted(type, e) : e;
}

namespace {

class Rounding {
 public:
  Rounding(Resolution& resolution, const Draft& draft) : resolution_(resolution), draft_(draft), types_(resolution) {}

  void hint() {
    const syntax::Expr& right = draft_.source->right;
    const TensorInfo* result = resolution_.tensor(draft_.tensor);
    const bool untold = result && result->kind == TensorInfo::Kind::implicit && format::is_integer(result->type);
    if (const auto quotient = untold ? rounded_quotient(resolution_, types_, right) : std::nullopt)
      return say(*quotient, with_exact_quotients(resolution_, types_, right, ScalarType::f64));
    hint_at_casts(right);
  }

 private:
  void hint_at_casts(const syntax::Expr& e) {
    const auto* r = e.as<syntax::Reference>();
    const auto type = r && r->arguments && r->arguments->size() == 1 ? format::scalar_type(r->name.text) : std::nullopt;
    if (type && format::is_floating(*type)) {
      const syntax::Expr& operand = r->arguments->front().value;
      if (const auto quotient = rounded_quotient(resolution_, types_, operand))
        say(*quotient, replaced(draft_.source->right, e, with_exact_quotients(resolution_, types_, operand, *type)));
    }
    if (!said_) for_each_child(e, [&](const syntax::Expr& child) { hint_at_casts(child); });
  }

  static syntax::Expr replaced(const syntax::Expr& in, const syntax::Expr& from, const syntax::Expr& to) {
    if (in.same(from)) return to;
    return map_children(in, [&](const syntax::Expr& child) { return replaced(child, from, to); });
  }

  void say(const syntax::Expr& quotient, const syntax::Expr& exact) {
    if (said_) return;
    said_ = true;
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0206";
    note.span = quotient->span;
    note.message = to_string(quotient) + " is a quotient of integers, which rounds down";
    syntax::Equation equation = *draft_.source;
    equation.right = exact;
    if (defined_once()) offer(draft_, equation, "the quotient as it is", note);
    resolution_.diagnostics.add(std::move(note));
  }

  /// Another equation would have to become one of that type as well.
  bool defined_once() const {
    std::ptrdiff_t count = 0;
    for (const KernelDraft& kernel : resolution_.kernels)
      count += std::ranges::count(kernel.equations, draft_.tensor, &Draft::tensor);
    return count == 1;
  }

  Resolution& resolution_;
  const Draft& draft_;
  NaturalTypes types_;
  bool said_ = false;
};

}  // namespace

void hint_at_rounding(Resolution& resolution) {
  if (resolution.tries) return;
  for (const KernelDraft& kernel : resolution.kernels)
    for (const Draft& draft : kernel.equations)
      if (draft.sound) Rounding(resolution, draft).hint();
}

}  // namespace trellis::lang::resolving
