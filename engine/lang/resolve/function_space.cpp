#include "engine/lang/resolve/function_space.hpp"

#include <algorithm>

#include "engine/lang/function_apply.hpp"
#include "engine/lang/syntax_names.hpp"

namespace trellis::lang::resolving {

using format::ScalarType;
using syntax::bare_name;

namespace {

/// What the expression is where no tensor stores anything; itself where that depends on more.
Expr at_fill(const Resolution& resolution, const Expr& e) {
  const std::function<Expr(const Expr&)> absent = [&](const Expr& inner) -> Expr {
    if (const auto* a = inner.as<Access>()) return constant(resolution.tensor(a->tensor)->fill);
    return inner.as<Reduce>() ? inner : map_children(inner, absent);
  };
  const std::function<bool(const Expr&)> constant_only = [&](const Expr& inner) {
    bool all = !inner.as<Variable>() && !inner.as<Parameter>() && !inner.as<Reduce>();
    for_each_child(inner, [&](const Expr& child) { all = all && constant_only(child); });
    return all;
  };
  constexpr std::int64_t most_steps = 100'000;
  Function whole;
  whole.result = absent(e);
  if (!constant_only(whole.result)) return e;
  const Applied result = lang::apply(whole, {}, resolution.program.functions, most_steps);
  return result.end == Applied::End::finished ? constant(result.value) : e;
}

/// The space as a condition: each operand is other than at its fill. One without a fill always is.
Expr condition_of(const syntax::Expr& space,
                  const std::vector<std::pair<std::string, std::pair<Expr, Expr>>>& operands) {
  const auto truth = [&](auto node) { return Expr(ExprNode{std::move(node), ScalarType::boolean, space->span}); };
  if (const auto* u = space.as<syntax::Unary>())
    return truth(Unary{format::UnaryOp::logical_not, condition_of(u->operand, operands)});
  if (const auto* b = space.as<syntax::Binary>()) {
    const bool both = b->op == format::BinaryOp::bit_and;
    const Expr left = condition_of(b->left, operands), right = condition_of(b->right, operands);
    return truth(Binary{both ? format::BinaryOp::logical_and : format::BinaryOp::logical_or, left, right});
  }
  const std::string& name = *bare_name(space);
  const auto& [own, fill] =
      std::find_if(operands.begin(), operands.end(), [&](const auto& o) { return o.first == name; })->second;
  if (own.same(fill)) return constant(format::Value::truth(!own.as<Constant>()));
  const auto* const value = fill.as<Constant>();
  if (!format::is_boolean(own->type)) return truth(Binary{format::BinaryOp::not_equal, own, fill});
  return value->value.is_true() ? truth(Unary{format::UnaryOp::logical_not, own}) : own;
}

}  // namespace

Expr within_space(const Resolution& resolution, const DefinitionInfo& info, const Expr& applied) {
  const auto& apply = *applied.as<Apply>();
  std::vector<std::pair<std::string, std::pair<Expr, Expr>>> operands;
  Apply outside{apply.function, {}};
  for (std::size_t i = 0; i < apply.arguments.size(); ++i) {
    outside.arguments.push_back(at_fill(resolution, apply.arguments[i]));
    operands.push_back({info.source->parameters[i].text, {apply.arguments[i], outside.arguments.back()}});
  }
  const Expr elsewhere = at_fill(resolution, Expr(ExprNode{std::move(outside), applied->type, applied->span}));
  return Expr(ExprNode{Select{condition_of(*info.space, operands), applied, elsewhere}, applied->type, applied->span});
}

}  // namespace trellis::lang::resolving
