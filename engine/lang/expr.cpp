#include "engine/lang/expr.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>

#include "engine/text/sequence.hpp"

namespace trellis::lang {

using format::BinaryOp;
using format::ScalarType;

Expr constant(format::Value value, bool absent) { return Expr(ExprNode{Constant{value, absent}, value.type, {}}); }
Expr integer(std::int64_t value) { return constant(format::Value::of_integer(ScalarType::i64, value)); }
Expr variable(std::string name) { return Expr(ExprNode{Variable{std::move(name)}, ScalarType::i64, {}}); }

Expr binary(BinaryOp op, Expr left, Expr right) {
  ScalarType type = format::is_comparison(op) || format::is_logical(op) ? ScalarType::boolean : left->type;
  text::Span span = text::cover(left->span, right->span);
  return Expr(ExprNode{Binary{op, std::move(left), std::move(right)}, type, span});
}

Expr cast(ScalarType type, Expr operand) {
  if (operand->type == type) return operand;
  text::Span span = operand->span;
  return Expr(ExprNode{Cast{std::move(operand)}, type, span});
}

std::string_view name_of(Shape::Op op) { return shape_op_names[static_cast<std::size_t>(op)]; }

std::optional<Shape::Op> shape_op(std::string_view name) {
  const auto at = std::ranges::find(shape_op_names, name);
  return at == shape_op_names.end() ? std::nullopt : std::optional(static_cast<Shape::Op>(at - shape_op_names.begin()));
}

namespace {

void collect_free(const Expr& expr, std::set<std::string>& bound, std::vector<std::string>& into) {
  auto add = [&](const std::string& name) {
    if (!bound.contains(name)) add_once(into, name);
  };
  if (const auto* v = expr.as<Variable>()) add(v->name);
  if (const auto* reduce = expr.as<Reduce>()) {
    std::set<std::string> inner = bound;
    inner.insert(reduce->domain.variables.begin(), reduce->domain.variables.end());
    collect_free(reduce->body, inner, into);
  } else if (const auto* shape = expr.as<Shape>()) {
    std::set<std::string> inner = bound;
    inner.insert(shape->from.begin(), shape->from.end());
    for (const Expr& part : shape->parts) collect_free(part, inner, into);
    for (const Expr& index : shape->to) collect_free(index, bound, into);
    if (shape->outside) collect_free(*shape->outside, bound, into);
  } else {
    for_each_child(expr, [&](const Expr& child) { collect_free(child, bound, into); });
  }
}

using Replacements = std::vector<std::pair<std::string, Expr>>;

Expr substitute_in_reduce(const Expr& expr, const Reduce& reduce, const Replacements& replacements) {
  Replacements inner;
  std::map<std::string, math::Affine> affine_ones;
  for (const auto& [name, replacement] : replacements) {
    const auto& bound = reduce.domain.variables;
    if (contains(bound, name)) continue;
    inner.emplace_back(name, replacement);
    if (auto form = affine(replacement)) affine_ones.emplace(name, *form);
    else
      assert(std::none_of(reduce.domain.constraints.begin(), reduce.domain.constraints.end(),
                          [&n = name](const math::Constraint& c) { return c.mentions(n); }));
  }
  math::Domain domain = reduce.domain.substitute(affine_ones);
  Expr body = substitute(reduce.body, inner);
  if (body.same(reduce.body) && domain == reduce.domain) return expr;
  return Expr(ExprNode{Reduce{reduce.op, std::move(domain), body, reduce.function}, expr->type, expr->span},
              expr.origin(), expr.id());
}

Expr substitute_in_shape(const Expr& expr, const Shape& shape, const Replacements& replacements) {
  Replacements inner;
  for (const auto& one : replacements)
    if (!contains(shape.from, one.first)) inner.push_back(one);
  std::size_t part = 0;  // they are the first children
  return map_children(
      expr, [&](const Expr& child) { return substitute(child, part++ < shape.parts.size() ? inner : replacements); });
}

}  // namespace

std::vector<std::string> free_variables(const Expr& expr) {
  std::set<std::string> bound;
  std::vector<std::string> names;
  collect_free(expr, bound, names);
  return names;
}

Expr substitute(const Expr& expr, const Replacements& replacements) {
  if (const auto* v = expr.as<Variable>()) {
    for (const auto& [name, replacement] : replacements)
      if (name == v->name) return replacement;
    return expr;
  }
  if (const auto* reduce = expr.as<Reduce>()) return substitute_in_reduce(expr, *reduce, replacements);
  if (const auto* shape = expr.as<Shape>()) return substitute_in_shape(expr, *shape, replacements);
  return map_children(expr, [&](const Expr& child) { return substitute(child, replacements); });
}

namespace {

/// What is wrong with this node itself, its children aside.
std::optional<std::string> verify_node(const Expr& expr) {
  using Problem = std::optional<std::string>;
  const ScalarType type = expr->type;
  auto unless = [](bool holds, const char* what) { return holds ? Problem() : Problem(what); };
  return expr.match(
      [&](const Constant& c) { return unless(c.value.type == type, "a constant's type differs from its node's"); },
      [&](const Parameter&) {
        return unless(type == ScalarType::i64 || type == ScalarType::f64, "a parameter is neither i64 nor f64");
      },
      [&](const Variable&) { return unless(type == ScalarType::i64, "an index variable is not i64"); },
      [&](const Access& a) {
        bool good = std::all_of(a.indices.begin(), a.indices.end(),
                                [](const Expr& index) { return index->type == ScalarType::i64; });
        return unless(good, "an index is not i64");
      },
      [&](const Unary& u) { return unless(u.operand->type == type, "a unary operator changes the type"); },
      [&](const Binary& b) {
        if (b.op == BinaryOp::shift_left || b.op == BinaryOp::shift_right)
          return unless(b.left->type == type, "a shift changes the type");
        if (b.left->type != b.right->type) return Problem("operands of two types");
        if (format::is_comparison(b.op)) return unless(type == ScalarType::boolean, "a comparison is not bool");
        return unless(b.left->type == type, "an operator changes the type");
      },
      [&](const Select& s) {
        if (s.condition->type != ScalarType::boolean) return Problem("a condition is not bool");
        return unless(s.then->type == type && s.otherwise->type == type, "arms of two types");
      },
      [&](const Cast&) { return Problem(); },
      [&](const Call& c) {
        bool good = std::all_of(c.arguments.begin(), c.arguments.end(),
                                [&](const Expr& argument) { return argument->type == type; });
        return unless(good, "arguments of two types");
      },
      [&](const Apply&) { return unless(true, ""); },
      [&](const Reduce& r) {
        if (format::is_arg(r.op))
          return unless(type == ScalarType::i64 && r.domain.variables.size() == 1, "argmin and argmax give an i64");
        return unless(r.body->type == type, "a reduction changes the type");
      },
      [&](const Shape& s) {
        bool good = std::all_of(s.parts.begin(), s.parts.end(), [&](const Expr& part) { return part->type == type; });
        good = good && (!s.outside || (*s.outside)->type == type);
        return unless(good && s.from.size() == s.from_sizes.size() && s.to.size() == s.to_sizes.size(),
                      "a shape operator changes the type, or lacks a size");
      },
      [&](const Stored&) { return unless(type == ScalarType::i64, "a number of entries is no i64"); });
}

}  // namespace

std::optional<std::string> verify(const Expr& expr) {
  auto problem = verify_node(expr);
  for_each_child(expr, [&](const Expr& child) {
    if (!problem) problem = verify(child);
  });
  return problem;
}

}  // namespace trellis::lang
