#include "engine/check/reference.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/check/loops.hpp"
#include "engine/check/machine.hpp"
#include "engine/check/too_large.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/for_each_entry.hpp"

namespace trellis::check {

using format::Value;

namespace {

constexpr double tolerance = 1e-10;  ///< by elements, relative
constexpr double most_terms = 1e9, most_sparse_terms = 2e7;
constexpr double most_terms_of_one = 2e9;     ///< a few minutes
constexpr double most_sparse_elements = 1e8;  ///< of results: a reference keeps every one
constexpr std::int64_t sampled_elements = 10'000;
// Timesteps are kept whole, and cannot be sampled: a kernel leaves only the last one.
constexpr double most_step_terms = 1e10;
constexpr double most_step_elements = 3e8;

text::Diagnostic described(text::Diagnostic problem) {
  if (!problem.instance) return problem;
  const text::Instance& i = *problem.instance;
  const std::string element = text::element_text(i.read, i.element);
  if (problem.code == "E0103")
    problem.instance_text =
        element + " is defined at " + text::to_string(i.at) + " and at " + text::to_string(i.written_at);
  else if (problem.code == "E0502" || problem.code == "E0504") problem.instance_text = "at " + text::to_string(i.at);
  else problem.instance_text = (i.at.empty() ? "it reads " : "at " + text::to_string(i.at) + " it reads ") + element;
  if (problem.code == "E0102" && !i.written_at.empty())
    problem.instance_text += ", which is computed at " + text::to_string(i.written_at);
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
void account(Report& report, const std::string& name, const tensor::Index& index, const Value& got,
             const Value& expected) {
  ++report.elements;
  const double error = relative_error(got, expected);
  report.max_rel_error = std::max(report.max_rel_error, error);
  const bool differs = format::is_floating(expected.type) ? error > tolerance : !(got == expected);
  if (differs && !report.first) report.first = Difference{name, index, got, expected};
}

/// Two values that may be `bound` apart, or that are the same infinity or both not-a-number.
bool lies_within(const Value& got, const Value& expected, double bound) {
  return relative_error(got, expected) == 0 || std::abs(got.as_double() - expected.as_double()) <= bound;
}

Report compare_fully(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                     const std::map<std::string, tensor::Tensor>& after, const Interrupted& interrupted) {
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
      account(report, name, index, got.get(index), expected.get(index));
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

/// Each equation on the kernel's own results.
class Equations {
 public:
  Equations(const lang::Program& program, const lang::Kernel& kernel, const State& before,
            const std::map<std::string, tensor::Tensor>& after, Report::Coverage coverage,
            const Interrupted& interrupted)
      : program_(program),
        kernel_(kernel),
        before_(before),
        after_(after),
        machine_(program, kernel, before, Machine::Purpose::single_elements, interrupted) {
    report_.by = By::equations;
    report_.coverage = coverage;
    machine_.adopt(after);
  }

  Report all() {
    for (int number : machine_.results()) {
      each_index(machine_.tensor(number).shape(), [&](const tensor::Index& index) { return holds(number, index); });
      if (machine_.problem()) break;
    }
    return finish();
  }

  /// Seeded elements and all corners; of a sparse result, stored ones as well.
  Report samples(std::int64_t count) {
    const auto share = count / std::max<std::int64_t>(1, static_cast<std::int64_t>(machine_.results().size()));
    for (int number : machine_.results()) {
      if (machine_.tensor(number).count() > 0) sample(number, share);
      if (machine_.problem()) break;
    }
    return finish();
  }

 private:
  void sample(int number, std::int64_t share) {
    const tensor::Index shape = machine_.tensor(number).shape();
    tensor::Index corners;
    for (std::int64_t size : shape) corners.push_back(std::min<std::int64_t>(size, 2));
    each_index(corners, [&](tensor::Index index) {
      for (std::size_t d = 0; d < index.size(); ++d) index[d] *= shape[d] - 1;
      return holds(number, index);
    });
    const auto kept = after_.find(machine_.name(number));
    if (kept != after_.end() && !kept->second.dense())
      for (const tensor::Index& index : stored_indices(kept->second, share))
        if (!holds(number, index)) break;
    std::mt19937_64 random(20260701);
    for (std::int64_t k = 0; k < share && !machine_.problem(); ++k) {
      tensor::Index index;
      for (std::int64_t size : shape)
        index.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)));
      holds(number, index);
    }
  }

  /// False where it cannot be told. An element that no equation defines, or that a mask does not store, is as it was.
  bool holds(int number, const tensor::Index& index) {
    const std::string& name = machine_.name(number);
    const Value got = machine_.tensor(number).get(index);
    const auto right = machine_.recompute(number, index);
    if (machine_.problem()) return false;
    const auto found = before_.tensors.find(name);
    if (right) account(name, index, got, *right);
    else if (found != before_.tensors.end()) account(name, index, got, {{found->second.get(index), {}}});
    return true;
  }

  void account(const std::string& name, const tensor::Index& index, const Value& got,
               const Machine::Recomputed& right) {
    ++report_.elements;
    const double bound = right.rounded.rounding.bound();
    const Value& expected = right.rounded.value;
    if (!std::isfinite(bound)) {
      ++report_.undecided;
      return;
    }
    report_.max_rel_error = std::max(report_.max_rel_error, relative_error(got, expected));
    if (lies_within(got, expected, bound)) {
      if (bound > 0 && std::isfinite(expected.as_double()))
        report_.max_of_bound = std::max(report_.max_of_bound, std::abs(got.as_double() - expected.as_double()) / bound);
    } else if (!report_.first) {
      report_.first = Difference{name, index, got, expected, bound, {}};
      if (right.equation >= 0)
        report_.first->equation =
            lang::to_string(program_, kernel_.equations[static_cast<std::size_t>(right.equation)]);
    }
  }

  Report finish() {
    if (machine_.problem()) report_.problem = described(*machine_.problem());
    return std::move(report_);
  }

  const lang::Program& program_;
  const lang::Kernel& kernel_;
  const State& before_;
  const std::map<std::string, tensor::Tensor>& after_;
  Machine machine_;
  Report report_;
};

}  // namespace

Evaluation evaluate(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                    const Interrupted& interrupted) {
  if (kernel.loops) return evaluate_loops(program, kernel, before, most_loop_steps, interrupted);
  Evaluation evaluation;
  evaluation.problem = overflowing_constraint(program, kernel, before.parameters);
  if (evaluation.problem) return evaluation;
  Machine machine(program, kernel, before, Machine::Purpose::all_elements, interrupted);
  if (!machine.take_steps()) {
    evaluation.problem = described(*machine.problem());
    return evaluation;
  }
  for (int number : machine.results()) {
    if (machine.has_steps(number)) continue;
    each_index(machine.tensor(number).shape(),
               [&](const tensor::Index& index) { return machine.demand(number, index); });
    if (machine.problem()) {
      evaluation.problem = described(*machine.problem());
      return evaluation;
    }
  }
  for (int number : machine.results()) evaluation.results.emplace(machine.name(number), machine.result(number));
  evaluation.ended_after = machine.ended_after();
  return evaluation;
}

bool goes_by_equations(const lang::Kernel& kernel, By wanted) {
  return wanted == By::equations && kernel.timesteps.empty() && !kernel.loops;
}

Report compare(const lang::Program& program, const lang::Kernel& kernel, const State& before,
               const std::map<std::string, tensor::Tensor>& after, By wanted, const Interrupted& interrupted) {
  if (auto problem = overflowing_constraint(program, kernel, before.parameters)) {
    Report report;
    report.problem = std::move(problem);
    return report;
  }
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
  if (!kernel.timesteps.empty() &&
      (terms > most_step_terms || count_step_elements(program, kernel, before) > most_step_elements))
    return too_large("steps", "every step is kept, and none can be left out");
  double elements = 0;
  for (const auto& [name, tensor] : after) elements += static_cast<double>(tensor.count());
  if (terms / std::max(1.0, elements) > most_terms_of_one)
    return too_large("terms", "one element alone is a sum of so many that the reference evaluator needs hours");
  double sparse_elements = 0;
  for (const auto& [name, tensor] : after)
    if (!tensor.dense()) sparse_elements += static_cast<double>(tensor.count());
  const bool full =
      (terms <= most_terms && sparse_elements <= most_sparse_elements) || !kernel.timesteps.empty() || kernel.loops;
  if (full && !goes_by_equations(kernel, wanted)) return compare_fully(program, kernel, before, after, interrupted);
  Equations equations(program, kernel, before, after, full ? Report::Coverage::full : Report::Coverage::sampled,
                      interrupted);
  return full ? equations.all() : equations.samples(samples_for(terms, before, after));
}

}  // namespace trellis::check
