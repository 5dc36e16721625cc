#pragma once
// What goes through sparse operands, as soon as these are filled in: which coordinates ranks want, so that what an
// exchange sends is counted before it is sent.
//
//   y(i) += A(i,k) * x(k)      of x a rank wants the coordinates that its rows of A have, and no others

#include <memory>

#include "engine/distribute/cuts.hpp"
#include "engine/distribute/graph_parts.hpp"

namespace trellis::distribute {

/// One operand that leads there: where its rows have entries, and which ranks have them.
struct Leader {
  const Pattern* pattern;                           ///< as the user numbers rows and coordinates
  int partition = -1;                               ///< of its rows; -1: each rank has all
  const std::vector<std::int64_t>* to = nullptr;    ///< coordinates in the numbers of ranks; null: the user's
  const std::vector<std::int64_t>* from = nullptr;  ///< by the ranks' numbers of rows the user's; null: the same
};

/// Of an exchange of which all reads are led to. `dimension`: of its tensor; `size`: how many coordinates that has.
Wants wants_of(const Plan& plan, const Cuts& cuts, const std::vector<Leader>& leaders, std::size_t dimension,
               std::int64_t size);

/// What is wanted of the plan's exchange; null: all that its sections have.
const Wants* wants(const Plan& plan, const Cuts& cuts, const Exchange& exchange);
/// Whether the exchange sends what `volume` counts, rather than at most that.
bool is_exact(const Cuts& cuts, const Exchange& exchange);

/// As `count_points`, of elements whose coordinate along the dimension is one of these, which rise.
std::int64_t count_among(const math::Domain& domain, const Numbers& numbers, std::size_t dimension,
                         const std::vector<std::int64_t>& coordinates);
/// As `count_points`, of what the reader wants.
std::int64_t count_wanted(const math::Domain& domain, const Numbers& numbers, const Wants* wants, std::int64_t reader);

}  // namespace trellis::distribute
