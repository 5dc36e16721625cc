#pragma once
// A kernel as each of its ranks runs it: the loops of the plan, localised, with what is sent between them as
// statements. Where the loops around an exchange stand matters to it by a few numbers only, its keys.
//
//   # ghosts of u for u(t%2,i-1): #0 = t%2, #1 = lo_p - 1       exchange start 0 of u at t%2
//   forall i in 1:n { … }                                  →    exchange finish 0 of u at t%2
//                                                               forall i in max(1, lo_p):min(n, hi_p) { … }

#include <string>

#include "engine/distribute/plan.hpp"
#include "engine/math/solver.hpp"

namespace trellis::distribute {

/// The sections of an exchange as constraints on its elements, sizes, ends of parts and keys, which are forms in the
/// variables of the loops around.
struct Keyed {
  std::vector<math::Affine> keys;
  std::vector<math::Domain> sections;
};
Keyed keyed(const Exchange& exchange);
/// That one exchange may have: TRELLIS_RANKS_KEYS (emit/abi/trellis_ranks.h).
constexpr std::size_t most_keys = 16;
/// Of a tensor that is sent: RANK_LEVELS (run/ranks/sections.h).
constexpr std::size_t most_levels = 16;
/// The name of a key in such sections, which is no name of the language.
std::string key_name(std::size_t key);

/// Why ranks of this plan are not compiled, but run by the interpreter of loops; "": they are.
std::string not_compiled(const Plan& plan);

/// Of the program as its ranks have it. While halos travel, iterations that need none are run (overlap.hpp).
loop::Stmt loops_of_rank(const Plan& plan, const lang::Program& program, math::Solver& solver);
/// The same program with the ends of parts among its parameters, and what is known of them.
lang::Program program_of_rank(const Plan& plan, const lang::Program& program);

}  // namespace trellis::distribute
