#pragma once
// What it takes to come by an operand's entries where others lead, as an expression over what is stored when the kernel
// begins. Loops over entries take as many iterations as fibers have on average.

#include <optional>
#include <vector>

#include "engine/coiterate/lattice.hpp"
#include "engine/lang/schedule.hpp"

namespace trellis::results {

/// How often an operand is asked, all of them f64 (docs/design/layouts.md#costs-of-finds).
struct Queries {
  lang::Expr asked;    ///< Q
  lang::Expr opened;   ///< V: fibers, one after the other
  lang::Expr reached;  ///< R: entries of a fiber
};

/// Every loop in which the operand is met with others, of which one leads, or all are walked.
std::vector<Queries> queries_for(const loop::Stmt& loops, const std::vector<coiterate::Lattice>& lattices,
                                 const lang::TensorInfo& tensor, const lang::Program& program);

/// In nanoseconds: docs/design/layouts.md#costs-of-finds.
lang::Expr cost_of(lang::Schedule::Find::How how, const std::vector<Queries>& queries, const lang::TensorInfo& tensor);

}  // namespace trellis::results
