// Random programs whose results have sparse formats: behind the insertion of workspaces the loops compute what they
// did, and write those results by appending alone.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/loop/print.hpp"
#include "engine/results/apply_masks.hpp"
#include "engine/results/insert_workspaces.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/generate_loops.hpp"
#include "tests/random/generate_steps.hpp"
#include "tests/random/wanted.hpp"
#include "tests/schedule/append_watch.hpp"

namespace trellis::randomised {
namespace {

using results::Insertion;
using results::Written;

/// A program whose loops were made for dense tensors, and the same with other formats.
struct SparseSubject {
  Case program;
  loop::Stmt loops;
  lang::Program sparse;
  lang::Kernel kernel;
  std::string formats;
};

format::Format random_format(Dice& dice, int rank) {
  format::Format format = format::Format::dense(rank);
  format.name.clear();
  for (int d = rank - 1; d > 0; --d)
    std::swap(format.order[static_cast<std::size_t>(d)], format.order[static_cast<std::size_t>(dice.below(d + 1))]);
  for (format::Level& level : format.levels) level.name = dice.chance(50) ? "compressed" : "dense";
  format.levels.back().name = "compressed";
  return format;
}

std::optional<SparseSubject> sparse_subject(std::uint64_t seed, const Draft& draft) {
  auto program = read_case(to_string(draft), nullptr);
  if (!program) return std::nullopt;
  Dice dice(seed + 5);
  std::optional<Compilation> compilation;
  for (int attempt = 0; attempt < 4 && !compilation; ++attempt) {
    lang::Kernel ordered = program->kernel();
    if (!ordered.loops && attempt < 3) ordered.schedule.order = random_order(dice, ordered.variables());
    text::Diagnostics diagnostics;
    Compilation made = compile(program->program, ordered, diagnostics);
    if (!diagnostics.has_errors() && made.loops && !made.rejected) compilation = std::move(made);
  }
  if (!compilation) return std::nullopt;
  SparseSubject result{*program, compilation->loops, program->program, compilation->kernel, ""};
  result.kernel.inherited.clear();
  for (const std::string& name : result.kernel.results())
    for (lang::TensorInfo& tensor : result.sparse.tensors) {
      if (tensor.name != name || tensor.shape.empty() || !dice.chance(75)) continue;
      tensor.format = random_format(dice, static_cast<int>(tensor.shape.size()));
      if (dice.chance(30)) result.kernel.inherited.insert(name);
      result.formats += name + ": " + format::to_string(tensor.format) +
                        (result.kernel.inherited.contains(name) ? " inherited" : "") + "\n";
    }
  if (result.formats.empty()) return std::nullopt;
  return result;
}

std::optional<Insertion> inserted(const SparseSubject& s) {
  text::Diagnostics diagnostics;
  math::Solver solver(lang::size_assumptions(s.sparse));
  return results::insert_workspaces(s.loops, s.kernel, s.sparse, solver, diagnostics);
}

/// What the new loops do wrong at some size; empty when nothing.
std::string judge(const SparseSubject& s, const Insertion& insertion, std::uint64_t seed) {
  const std::string broken = loop::verify(insertion.loops, s.sparse);
  if (!broken.empty()) return broken;
  for (const Sizes& sizes : sizes_between(s.program.program, 0, 4)) {
    Dice dice(seed);
    check::State before = random_state(s.program.program, sizes, dice);
    schedule::testing::AppendWatch watch;
    for (const lang::TensorInfo& tensor : s.sparse.tensors) {
      if (tensor.format.all_dense()) continue;
      const bool holds = s.kernel.inherited.contains(tensor.name);
      if (!holds) before.tensors[tensor.name].reset();
      watch.watch(tensor, holds);
    }
    const check::State state = clone(before);
    const check::Evaluation reference = check::evaluate(s.program.program, s.program.kernel(), clone(before));
    if (reference.problem || is_rounded(reference.results)) continue;
    const auto execution =
        loop::interpret(insertion.loops, {state.parameters, state.tensors, s.program.program.functions}, {}, &watch);
    std::string found = execution.fault ? execution.fault->message : watch.complaint();
    for (const auto& [name, result] : reference.results)
      if (found.empty()) found = difference({{name, result}}, state.tensors);
    if (!found.empty()) return "at " + to_string(sizes) + ", " + found;
  }
  return "";
}

std::string trouble(const SparseSubject& s, std::uint64_t seed) {
  const auto insertion = inserted(s);
  return insertion ? judge(s, *insertion, seed) : "no loops";
}

void report(std::uint64_t seed, const Draft& original) {
  const Draft small = shrink(original, [&](const Draft& draft) {
    const auto s = sparse_subject(seed, draft);
    return s && !trouble(*s, seed).empty();
  });
  const SparseSubject s = *sparse_subject(seed, small);
  const auto insertion = inserted(s);
  FAIL_CHECK("seed ", seed, "\n", s.program.source, s.formats, loop::to_string(s.loops), "----\n",
             insertion ? loop::to_string(insertion->loops) : "", trouble(s, seed));
}

TEST_CASE("random programs: results in sparse formats are only appended to") {
  const int wanted = std::max(randomised::wanted(120), 30);  // so that each way comes
  const std::uint64_t first = first_seed(110000);
  std::map<Written::How, int> ways;
  int made = 0;
  for (std::uint64_t seed = first; made < wanted && seed < first + static_cast<std::uint64_t>(10 * wanted); ++seed) {
    Dice dice(seed);
    const Draft draft = seed % 4 == 0 ? generate_loops(dice) : seed % 4 == 1 ? generate_steps(dice) : generate(dice);
    const auto s = sparse_subject(seed, draft);
    if (!s) continue;
    ++made;
    const auto insertion = inserted(*s);
    REQUIRE(insertion);
    for (const Written& written : insertion->written) ++ways[written.how];
    if (!judge(*s, *insertion, seed).empty()) report(seed, draft);
  }
  CHECK(made == wanted);
  for (const Written::How how : {Written::How::append, Written::How::slices, Written::How::whole})
    CHECK(ways[how] > wanted / 20);
}

/// Nothing but the writes of `tensor` stand under the mask.
loop::Stmt guarded(const loop::Stmt& stmt, const lang::TensorInfo& tensor, const lang::TensorInfo& mask) {
  const auto* a = stmt.as<loop::Assign>();
  if (!a || a->target.as<lang::Access>()->tensor != tensor.name)
    return loop::map_children(
        stmt, [&](const loop::Stmt& s) { return guarded(s, tensor, mask); }, [](const loop::Expr& e) { return e; });
  const lang::Expr value(
      lang::ExprNode{lang::Access{mask.name, a->target.as<lang::Access>()->indices, {}}, mask.type, {}});
  lang::Expr condition = format::is_boolean(mask.type)
                             ? value
                             : lang::binary(format::BinaryOp::not_equal, value, lang::constant(mask.fill));
  if (format::is_boolean(mask.type) && mask.fill.is_true())
    condition = lang::Expr(lang::ExprNode{lang::Unary{format::UnaryOp::logical_not, value}, mask.type, {}});
  return loop::Stmt(loop::StmtNode{loop::If{condition, loop::block({stmt}), std::nullopt}, {}});
}

TEST_CASE("random programs: masks take in only what serves the elements that they leave out") {
  const int wanted = randomised::wanted(120);
  const std::uint64_t first = first_seed(130000);
  int made = 0, wider = 0;
  for (std::uint64_t seed = first; made < wanted && seed < first + static_cast<std::uint64_t>(20 * wanted); ++seed) {
    Dice dice(seed);
    const auto s = sparse_subject(seed, seed % 3 == 0 ? generate_loops(dice) : generate(dice));
    if (!s) continue;
    const std::string name = dice.pick(s->kernel.results());
    const lang::TensorInfo& tensor = *s->sparse.tensor(name);
    const lang::TensorInfo* mask = nullptr;
    for (const lang::TensorInfo& other : s->sparse.tensors)
      if (other.name != name && other.shape == tensor.shape && !tensor.shape.empty()) mask = &other;
    if (!mask) continue;
    ++made;
    lang::Kernel kernel = s->kernel;
    kernel.schedule.masks = {{name, mask->name, {}}};
    const loop::Stmt plain = guarded(s->loops, tensor, *mask),
                     masked = results::apply_masks(s->loops, kernel, s->sparse);
    CHECK(loop::verify(masked, s->sparse) == "");
    wider += !(plain == masked);
    for (const Sizes& sizes : sizes_between(s->program.program, 0, 4)) {
      check::State before = random_state(s->program.program, sizes, dice);
      if (!kernel.inherited.contains(name)) before.tensors[name].reset();
      const Ending expected = interpreted(s->program, plain, before), found = interpreted(s->program, masked, before);
      if (!expected.fault.empty() || is_rounded(expected.results)) continue;
      const std::string wrong = found.fault.empty() ? difference(expected.results, found.results) : found.fault;
      CHECK_MESSAGE(wrong.empty(), "seed ", seed, "\n", s->program.source, "mask ", name, " ", mask->name, "\n",
                    loop::to_string(s->loops), "----\n", loop::to_string(masked), wrong);
    }
  }
  CHECK(made == wanted);
  CHECK(wider > wanted / 10);
}

}  // namespace
}  // namespace trellis::randomised
