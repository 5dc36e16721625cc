#pragma once
// The pipeline, from resolved kernel to C. A Compilation keeps every stage's value, so that `show`, the views and the
// tests read the very objects that the compiler used. compile.cpp is the page to open first.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/coiterate/lattice.hpp"
#include "engine/distribute/plan.hpp"
#include "engine/emit/module.hpp"
#include "engine/flow/flow.hpp"
#include "engine/flow/scan_look_ups.hpp"
#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/place/place.hpp"
#include "engine/results/find_operands.hpp"
#include "engine/results/written.hpp"
#include "engine/schedule/apply.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis {

/// Milliseconds each stage took, in pipeline order.
struct StageTimes {
  struct Entry {
    std::string stage;
    double ms;
  };
  std::vector<Entry> entries;
  double total() const;
};

struct Compilation {
  lang::Program program;
  lang::Program stored;  ///< with tensors as layouts store them: what `loops` and `flow` are about, once scheduled
  lang::Kernel kernel;
  std::shared_ptr<const place::Analysis> analysis = {};  ///< fragments, graph, dependences; shared by all orders
  std::optional<place::Placed> placed = {};              ///< nest before normalisation, events, certificate
  std::optional<place::Rejected> rejected = {};          ///< set instead of `placed` when the order is illegal
  loop::Stmt loops = {};                                 ///< normalised, scheduled, with workspaces and copies
  flow::Flow lowered = {};                               ///< control flow, before the passes over it
  flow::Flow flow = {};                                  ///< and after them
  emit::Module module = {};
  StageTimes times = {};
  bool order_chosen = false;                             ///< the user gave no order
  std::optional<place::Certificate> by_supernodes = {};  ///< of the order by partitions, where the schedule has some
  std::vector<schedule::Applied> steps = {};             ///< of the schedule: the loops before and after each
  std::optional<distribute::Plan> distributed = {};      ///< how it runs on ranks, if its schedule says so
  std::vector<results::Written> written = {};     ///< results in sparse formats, and the workspaces that they need
  std::vector<results::FindChoice> choices = {};  ///< which the kernel makes when it begins
  std::vector<flow::ScanProof> scans = {};        ///< of what is looked up by bisection otherwise
  std::vector<coiterate::Lattice> lattices = {};  ///< of the loops, outer ones before inner ones
};

/// Runs the whole pipeline. On failure the diagnostics say why, and the Compilation holds the stages that were reached;
/// an illegal order is in `rejected` alone, for explore/ to explain. Throws text::Cancelled, as the stages do.
Compilation compile(const lang::Program& program, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

/// The same with an analysis that is at hand already, as when trying another order of the same kernel.
Compilation compile(std::shared_ptr<const place::Analysis> analysis, text::Diagnostics& diagnostics,
                    const lang::Schedule& schedule);

/// What each rank runs of a kernel that is distributed, from the loops of its plan with its exchanges on
/// (distribute/spmd.hpp): an ordinary kernel with the ends of parts as sizes and a table of calls.
Compilation compile_rank(const Compilation& distributed, text::Diagnostics& diagnostics);

}  // namespace trellis
