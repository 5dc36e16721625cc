#include "engine/distribute/legal.hpp"

#include <algorithm>

#include "engine/distribute/phases.hpp"
#include "engine/schedule/wording.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Assignment;
using math::Constraint;
using math::Relation;
using schedule::Dependence;
using schedule::Site;
using schedule::Touch;

/// Is it about order, and from a write? What is read before it is written again is a copy from before the phase.
bool binds(const Dependence& d) { return !d.commutes && writes(d.first); }

/// A declaration leaves a tensor without values, on each rank that comes there.
bool declares(const Nest& nest, const Dependence& d) {
  const auto is = [&](std::size_t site) {
    return nest.statements.at(nest.sites()[site].statement).as<loop::Declare>() != nullptr;
  };
  return is(d.source) || is(d.sink);
}

/// Within one execution of one phase that ranks share: the number of its loop.
std::optional<int> phase_within(const Plan& plan, const Nest& nest, const Dependence& d) {
  const Site &source = nest.sites()[d.source], &sink = nest.sites()[d.sink];
  const std::size_t common = schedule::common_loops(source, sink);
  for (std::size_t k = 0; k < common; ++k)
    if (const int loop = nest.number_of(source.loops[k]); plan.is_shared(loop))
      return d.level >= k ? std::optional(loop) : std::nullopt;
  return std::nullopt;
}

std::int64_t value(const Affine& form, const Assignment& point) {
  return form
      .evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
        for (const auto& [known, number] : point)
          if (known == name) return number;
        return std::nullopt;
      })
      .value_or(0);
}

std::int64_t total(const Assignment& sizes) {
  std::int64_t sum = 0;
  for (const auto& entry : sizes) sum += entry.second;
  return sum;
}

/// In a pipeline, what is handed on: how the coordinate that computes it lies to the one that needs it.
std::optional<Relation> handed_on(const Plan& plan, const Nest& nest, const Dependence& d, int phase,
                                  const std::string& ranks) {
  const auto pipeline = plan.pipelines.find(phase);
  if (pipeline == plan.pipelines.end() || pipeline->second.ranks != ranks || writes(d.second)) return std::nullopt;
  if (!is_at_home(plan, nest, nest.sites()[d.source], d.first, ranks)) return std::nullopt;
  return pipeline->second.descending ? Relation::greater : Relation::less;
}

/// A pair of the dependence whose coordinates along the ranks differ, but for those that lie so.
std::optional<Apart> apart_along(const Plan& plan, const Nest& nest, const Dependence& d, const std::string& ranks,
                                 math::Solver& solver, std::optional<Relation> allowed = {}) {
  const Site &source = nest.sites()[d.source], &sink = nest.sites()[d.sink];
  const auto one = place_of(plan, nest, source, ranks), other = place_of(plan, nest, sink, ranks);
  if (!one && !other) return std::nullopt;  // copies: each has computed it itself
  std::optional<Apart> least;
  const auto mark = schedule::marking(source.domain.variables);
  for (const Relation relation : {Relation::less, Relation::greater}) {
    if (relation == allowed) continue;
    math::Domain pairs = d.pairs;
    const Affine first = (one ? one->coordinate : other->coordinate).substitute(one ? mark : decltype(mark){});
    const Affine second = other ? other->coordinate : one->coordinate.substitute(mark);
    if (one && other) pairs.constraints.push_back({first, relation, second});
    const auto found = solver.smallest(pairs);
    if (!found) continue;
    Apart apart{d, ranks, {}, {}, {}, -1, value(first, *found), value(second, *found)};
    for (const auto& [name, number] : *found) {
      const bool is_source = !name.empty() && name.back() == '\'';
      const std::string plain = is_source ? name.substr(0, name.size() - 1) : name;
      const auto& variables = is_source ? source.domain.variables : sink.domain.variables;
      if (std::ranges::count(variables, plain) == 0) apart.sizes.emplace_back(name, number);
      else (is_source ? apart.source : apart.sink).emplace_back(plain, number);
    }
    if (!least || total(apart.sizes) < total(least->sizes)) least = std::move(apart);
  }
  return least;
}

}  // namespace

std::optional<Apart> find_apart(const Plan& plan, const Nest& nest, math::Solver& solver) {
  std::optional<Apart> least;
  for (const Dependence& d : nest.analysed.dependences) {
    const auto phase = phase_within(plan, nest, d);
    if (!binds(d) || declares(nest, d) || !phase) continue;
    for (const lang::RanksInfo& ranks : plan.grid) {
      auto apart =
          apart_along(plan, nest, d, ranks.name, solver, handed_on(plan, nest, d, phase.value_or(-1), ranks.name));
      if (apart) apart->phase = phase.value_or(-1);
      if (apart && (!least || total(apart->sizes) < total(least->sizes))) least = std::move(apart);
    }
  }
  return least;
}

std::set<int> ordered_phases(const Plan& plan, const Nest& nest, math::Solver& solver) {
  std::set<int> found;
  for (const Dependence& d : nest.analysed.dependences) {
    const auto phase = phase_within(plan, nest, d);
    if (!phase || found.contains(*phase)) continue;
    if (std::ranges::any_of(plan.grid, [&](const lang::RanksInfo& ranks) {
          return apart_along(plan, nest, d, ranks.name, solver).has_value();
        }))
      found.insert(*phase);
  }
  return found;
}

std::string to_string(const Apart& apart) {
  const schedule::Violation pair{apart.dependence, apart.sizes, apart.source, apart.sink};
  const text::Instance instance = schedule::to_instance(pair);
  const std::string element = text::element_text(apart.dependence.first.tensor, instance.element);
  const std::int64_t cut = std::max(apart.first, apart.second);
  const auto rank = [&](std::int64_t coordinate) { return coordinate < cut ? "0" : "1"; };
  const auto at = [](const math::Assignment& point) {
    text::Point shown;
    for (const auto& entry : point)
      if (entry.first.find('#') == std::string::npos) shown.push_back(entry);
    return text::to_string(shown);
  };
  std::string text = apart.sizes.empty() ? "" : text::to_string(apart.sizes) + ", ";
  text += "cut at " + std::to_string(cut) + ": " + at(apart.sink) + " on rank " + rank(apart.second);
  text += writes(apart.dependence.second) ? " writes " : " reads ";
  text += element + ", which rank " + rank(apart.first);
  return text + (writes(apart.dependence.second) ? " writes at " : " computes at ") + at(apart.source);
}

}  // namespace trellis::distribute
