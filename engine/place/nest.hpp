#pragma once
// A finished tree as a loop nest: loops with the ranges of their statements, guards for what the ranges do not say,
// declarations and initial values of accumulators where they live, readiness markers as notes.

#include "engine/loop/stmt.hpp"
#include "engine/place/buffers.hpp"
#include "engine/place/naming.hpp"
#include "engine/place/temporaries.hpp"

namespace trellis::place {

struct Nest {
  loop::Stmt stmt;                            ///< a Block
  std::vector<lang::TensorInfo> temporaries;  ///< as shrunk
};

/// `violated`: reads that notes are to mark.
Nest build_nest(const Analysis& analysis, const Tree& tree, const std::vector<Initialiser>& initialisers,
                const BufferPlan& buffers, const std::vector<Violation>& violated = {});

}  // namespace trellis::place
