#include "engine/coiterate/lower_expressions.hpp"

#include <cassert>

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/lower_presence.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/positions.hpp"
#include "engine/coiterate/recursion.hpp"

namespace trellis::coiterate {

namespace {

std::vector<Expr> lower_all(Context& in, const std::vector<lang::Expr>& all) {
  std::vector<Expr> lowered;
  for (const lang::Expr& e : all) lowered.push_back(lower_expr(in, e));
  return lowered;
}

Expr value(Context& in, const lang::Expr& e, const lang::Access& access) {
  const Descent at = descend(in, access);
  assert(at.levels == std::ssize(access.indices) && "every sparse level was walked or looked up");
  const Tensor& of = tensor(in, access.tensor);
  const Expr present = is_found(at.missing);
  if (of.pattern)
    return at.missing.empty() ? make(in, Constant{format::Value::truth(true)}, e) : Expr(*present, in.origins.here());
  const Expr stored = make(in, Value{of.name, at.position}, e);
  if (at.missing.empty()) return stored;
  return make(in, Select{present, stored, constant(of.fill)}, e);
}

}  // namespace

Expr lower_expr(Context& in, const lang::Expr& e) {
  return e.match([&](const lang::Constant& c) { return make(in, Constant{c.value}, e); },
                 [&](const lang::Parameter& p) {
                   in.parameters.insert(p.name);
                   const lang::ParameterInfo* info = in.program.parameter(p.name);
                   const bool real = info && info->real;
                   return make(in, Name{real ? Name::Kind::real : Name::Kind::size, p.name}, e);
                 },
                 [&](const lang::Variable& v) {
                   return in.origins.function ? make(in, Value{v.name, root()}, e)
                                              : make(in, Name{Name::Kind::variable, v.name}, e);
                 },
                 [&](const lang::Access& a) { return value(in, e, a); },
                 [&](const lang::Unary& u) {
                   return make(in, Unary{u.op, lower_expr(in, u.operand)}, e);
                 },
                 [&](const lang::Binary& b) {
                   Expr left = lower_expr(in, b.left);
                   Expr right = lower_expr(in, b.right);
                   return where_present(in, e, make(in, Binary{b.op, left, right}, e));
                 },
                 [&](const lang::Select& s) {
                   Expr condition = lower_expr(in, s.condition);
                   Expr then = lower_expr(in, s.then);
                   Expr otherwise = lower_expr(in, s.otherwise);
                   return make(in, Select{condition, then, otherwise}, e);
                 },
                 [&](const lang::Cast& c) { return make(in, Cast{lower_expr(in, c.operand)}, e); },
                 [&](const lang::Call& c) {
                   return where_present(in, e, make(in, Call{c.function, lower_all(in, c.arguments)}, e));
                 },
                 [&](const lang::Apply& a) {
                   in.applied.insert(a.function);
                   return where_present(in, e, make(in, Apply{a.function, lower_all(in, a.arguments)}, e));
                 },
                 [&](const lang::Reduce&) {
                   assert(false && "loops hold no reductions");
                   return integer(0);
                 },
                 [&](const lang::Shape&) {
                   assert(false && "loops hold no shape operators");
                   return integer(0);
                 },
                 [&](const lang::Stored& s) {
                   return make(in, flow::Stored{tensor(in, s.tensor).name, s.level}, e);
                 });
}

Expr any_of(Context& in, const std::vector<Conditions>& lists) {
  std::optional<Expr> any;
  for (const Conditions& conditions : lists) {
    std::optional<Expr> all;
    for (auto condition = conditions.rbegin(); condition != conditions.rend(); ++condition)
      all = both(lower_expr(in, *condition), all);
    any = any ? either(*any, all) : *all;
  }
  return *any;
}

}  // namespace trellis::coiterate
