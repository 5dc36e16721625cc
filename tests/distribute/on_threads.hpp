#pragma once
// A plan whose ranks are compiled, and run as threads of a child: what they neither own nor are sent is no number.

#include <doctest/doctest.h>

#include "engine/distribute/spmd.hpp"
#include "engine/run/backends.hpp"
#include "engine/session/running/compiled_ranks.hpp"

namespace trellis::distribute::testing {

using Tensors = std::map<std::string, tensor::Tensor>;

/// The kernel of a rank, and what it runs on.
struct Ready {
  run::Kernel kernel;
  run::RankJob job;
  std::string problem = {};
};

inline Ready ready(const Compilation& whole, const Cuts& cuts, const std::map<std::string, format::Value>& parameters,
                   const Tensors& tensors, run::Backend backend) {
  text::Diagnostics diagnostics;
  const auto of_rank = session::compiled_for_ranks(whole, diagnostics);
  if (!of_rank) return {{}, {}, "no kernel of ranks"};
  const run::RankPlan plan = session::rank_plan(*whole.distributed, *of_rank);
  run::Bindings bindings;
  for (const std::string& size : plan.sizes) bindings.sizes[size] = cuts.sizes.at(size);
  bindings.arrays = tensors;
  for (const auto& [name, value] : parameters)
    if (format::is_floating(value.type)) bindings.reals[name] = value.as_double();
  const auto made = run::compile(of_rank->module, backend, {});
  const auto* kernel = std::get_if<run::Kernel>(&made);
  if (!kernel) return {{}, {}, std::get<run::CompileError>(made).message + "\n" + of_rank->module.source};
  const auto job = run::rank_job(kernel->module(), plan, bindings, cuts.grid, cuts.places, true);
  return {*kernel, *job};
}

struct OnThreads {
  std::string problem;  ///< what went wrong; empty: nothing
  std::vector<run::RanksSent> sent;
  std::int64_t ended_after = 0;
};

/// Results are put into the tensors.
inline OnThreads run_on_threads(const Compilation& whole, const Cuts& cuts,
                                const std::map<std::string, format::Value>& parameters, const Tensors& tensors,
                                run::Backend backend = run::Backend::jit) {
  const Ready made = ready(whole, cuts, parameters, tensors, backend);
  if (!made.problem.empty()) return {made.problem, {}};
  const run::RanksOutcome ran = run::execute_on_threads(made.kernel, made.job, {.seconds = 20});
  return {ran.outcome.message, ran.sent, ran.outcome.ended_after};
}

}  // namespace trellis::distribute::testing
