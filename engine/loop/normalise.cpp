#include "engine/loop/normalise.hpp"

#include <cassert>

#include "engine/loop/drop_implied_guards.hpp"
#include "engine/loop/guard_reductions.hpp"
#include "engine/loop/hoist_guards.hpp"
#include "engine/loop/join_guards.hpp"
#include "engine/loop/merge_blocks.hpp"
#include "engine/loop/simplify_expressions.hpp"
#include "engine/loop/split_bounds.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::loop {

namespace {

struct Pass {
  const char* name;
  Stmt (*run)(const Stmt&, math::Solver&, Singles);
};

const Pass passes[] = {
    {"simplify_expressions", [](const Stmt& s, math::Solver&, Singles) { return simplify_expressions(s); }},
    {"merge_blocks", [](const Stmt& s, math::Solver&, Singles) { return merge_blocks(s); }},
    {"hoist_guards", [](const Stmt& s, math::Solver& solver, Singles) { return hoist_guards(s, solver); }},
    {"drop_implied_guards",
     [](const Stmt& s, math::Solver& solver, Singles) { return drop_implied_guards(s, solver); }},
    {"merge_blocks", [](const Stmt& s, math::Solver&, Singles) { return merge_blocks(s); }},
    {"split_bounds", [](const Stmt& s, math::Solver& solver, Singles) { return split_bounds(s, solver); }},
    {"inline_single_iterations",
     [](const Stmt& s, math::Solver& solver, Singles singles) { return inline_single_iterations(s, solver, singles); }},
    {"merge_blocks", [](const Stmt& s, math::Solver&, Singles) { return merge_blocks(s); }},
};

/// Passes make room for each other; a nest settles after two or three rounds.
constexpr int most_repetitions = 6;

/// Numbers of the input become origins, which passes carry along.
Stmt start_stage(const Stmt& stmt) {
  const Stmt inner = map_children(
      stmt, [](const Stmt& child) { return start_stage(child); }, [](const Expr& expr) { return expr; });
  return Stmt(*inner, text::Origin{{text::Stage::placement, stmt.id()}});
}

/// Reductions are computed where they are read, and what reads them asks no more.
Stmt with_guards(const Stmt& stmt, const lang::Program& program) {
  return join_guards(merge_blocks(simplify_expressions(guard_reductions(stmt, program))), program);
}

}  // namespace

Stmt normalise(const Stmt& stmt, const lang::Program& program, math::Solver& solver, From from, Singles singles) {
  Stmt current = from == From::placement ? with_guards(start_stage(stmt), program) : stmt;
  assert(verify(current, program).empty());
  for (int round = 0; round < most_repetitions; ++round) {
    const Stmt before = current;
    for (const Pass& pass : passes) {
      text::stop_if_cancelled();
      current = pass.run(current, solver, singles);
      assert(verify(current, program).empty() && pass.name);
    }
    if (current.same(before) || current == before) break;
  }
  return number(current);
}

}  // namespace trellis::loop
