#pragma once
// Where a kernel's tensors are cut on so many ranks, by what they hold: even in rows, by a matrix's rows and entries,
// or by parts of its graph, for which rows get other numbers.

#include <memory>
#include <vector>

#include "engine/distribute/cuts.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// As many as the program says; empty where it leaves that open.
std::vector<std::int64_t> ranks_of_program(const distribute::Plan& plan);

/// So many ranks, of which one number alone is about the first dimension, at the sizes that there are now. Empty is
/// reported (E0601, E0602; E0411 where there is no memory for parts). Warns of parts that are not even (W0212).
std::optional<distribute::Cuts> cuts_for(State& state, const Compilation& compilation, std::vector<std::int64_t> asked,
                                         text::Span at, text::Diagnostics& diagnostics);

/// The same with all that is shown of them: how even the parts are that are cut by a matrix, what is read through it,
/// and, where operands are filled in, what ranks want of what goes through their entries.
std::optional<distribute::Cuts> cuts_to_show(State& state, const std::shared_ptr<const Compilation>& compilation,
                                             std::vector<std::int64_t> asked, text::Span at,
                                             text::Diagnostics& diagnostics);

}  // namespace trellis::session
