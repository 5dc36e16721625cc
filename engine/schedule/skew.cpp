#include "engine/schedule/skew.hpp"

#include "engine/loop/simplify_expressions.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;
using math::Affine;

struct Skewing {
  const Skew& how;
  std::vector<std::string> names;
  Moves moves = {};
  int found = 0;
  std::optional<Unfit> unfit = {};

  Stmt walk(const Stmt& stmt, bool inside) {
    const auto* f = stmt.as<For>();
    if (f && inside && f->variable == how.inner) return shift(stmt, *f);
    const bool enters = f && f->variable == how.outer;
    return loop::map_children(
        stmt, [&](const Stmt& child) { return walk(child, inside || enters); },
        [](const loop::Expr& expr) { return expr; });
  }

  Stmt shift(const Stmt& stmt, const For& f) {
    ++found;
    if (f.until) unfit = {"E0144", "loop " + how.inner + " ends early, by until, and cannot be skewed", ""};
    if (unfit) return stmt;
    const Affine by = Affine::name(how.outer, how.factor);
    const auto shifted = [&](const loop::Expr& bound, format::Function function) {
      const auto values = loop::alternatives(bound, function);
      if (values.empty())
        unfit = {"E0144", "loop " + how.inner + " has no affine bounds to skew",
                 "its range depends on values that are only known while it runs"};
      std::vector<loop::Expr> all;
      for (const Affine& value : values) all.push_back(lang::to_expr(value + by, names));
      if (all.size() == 1) return all.front();
      return loop::simplify(loop::Expr(lang::ExprNode{lang::Call{function, all}, format::ScalarType::i64, {}}));
    };
    For skewed = f;
    skewed.low = shifted(f.low, format::Function::max);
    skewed.high = shifted(f.high, format::Function::min);
    if (unfit) return stmt;
    skewed.body = replace(f.body, how.inner, Affine::name(how.inner) - by, names, moves);
    return rebuilt(std::move(skewed), stmt);
  }
};

}  // namespace

Transformed skew(const Stmt& loops, const Skew& how) {
  Skewing skewing{how, bound_names(loops)};
  Stmt result = skewing.walk(loops, false);
  if (skewing.unfit) return *skewing.unfit;
  if (skewing.found == 0)
    return Unfit{"E0141", "no loop over " + how.inner + " stands inside one over " + how.outer,
                 "skew names the outer loop first"};
  return Moved{std::move(result), std::move(skewing.moves)};
}

}  // namespace trellis::schedule
