#pragma once
// Lazy arrays to numbers in one call: rewrite, plan, lower, compile, run.
//
//   const Computed c = compute({y.query("y")}, tensors, {}, sources, diagnostics).value();
//   c.results.at("y");  to_string(c.why());

#include <functional>
#include <memory>

#include "engine/lazy/evaluate.hpp"
#include "engine/lazy/find_why.hpp"
#include "engine/lazy/plan_cache.hpp"

namespace trellis::lazy {

/// A plan with its code.
struct Ready {
  Planning planning;
  std::shared_ptr<const Compiled> compiled;
};
using ReadyPlans = PlanCache<Ready>;

struct ComputeOptions {
  /// exact: bit for bit as the queries are written.
  Exactness allowed = Exactness::rounds;
  run::Backend backend = run::Backend::native;
  run::Limits limits = {};
  /// Where plans are kept for expressions that differ in names of fields and in data alone, as long as operands store
  /// about as much, up to a factor of four; null: nowhere. What stores ten times as much on the way as was expected, or
  /// as little, is planned anew the next time.
  ReadyPlans* plans = nullptr;
};

struct Computed {
  Tensors results;  ///< by name of the queries
  Planning planning;
  std::map<std::string, double> stored;  ///< entries of all that was made on the way, by name
  /// Plans again with other numbers of entries, and so takes longer than the planning did.
  std::function<Why()> why;
};

/// Empty when it cannot be compiled, a kernel fails or memory is refused, which is reported (E0501 to E0506). `tensors`
/// has the tables that no query produces, in any formats.
std::optional<Computed> compute(const std::vector<Query>& queries, const Tensors& tensors,
                                const ComputeOptions& options, text::Sources& sources, text::Diagnostics& diagnostics);

/// What a plan needs to know of tensors; one pass over the entries of each.
CountedTables counted_in(const Tensors& tensors);
/// Of a planner that will run with these options.
PlanOptions plan_options(const ComputeOptions& options, Seen seen = {});

}  // namespace trellis::lazy
