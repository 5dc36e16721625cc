#pragma once
// An algebra written out as a union of intersections, as few and as short as a greedy search finds.

#include <utility>
#include <vector>

#include "engine/coiterate/algebra.hpp"

namespace trellis::coiterate {

struct Cover {
  using Term = std::vector<std::pair<int, bool>>;  ///< literals, and whether they are present; ascending
  std::vector<Term> terms;
  bool whole = true;  ///< they are all; of very many there are the first
};
Cover cover(const Algebra& algebra, std::size_t most_terms);

}  // namespace trellis::coiterate
