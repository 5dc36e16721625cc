#include "engine/lazy/rewrite.hpp"

#include <algorithm>
#include <array>

namespace trellis::lazy {

namespace {

double points(const Fields& fields) {
  double count = 1;
  for (const Field& field : fields) count *= static_cast<double>(field.size);
  return count;
}

/// What needs no reduction or moves nothing is left out first: it costs nothing and is in the way of other rules.
Rewriting tidied(Expr expr, Exactness allowed) {
  constexpr std::array<Rule, 2> rules = {drop_missing, drop_shape};
  Rewriting result{std::move(expr), {}};
  for (;;) {
    std::vector<Rewritten> found = rewritings(result.expr, rules);
    const auto step = std::ranges::find_if(found, [&](const Rewritten& r) { return r.how <= allowed; });
    if (step == found.end()) return result;
    result.steps.push_back({result.expr, step->expr, step->rule, step->how, std::move(step->reason)});
    result.expr = step->expr;
  }
}

/// A step and what it leaves to tidy.
Rewriting carried_out(const Expr& expr, Rewritten step, Exactness allowed) {
  Rewriting result = tidied(step.expr, allowed);
  result.steps.insert(result.steps.begin(), {expr, step.expr, step.rule, step.how, std::move(step.reason)});
  return result;
}

}  // namespace

double dense_work(const Expr& expr) {
  double work = 0;
  if (expr.as<Map>() || expr.as<Shape>()) work = points(expr->fields);
  if (const auto* a = expr.as<Agg>()) work = points(united(a->of->fields, a->over));
  if (const auto* a = expr.as<Arg>()) work = points(united(a->of->fields, {a->over}));
  for (const Expr& child : children(expr)) work += dense_work(child);
  return work;
}

Rewriting rewrite(const Expr& expr, Exactness allowed, std::span<const Rule> rules) {
  Rewriting result = tidied(expr, allowed);
  for (;;) {
    double least = dense_work(result.expr);
    std::optional<Rewriting> best;
    for (Rewritten& step : rewritings(result.expr, rules)) {
      if (step.how > allowed) continue;
      Rewriting next = carried_out(result.expr, std::move(step), allowed);
      const double work = dense_work(next.expr);
      if (work < least) least = work, best = std::move(next);
    }
    if (!best) return result;
    result.expr = best->expr;
    std::ranges::move(best->steps, std::back_inserter(result.steps));
  }
}

std::string to_string(const Applied& step) {
  return std::string(name_of(step.how)) + ", " + std::string(step.rule) + ": " + step.reason;
}

}  // namespace trellis::lazy
