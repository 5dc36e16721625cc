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
  Tensors sparse = {};  ///< results in sparse formats as they are run on: with room, or with the levels of a mask
};

/// As a session has them for a run (Prepared::renew).
inline Tensors sparse_results(const emit::Module& module, const Tensors& tensors) {
  constexpr std::size_t most_bytes = std::size_t{1} << 26;
  Tensors made;
  for (const emit::Argument& a : module.arguments) {
    if (a.kind == emit::Argument::Kind::capacity) made[a.name] = *tensors.at(a.name).with_room(most_bytes);
    if (!a.entries_of.empty()) made[a.name] = *tensors.at(a.name).with_structure_of(tensors.at(a.entries_of));
  }
  return made;
}

/// After a run that ended well. False: a result has no room as its format keeps it.
inline bool put_sparse_results(Ready& ready, const Tensors& tensors) {
  for (auto& [name, result] : ready.sparse) {
    if (!result.publish()) return false;
    tensor::Tensor all = tensors.at(name);
    all.assign(result);
  }
  return true;
}

inline Ready ready(const Compilation& whole, const Cuts& cuts, const std::map<std::string, format::Value>& parameters,
                   const Tensors& tensors, run::Backend backend) {
  text::Diagnostics diagnostics;
  const auto of_rank = session::compiled_for_ranks(whole, diagnostics);
  if (!of_rank) return {{}, {}, "no kernel of ranks"};
  const run::RankPlan plan = session::rank_plan(*whole.distributed, *of_rank);
  run::Bindings bindings;
  for (const std::string& size : plan.sizes) bindings.sizes[size] = cuts.sizes.at(size);
  bindings.arrays = tensors;
  Tensors sparse = sparse_results(of_rank->module, tensors);
  for (const auto& [name, result] : sparse) bindings.arrays.insert_or_assign(name, result);
  for (const auto& [name, value] : parameters)
    if (format::is_floating(value.type)) bindings.reals[name] = value.as_double();
  const auto made = run::compile(of_rank->module, backend, {});
  const auto* kernel = std::get_if<run::Kernel>(&made);
  if (!kernel) return {{}, {}, std::get<run::CompileError>(made).message + "\n" + of_rank->module.source};
  const auto job = run::rank_job(kernel->module(), plan, bindings, cuts.grid, cuts.places, true);
  return {*kernel, *job, "", std::move(sparse)};
}

/// A result stayed as it was appended (Tensor::publish).
inline const std::string no_room = "a result has no room in its format";

struct OnThreads {
  std::string problem;  ///< what went wrong; empty: nothing
  std::vector<run::RanksSent> sent;
  std::int64_t ended_after = 0;
};

/// Results are put into the tensors.
inline OnThreads run_on_threads(const Compilation& whole, const Cuts& cuts,
                                const std::map<std::string, format::Value>& parameters, const Tensors& tensors,
                                run::Backend backend = run::Backend::jit) {
  Ready made = ready(whole, cuts, parameters, tensors, backend);
  if (!made.problem.empty()) return {made.problem, {}};
  const run::RanksOutcome ran = run::execute_on_threads(made.kernel, made.job, {.seconds = 20});
  if (ran.outcome.status == run::Outcome::Status::ok && !put_sparse_results(made, tensors)) return {no_room, {}};
  return {ran.outcome.message, ran.sent, ran.outcome.ended_after};
}

}  // namespace trellis::distribute::testing
