#pragma once
// What `run`, `check`, `time` and `orders time` share: a kernel with everything that it needs to run, and what to do
// with how it ended. Tensors in memory are never changed, only replaced: what ran before stays comparable, and can be
// undone.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/session/command/commands.hpp"

namespace trellis::session {

struct Prepared {
  std::shared_ptr<const Compilation> compilation;
  check::State before;     ///< what the kernel finds
  run::Bindings bindings;  ///< what it runs on
  std::size_t memory;      ///< that each array of a result may take which the kernel appends to
  tensor::Writer writer;

  std::map<std::string, tensor::Tensor> masks;  ///< by result: whose entries it has
  /// Sums of floating numbers that the run took in another order than its loops say, in words.
  std::vector<std::string> in_other_orders = {};

  /// Gives the bindings arrays of their own for the results, with the values from before, or empty with room to append.
  /// False when memory is refused.
  bool renew();
  /// After a run: what was appended becomes tensors that hold it. False is reported.
  bool publish(text::Span at, text::Diagnostics&, Exit&);
};

/// The sizes and integer parameters that have values now.
std::vector<math::Constraint> sizes_now(const State&, const lang::Program&);

/// What the kernel finds when it runs now. Empty is reported.
std::optional<check::State> found_by(State& state, const lang::Kernel& kernel, const lang::Program& program,
                                     text::Span at, text::Diagnostics& diagnostics);

/// Compiles the kernel and binds tensors and sizes, without running anything. Empty is reported.
std::optional<Prepared> prepare(State&, const lang::Kernel&, text::Span at, text::Diagnostics&, Exit&);

/// Reports how a run that started from `before` ended, unless it went well.
Exit report_failure(const run::Outcome&, const Compilation&, const check::State& before, text::Diagnostics&);

/// The placed order; of a loop program the one that was asked for, if any.
lang::Order order_that_ran(const Compilation&);

/// The bindings' results become the session's.
void keep_results(State&, const lang::Kernel&, Prepared, const Took&);

/// The kernels that a command is about: the named one, else all of them in the order in which they begin.
std::vector<lang::Kernel> chosen_kernels(State&, const std::optional<lang::syntax::Name>& name, Words&);

}  // namespace trellis::session
