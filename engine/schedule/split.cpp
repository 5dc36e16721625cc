#include "engine/schedule/split.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;
using math::Affine;
using math::Constraint;

struct Splitting {
  const Split& how;
  std::vector<std::string> names;
  Moves moves = {};
  std::optional<Unfit> unfit = {};

  Stmt walk(const Stmt& stmt, const loop::Context& known) {
    const auto* f = stmt.as<For>();
    if (f && f->variable == how.loop) return divide(stmt, *f, known);
    bool first = true;
    return loop::map_children(
        stmt, [&](const Stmt& child) { return walk(child, known.within(stmt, std::exchange(first, false))); },
        [](const loop::Expr& expr) { return expr; });
  }

  Stmt divide(const Stmt& stmt, const For& f, const loop::Context& known) {
    const auto bounds = bounds_of(f, names);
    if (!bounds)
      unfit = {"E0144", "loop " + how.loop + " has no affine bounds to split",
               "its range depends on values that are only known while it runs"};
    if (f.until)
      unfit = {"E0144", "loop " + how.loop + " ends early, by until, and stays whole",
               "the loops inside it can be split"};
    if (unfit) return stmt;
    const Affine value = Affine::name(how.outer, how.factor) + Affine::name(how.inner);
    std::vector<Constraint> all{{0, math::Relation::less_equal, Affine::name(how.inner)},
                                {Affine::name(how.inner), math::Relation::less, how.factor}};
    for (const Constraint& c : *bounds) all.push_back(c.substitute({{how.loop, value}}));

    For outer = f, inner = f;
    outer.variable = how.outer;
    inner.variable = how.inner;
    outer = with_bounds(std::move(outer), eliminate(how.inner, all), known, names);
    inner = with_bounds(std::move(inner), all, known.inside(outer), names);
    inner.body = replace(f.body, how.loop, value, names, moves);
    outer.body = loop::block({rebuilt(std::move(inner), stmt)}, stmt.origin());
    outer.unroll = 1;
    outer.lanes = 1;
    outer.jam = 1;
    outer.registers = false;
    return rebuilt(std::move(outer), stmt);
  }
};

}  // namespace

Transformed split(const Stmt& loops, const Split& how, math::Solver& solver) {
  Splitting splitting{how, bound_names(loops)};
  splitting.names.insert(splitting.names.end(), {how.outer, how.inner});
  Stmt result = splitting.walk(loops, loop::Context(solver));
  if (splitting.unfit) return *splitting.unfit;
  return Moved{std::move(result), std::move(splitting.moves)};
}

}  // namespace trellis::schedule
