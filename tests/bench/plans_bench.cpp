// Plans of lazy arrays beside the clock: every plan of each problem runs, and the one that is chosen is compared with
// the fastest.
#include <algorithm>

#include "engine/lazy/compute.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/measure.hpp"
#include "tests/lazy/problems.hpp"

namespace trellis::bench {
namespace {

using lazy::Alternative;

/// Plans that are estimated to take so many times as long as the best one are not run.
constexpr double hopeless = 100;

struct Contender {
  Alternative plan;
  lazy::Compiled compiled;
  double least_ms = 0;
};

run::Limits limits() {
  run::Limits limits;
  limits.trusted = true;
  return limits;
}

/// Milliseconds; none where it fails.
std::optional<double> run_once(const Contender& contender, const lazy::Tensors& tensors) {
  text::Diagnostics diagnostics;
  std::optional<lazy::Tensors> results;
  const double ms = time_once([&] { results = evaluate(contender.compiled, tensors, limits(), diagnostics); });
  return results ? std::optional(ms) : std::nullopt;
}

std::vector<Contender> contenders(const lazy::Problem& p) {
  std::vector<Contender> found;
  lazy::ComputeOptions options;
  options.limits = limits();
  const auto formats = lazy::formats_of(p.tensors);
  for (Alternative& plan : lazy::all_plans({p.query}, formats, lazy::counted_in(p.tensors), plan_options(options))) {
    if (!found.empty() && plan.cycles > hopeless * found.front().plan.cycles) continue;
    text::Sources sources;
    text::Diagnostics diagnostics;
    auto compiled =
        compile(plan.plan(), formats, only_small() ? run::Backend::jit : run::Backend::native, sources, diagnostics);
    if (compiled) found.push_back({std::move(plan), std::move(*compiled), 0});
  }
  return found;
}

/// In turns, the least of each, so that others on the machine disturb all of them alike.
void measure(std::vector<Contender>& all, const lazy::Tensors& tensors) {
  const int turns = only_once() ? 1 : 9;
  for (int turn = 0; turn < turns; ++turn) {
    double least = 0;
    for (const Contender& one : all)
      if (turn > 0 && (least == 0 || one.least_ms < least)) least = one.least_ms;
    for (Contender& one : all) {
      if (turn > 1 && &one != &all.front() && one.least_ms > 4 * least) continue;
      const double ms = run_once(one, tensors).value_or(1e9);
      one.least_ms = turn == 0 ? ms : std::min(one.least_ms, ms);
    }
  }
}

}  // namespace

Table bench_plans(const Options&) {
  Table table{"plans", "", {}};
  int close = 0, all = 0;
  double worst = 1;
  for (const auto spread : {lazy::Spread::even, lazy::Spread::skewed})
    for (const lazy::Problem& p : lazy::plan_problems(sized(2000, 20), spread)) {
      const std::string name = p.name + (spread == lazy::Spread::even ? ", even" : ", skewed");
      if (name.find(only_rows()) == std::string::npos) continue;
      std::vector<Contender> plans = contenders(p);
      if (plans.empty()) {
        table.broken.push_back(name);
        continue;
      }
      measure(plans, p.tensors);
      const auto& best = *std::ranges::min_element(plans, {}, &Contender::least_ms);
      const double times = plans.front().least_ms / best.least_ms;
      close += times <= 1.2;
      worst = std::max(worst, times);
      ++all;
      Row row{name, plans.front().least_ms, 0, "the fastest of " + std::to_string(plans.size()), best.least_ms, 0};
      table.rows.push_back(row);
    }
  table.remark = "the plan that is chosen beside the fastest one; " + std::to_string(close) + " of " +
                 std::to_string(all) + " within 1.2 of it, the worst " + std::to_string(worst).substr(0, 4) +
                 " (aim: nine of ten, 1.5)";
  return table;
}

}  // namespace trellis::bench
