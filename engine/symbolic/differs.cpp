#include "engine/symbolic/differs.hpp"

#include <algorithm>

#include "engine/lang/properties.hpp"
#include "engine/symbolic/logic.hpp"

namespace trellis::symbolic {
namespace {

using format::ReduceOp;
using format::Value;
using lang::Expr;

class Difference {
 public:
  Difference(const lang::Program& program, const Stored& stored) : program_(program), stored_(stored) {}

  Expr of(const Expr& e, const Value& t) const {
    if (const auto* c = e.as<lang::Constant>()) return truth(!(c->value == t));
    if (const auto* a = e.as<lang::Access>()) return fill(e) == t ? stored_(*a) : truth(true);
    if (lang::affine_condition(e)) return t.is_true() ? negated(e) : e;
    if (const auto* r = e.as<lang::Reduce>()) return of(*r, e, t);
    if (const auto* s = e.as<lang::Select>()) return of(*s, t);
    return of_operation(e, t);
  }

 private:
  /// Only what an operand stores can make it other than its fill; several rules are all true at once.
  Expr of_operation(const Expr& e, const Value& t) const {
    const std::vector<Expr> parts = lang::operands(e);
    std::vector<Expr> rules;
    for (const auto& rule : lang::properties(e, program_).constants) {
      const Expr& part = parts[static_cast<std::size_t>(rule.position)];
      if (rule.result == t && !part.as<lang::Constant>()) rules.push_back(of(part, rule.value));
    }
    if (const auto fills = fills_of(parts); fills && lang::gives(e, *fills, t, program_)) {
      std::vector<Expr> stored;
      for (std::size_t k = 0; k < parts.size(); ++k) stored.push_back(of(parts[k], (*fills)[k]));
      rules.push_back(any_of(stored));
    }
    return rules.empty() ? truth(true) : all_of(rules);
  }

  Expr of(const lang::Select& s, const Value& t) const {
    const Expr then = of(s.then, t), otherwise = of(s.otherwise, t);
    if (!lang::affine_condition(s.condition)) return any_of({then, otherwise});
    return any_of({all_of({s.condition, then}), all_of({negated(s.condition), otherwise})});
  }

  /// Over nothing a reduction is its identity: of another value it may differ just there.
  Expr of(const lang::Reduce& r, const Expr& e, const Value& t) const {
    const auto neutral = format::neutral_element(r.op, e->type);
    if (r.op == ReduceOp::user || !neutral || !(*neutral == t)) return truth(true);
    Expr body = of(r.body, t);
    if (is_false(body)) return body;
    return Expr(
        lang::ExprNode{lang::Reduce{ReduceOp::any, r.domain, std::move(body)}, format::ScalarType::boolean, e->span},
        e.origin());
  }

  /// The value where no operand stores anything.
  std::optional<Value> fill(const Expr& e) const {
    if (const auto* c = e.as<lang::Constant>()) return c->value;
    if (const auto* a = e.as<lang::Access>()) return program_.tensor(a->tensor)->fill;
    if (e.as<lang::Variable>() || e.as<lang::Parameter>() || e.as<lang::Apply>()) return std::nullopt;
    if (const auto* r = e.as<lang::Reduce>()) {
      const auto neutral = r->op == ReduceOp::user ? std::nullopt : format::neutral_element(r->op, e->type);
      return neutral && fill(r->body) == neutral ? neutral : std::nullopt;
    }
    if (const auto* s = e.as<lang::Select>()) return fill(s->then) == fill(s->otherwise) ? fill(s->then) : std::nullopt;
    const auto fills = fills_of(lang::operands(e));
    return fills ? lang::evaluate(e, *fills) : std::nullopt;
  }

  std::optional<std::vector<Value>> fills_of(const std::vector<Expr>& parts) const {
    std::vector<Value> fills;
    for (const Expr& part : parts) {
      const auto value = fill(part);
      if (!value) return std::nullopt;
      fills.push_back(*value);
    }
    return fills;
  }

  static Expr negated(const Expr& condition) {
    return Expr(lang::ExprNode{lang::Unary{format::UnaryOp::logical_not, condition}, format::ScalarType::boolean,
                               condition->span},
                condition.origin());
  }

  const lang::Program& program_;
  const Stored& stored_;
};

}  // namespace

Expr differs(const Expr& expr, const Value& value, const lang::Program& program, const Stored& stored) {
  return Difference(program, stored).of(expr, value);
}

}  // namespace trellis::symbolic
