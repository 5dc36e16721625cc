#pragma once
// `pipeline j 256`: a nest in which iterations of a loop that is dealt out need what earlier ones compute goes block by
// block of a loop inside it, and ranks hand on what they have computed behind every block.
//
//   for i in 1:n { for j in 1:m { … } }  →  for j_o in 0:(m + 255)/256 {
//                                             for i in 1:n { for j_i in … { … } } }   # dealt out, from rank to rank
//
// That the loops may change places is what schedule/certificate.hpp proves: i' < i has j' <= j wherever one of the two
// writes what the other touches.

#include <variant>

#include "engine/distribute/plan.hpp"
#include "engine/math/solver.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::distribute {

/// A loop over blocks of so many iterations, of which no other loop has the variable.
struct Blocks {
  std::string variable;
  std::int64_t size = 1;
};

/// The kernel's loops with one nest in blocks.
struct InBlocks {
  loop::Stmt loops;
  Blocks blocks;
};

/// `nest`: the number of a loop that is dealt out. E0154 where it holds no such loop, or they cannot change places.
std::variant<InBlocks, text::Diagnostic> in_blocks(const loop::Stmt& loops, int nest,
                                                   const lang::Schedule::Pipeline& asked, const lang::Program& program,
                                                   math::Solver& solver);

/// Notes where these loops are in the plan, as far as what they hold is dealt out.
void find_pipelines(Plan& plan, const std::vector<Blocks>& blocks);

}  // namespace trellis::distribute
