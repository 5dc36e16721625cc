#include "engine/check/reference.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/check/loops.hpp"
#include "engine/check/machine.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/walk.hpp"

namespace trellis::check {

using format::Value;

namespace {

constexpr double most_terms = 1e9, most_sparse_terms = 2e7;
constexpr double most_terms_of_one = 2e9;  ///< a few minutes
constexpr double most_sparse_elements = 1e8;  ///< of results: a reference keeps every one
constexpr std::int64_t sampled_elements = 10'000;
// Timesteps are kept whole, and cannot be sampled: a kernel leaves only the last one.
constexpr double most_step_terms = 1e10;
constexpr double most_step_elements = 3e8;

text::Diagnostic described(text::Diagnostic problem) {
  if (!problem.instance) return problem;
  const text::Instance& i = *problem.instance;
  const std::string element = text::element_text(i.read, i.element);
  if (problem.code == "E0103") problem.instance_text = element + " is defined at " + text::to_string(i.at) + " and at " + text::to_string(i.written_at);
  else if (problem.code == "E0502" || problem.code == "E0504") problem.instance_text = "at " + text::to_string(i.at);
  else problem.instance_text = (i.at.empty() ? "it reads " : "at " + text::to_string(i.at) + " it reads ") + element;
  if (problem.code == "E0102" && !i.written_at.empty()) problem.instance_text += ", which is computed at " + text::to_string(i.written_at);
  return problem;
}

/// |got - expected| / max(1, |expected|); equal infinities and two not-a-numbers differ by nothing.
double relative_error(const Value& got, const Value& expected) {
  if (got == expected) return 0;
  const double g = got.as_double();
  const double e = expected.as_double();
  if (std::isnan(g) && std::isnan(e)) return 0;
  if (!std::isfinite(g) || !std::isfinite(e)) return g == e ? 0 : INFINITY;
  return std::abs(g - e) / std::max(1.0, std::abs(e));
}

/// Adds one element's comparison to the report.
void account(Report& report, const std::string& name, const tensor::Index& index, const Value& got, const Value& expected,
             double tolerance) {
  ++report.elements;
  const double error = relative_error(got, expected);
  report.max_rel_error = std::max(report.max_rel_error, error);
  const bool differs = format::is_floating(expected.type) ? error > tolerance : !(got == expected);
  if (differs && !report.first) report.first = Difference{name, index, got, expected};
}

Report compare_fully(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                     const std::map<std::string, tensor::Tensor>& after, double tolerance, const Interrupted& interrupted) {
  Report report;
  Evaluation reference = evaluate(program, kernel, before, interrupted);
  report.problem = std::move(reference.problem);
  if (report.problem) return report;
  for (const std::string& name : kernel.results()) {
    const tensor::Tensor& expected = reference.results.at(name);
    const auto found = after.find(name);
    if (found == after.end()) continue;
    const tensor::Tensor got = tensor::to_dense(found->second).value_or(found->second);
    each_index(expected.shape(), [&](const tensor::Index& index) {
      account(report, name, index, got.get(index), expected.get(index), tolerance);
      return true;
    });
  }
  return report;
}

bool any_sparse(const std::map<std::string, tensor::Tensor>& tensors) {
  return std::ranges::any_of(tensors, [](const auto& t) { return !t.second.dense(); });
}

/// How many elements are tried. Where each reads sparse operands, that is slow enough to count the terms.
std::int64_t samples_for(double terms, const State& before, const std::map<std::string, tensor::Tensor>& after) {
  if (!any_sparse(before.tensors) && !any_sparse(after)) return sampled_elements;
  double elements = 1;
  for (const auto& [name, tensor] : after) elements += static_cast<double>(tensor.count());
  const double affordable = most_sparse_terms / std::max(1.0, terms / elements);
  return std::clamp(static_cast<std::int64_t>(affordable), std::int64_t{100}, sampled_elements);
}

/// About `count` of the indices that are stored, evenly spread.
std::vector<tensor::Index> stored_indices(const tensor::Tensor& tensor, std::int64_t count) {
  std::vector<tensor::Index> found;
  const std::int64_t step = std::max<std::int64_t>(1, tensor.entries() / std::max<std::int64_t>(1, count));
  std::int64_t number = 0;
  tensor::for_each_entry(tensor, [&](const tensor::Index& index, const Value&) {
    if (number++ % step == 0) found.push_back(index);
  });
  return found;
}

/// Seeded elements and all corners, each recomputed from the kernel's own results; of a sparse result, stored ones as well.
Report compare_samples(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                       const std::map<std::string, tensor::Tensor>& after, double tolerance, double terms, const Interrupted& interrupted) {
  Report report;
  report.coverage = Report::Coverage::sampled;
  Machine machine(program, kernel, before, Machine::Purpose::single_elements, interrupted);
  machine.adopt(after);
  const auto share = samples_for(terms, before, after) / std::max<std::int64_t>(1, static_cast<std::int64_t>(machine.results().size()));
  for (int number : machine.results()) {
    const tensor::Index shape = machine.tensor(number).shape();
    if (machine.tensor(number).count() == 0) continue;
    auto try_element = [&](const tensor::Index& index) {
      auto expected = machine.recompute(number, index);
      if (machine.problem()) return false;
      if (expected) account(report, machine.name(number), index, machine.tensor(number).get(index), *expected, tolerance);
      return true;
    };
    tensor::Index corners;
    for (std::int64_t size : shape) corners.push_back(std::min<std::int64_t>(size, 2));
    each_index(corners, [&](tensor::Index index) {
      for (std::size_t d = 0; d < index.size(); ++d) index[d] *= shape[d] - 1;
      return try_element(index);
    });
    const auto kept = after.find(machine.name(number));
    if (kept != after.end() && !kept->second.dense())
      for (const tensor::Index& index : stored_indices(kept->second, share))
        if (!try_element(index)) break;
    std::mt19937_64 random(20260701);
    for (std::int64_t k = 0; k < share && !machine.problem(); ++k) {
      tensor::Index index;
      for (std::int64_t size : shape) index.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)));
      try_element(index);
    }
    if (machine.problem()) {
      report.problem = described(*machine.problem());
      return report;
    }
  }
  return report;
}

}  // namespace

Evaluation evaluate(const lang::Program& program, const lang::Kernel& kernel, const State& before, const Interrupted& interrupted) {
  if (kernel.loops) return evaluate_loops(program, kernel, before, most_loop_steps, interrupted);
  Evaluation evaluation;
  Machine machine(program, kernel, before, Machine::Purpose::all_elements, interrupted);
  if (!machine.take_steps()) {
    evaluation.problem = described(*machine.problem());
    return evaluation;
  }
  for (int number : machine.results()) {
    if (machine.has_steps(number)) continue;
    each_index(machine.tensor(number).shape(), [&](const tensor::Index& index) { return machine.demand(number, index); });
    if (machine.problem()) {
      evaluation.problem = described(*machine.problem());
      return evaluation;
    }
  }
  for (int number : machine.results()) evaluation.results.emplace(machine.name(number), machine.result(number));
  return evaluation;
}

Report compare(const lang::Program& program, const lang::Kernel& kernel, const State& before,
               const std::map<std::string, tensor::Tensor>& after, double tolerance, const Interrupted& interrupted) {
  const double terms = kernel.loops ? 0 : estimate_terms(program, kernel, before);
  const auto too_large = [&](const std::string& takes, const std::string& because) {
    Report report;
    report.problem = text::Diagnostic{};
    report.problem->code = "E0348";
    report.problem->span = kernel.span;
    report.problem->message = "kernel " + kernel.name + " takes too many " + takes + " to be checked";
    report.problem->notes.push_back({{}, "check it at a smaller size, as in -D n=100: " + because});
    return report;
  };
  if (!kernel.timesteps.empty() && (terms > most_step_terms || count_step_elements(program, kernel, before) > most_step_elements))
    return too_large("steps", "every step is kept, and none can be left out");
  double elements = 0;
  for (const auto& [name, tensor] : after) elements += static_cast<double>(tensor.count());
  if (terms / std::max(1.0, elements) > most_terms_of_one) return too_large("terms", "one element alone is a sum of so many that the reference evaluator needs hours");
  double sparse_elements = 0;
  for (const auto& [name, tensor] : after)
    if (!tensor.dense()) sparse_elements += static_cast<double>(tensor.count());
  const bool full = (terms <= most_terms && sparse_elements <= most_sparse_elements) || !kernel.timesteps.empty() || kernel.loops;
  return full ? compare_fully(program, kernel, before, after, tolerance, interrupted)
              : compare_samples(program, kernel, before, after, tolerance, terms, interrupted);
}

}  // namespace trellis::check
