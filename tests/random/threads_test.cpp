// Programs whose parallel loops append to results in sparse formats, on one thread and on several: the entries are sorted, none
// comes twice, and the values are those that the reference computes.
#include <doctest/doctest.h>

#include "tests/random/candidates.hpp"
#include "tests/random/generate_sparse.hpp"
#include "tests/random/random_schedule.hpp"

namespace trellis::randomised {
namespace {

Draft appends(Dice& dice) {
  const SparseWishes wishes{80, 95};
  Draft draft = generate_sparse(dice, wishes);
  if (dice.chance(30)) draft = with_schedule(std::move(draft), dice, wishes);
  return with_inherited(on_threads(std::move(draft), dice), dice);
}

bool counts_ahead(const Candidate& c) {
  bool found = false;
  flow::for_each_stmt(c.compilation.flow.root, [&](const flow::Stmt& s) {
    const auto* l = s.as<flow::Loop>();
    found |= l && l->counting;
  });
  return found;
}

TEST_CASE("random appends by threads: interpreter, jit and reference agree") {
  agree_in_process(first_seed(220000), wanted(24), appends, counts_ahead);
}
TEST_CASE("random appends by threads: native and reference agree") {
  agree_natively(first_seed(230000), wanted(12), appends, counts_ahead);
}

}  // namespace
}  // namespace trellis::randomised
