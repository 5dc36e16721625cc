// Programs whose parallel loops append to results in sparse formats, on one thread and on several: the entries are
// sorted, none comes twice, and the values are those that the reference computes.
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

/// Of an operand all of whose rows are stored.
Draft appends_by_entries(Dice& dice) {
  using Texts = std::vector<std::string>;
  const auto matrix = [](const std::string& name, const std::string& format) {
    return "tensor " + name + "(n, n): f64 " + format;
  };
  Draft draft;
  draft.declarations = {matrix("A", dice.pick(Texts{"csr", "csr", "{dense, compressed(wide)}"})),
                        matrix("B", dice.pick(Texts{"csr", "{dense, compressed}", "{compressed, compressed}"})),
                        matrix("C", dice.pick(Texts{"csr", "csr", "{compressed, compressed}"}))};
  const Texts right{"sum(k)(A(i,k)*B(k,j))", "sum(k)(A(i,k)*A(k,j))", "A(i,j)*B(i,j)", "A(i,j) + B(i,j)", "2*A(i,j)"};
  draft.equations = {{"C(i,j)", leaf(dice.pick(right)), {}}};
  draft.schedule = {"parallel A"};
  return draft;
}

bool counts_whole_rows(const Candidate& c) {
  bool found = false;
  flow::for_each_stmt(c.compilation.flow.root, [&](const flow::Stmt& s) {
    const auto* l = s.as<flow::Loop>();
    const auto* e = s.as<flow::Coiterate>();
    found |= (l && l->counting && l->merge_path) || (e && e->counting && e->merge_path);
  });
  return found;
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
TEST_CASE("random appends by threads that take whole rows by entries: interpreter, jit, native and reference agree") {
  agree_in_process(first_seed(240000), wanted(20), appends_by_entries, counts_whole_rows);
  agree_natively(first_seed(245000), wanted(15), appends_by_entries, counts_whole_rows);
}

}  // namespace
}  // namespace trellis::randomised
