// Programs over sparse operands and results: what the loops, the just-in-time back end and the native one compute is
// what the reference computes of the same program without formats.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "engine/emit/emit.hpp"
#include "engine/flow/leave_early.hpp"
#include "engine/flow/march.hpp"
#include "engine/lang/gaps.hpp"
#include "engine/run/backends.hpp"
#include "tests/random/candidates.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/generate_growing.hpp"
#include "tests/random/generate_loops.hpp"
#include "tests/random/generate_merges.hpp"
#include "tests/random/generate_rows.hpp"
#include "tests/random/generate_runs.hpp"
#include "tests/random/generate_sparse.hpp"
#include "tests/random/generate_steps.hpp"
#include "tests/random/random_schedule.hpp"

namespace trellis::randomised {
namespace {

Draft sparse_operands(Dice& dice) { return generate_sparse(dice, {85, 0}); }
Draft sparse_results(Dice& dice) { return with_inherited(generate_sparse(dice, {75, 70}), dice); }
Draft undeclared_results(Dice& dice) { return generate_sparse(dice, {85, 30, true, 0, 80}); }
/// Does the program choose a sparse format for one? Bounds such as `i < n-1` may leave one less than no element, which
/// is refused where data is.
bool chooses_formats(const Candidate& c) {
  const auto implicit = [](const lang::TensorInfo& t) { return t.kind == lang::TensorInfo::Kind::implicit; };
  const auto any_size = [](const math::Affine& size) { return size.constant >= 0; };
  const auto& tensors = c.compilation.program.tensors;
  return std::ranges::any_of(tensors, [&](const auto& t) { return implicit(t) && lang::has_gaps(t.format); }) &&
         std::ranges::all_of(tensors,
                             [&](const auto& t) { return !implicit(t) || std::ranges::all_of(t.shape, any_size); });
}
Draft schedules(Dice& dice) {
  const SparseWishes wishes{75, 50};
  return with_inherited(with_schedule(generate_sparse(dice, wishes), dice, wishes), dice);
}
Draft recurrences(Dice& dice) {
  Draft draft = dice.chance(70) ? generate(dice) : generate_steps(dice);
  return with_inherited(with_formats(std::move(draft), dice, {75, 35}), dice);
}
/// What is computed and what it is computed of, both in runs: where one has a run the other may have several.
Draft recurrences_in_runs(Dice& dice) {
  return with_runs(dice.chance(50) ? generate_rows(dice) : generate(dice), dice);
}
/// Inside a gap nothing is evaluated, so that an index that would be out of range there is none of the kernel's.
bool stays_in_range(const Candidate& c) {
  return std::ranges::none_of(c.compilation.module.sites, [](const emit::FaultSite& site) {
    return site.kind == emit::FaultKind::index_out_of_range;
  });
}
Draft loop_programs(Dice& dice) { return with_inherited(with_formats(generate_loops(dice), dice, {80, 40}), dice); }

/// With everything marching that can; empty when nothing does.
std::optional<emit::Module> marching(const Candidate& c) {
  flow::Flow flow = c.compilation.flow;
  bool any = false;
  std::set<std::string> variables;
  flow::for_each_stmt(flow.root, [&](const flow::Stmt& s) {
    if (const auto* l = s.as<flow::Loop>()) variables.insert(l->variable);
    if (const auto* l = s.as<flow::Coiterate>()) variables.insert(l->variable);
  });
  for (const flow::Tensor& tensor : c.compilation.flow.tensors)
    for (const std::string& variable : variables)
      if (auto marched = flow::march(flow, tensor.name, variable); auto* better = std::get_if<flow::Flow>(&marched)) {
        flow = std::move(*better);
        any = true;
      }
  return any ? std::optional(emit::emit(flow)) : std::nullopt;
}

Draft endings(Dice& dice) {
  const SparseWishes wishes{75, 25, true, 100};
  Draft draft = generate_sparse(dice, wishes);
  return dice.chance(30) ? with_schedule(std::move(draft), dice, wishes) : draft;
}

bool leaves(const Candidate& c) { return flow::leaves_early(c.compilation.flow); }

Draft growing(Dice& dice) { return with_inherited(generate_growing(dice), dice); }

/// Is a result both appended to and read?
bool reads_what_grows(const Candidate& c) {
  std::set<std::string> appended, read;
  flow::for_each_stmt(c.compilation.flow.root, [&](const flow::Stmt& s) {
    if (const auto* a = s.as<flow::Append>()) appended.insert(a->tensor);
    if (const auto* l = s.as<flow::Locate>()) read.insert(l->tensor);
    if (const auto* l = s.as<flow::Coiterate>())
      for (const flow::Cursor& cursor : l->cursors) read.insert(cursor.tensor);
  });
  return std::ranges::any_of(appended, [&](const std::string& name) { return read.count(name) > 0; });
}

Draft reductions(Dice& dice) { return dice.chance(70) ? endings(dice) : loop_programs(dice); }

bool counts_gaps(const Candidate& c) {
  return std::ranges::any_of(c.compilation.flow.tensors,
                             [](const flow::Tensor& t) { return t.name.find("_seen") != std::string::npos; });
}

Draft operands_or_loops(Dice& dice) { return dice.chance(50) ? sparse_operands(dice) : loop_programs(dice); }

TEST_CASE("random sparse programs: pointers that march find what bisection finds") {
  try_others(first_seed(220000), wanted(60), operands_or_loops, [](const Candidate& c) {
    const auto module = marching(c);
    if (!module) return std::vector<std::string>();
    return std::vector<std::string>{differs(c.program, c.seed, run::compile(*module, run::Backend::jit))};
  });
}

TEST_CASE("random sparse operands: interpreter, jit and reference agree") {
  agree_in_process(first_seed(110000), wanted(90), sparse_operands);
}
TEST_CASE("random sparse operands: native and reference agree") {
  agree_natively(first_seed(120000), wanted(18), sparse_operands);
}
TEST_CASE("random merges: interpreter, jit and reference agree") {
  agree_in_process(first_seed(210000), wanted(90), generate_merges);
}
TEST_CASE("random early exits: interpreter, jit and reference agree") {
  agree_in_process(first_seed(230000), wanted(90), endings, leaves);
}
TEST_CASE("random early exits: native and reference agree") {
  agree_natively(first_seed(240000), wanted(18), endings, leaves);
}
TEST_CASE("random updates in gaps: interpreter, jit and reference agree") {
  agree_in_process(first_seed(250000), wanted(50), reductions, counts_gaps);
}
TEST_CASE("random sparse results: interpreter, jit and reference agree") {
  agree_in_process(first_seed(130000), wanted(90), sparse_results);
}
TEST_CASE("random sparse results: native and reference agree") {
  agree_natively(first_seed(140000), wanted(18), sparse_results);
}
TEST_CASE("random undeclared results: interpreter, jit and reference agree") {
  agree_in_process(first_seed(300000), wanted(80), undeclared_results, chooses_formats);
}
TEST_CASE("random undeclared results: native and reference agree") {
  agree_natively(first_seed(310000), wanted(12), undeclared_results, chooses_formats);
}
TEST_CASE("random sparse schedules: interpreter, jit and reference agree") {
  agree_in_process(first_seed(190000), wanted(60), schedules);
}
TEST_CASE("random sparse schedules: native and reference agree") {
  agree_natively(first_seed(200000), wanted(12), schedules);
}
TEST_CASE("random sparse recurrences: interpreter, jit and reference agree") {
  agree_in_process(first_seed(150000), wanted(60), recurrences);
}
TEST_CASE("random sparse recurrences: native and reference agree") {
  agree_natively(first_seed(160000), wanted(18), recurrences);
}
TEST_CASE("random recurrences in runs: interpreter, jit and reference agree") {
  agree_in_process(first_seed(165000), wanted(60), recurrences_in_runs, stays_in_range);
}
TEST_CASE("random loops over runs: interpreter, jit and reference agree") {
  agree_in_process(first_seed(285000), wanted(60), generate_runs, stays_in_range);
}
TEST_CASE("random results that grow: interpreter, jit and reference agree") {
  agree_in_process(first_seed(260000), wanted(120), growing, reads_what_grows);
}
TEST_CASE("random results that grow: native and reference agree") {
  agree_natively(first_seed(270000), wanted(12), growing, reads_what_grows);
}
TEST_CASE("random sparse loop programs: interpreter, jit and reference agree") {
  agree_in_process(first_seed(170000), wanted(60), loop_programs);
}
TEST_CASE("random sparse loop programs: native and reference agree") {
  agree_natively(first_seed(180000), wanted(10), loop_programs);
}

}  // namespace
}  // namespace trellis::randomised
