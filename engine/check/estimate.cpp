// How much work a full evaluation is: the points of each equation's domain, times those of its reductions. Long loops
// are sampled at evenly spaced values, so the count of a triangle is close and the question costs nothing.

#include <algorithm>

#include "engine/check/nest.hpp"
#include "engine/check/reference.hpp"
#include "engine/math/division.hpp"

namespace trellis::check {

using math::Affine;
using math::Constraint;

namespace {

using Point = std::map<std::string, std::int64_t>;

class Estimate {
 public:
  explicit Estimate(Values parameters) : parameters_(std::move(parameters)) {}

  double equation(const lang::Equation& equation) {
    return over(equation.domain, [&] { return 1 + reductions(equation.right); });
  }

 private:
  static constexpr std::int64_t samples = 12;

  std::int64_t value(const Affine& form) const {
    return form
        .evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
          auto known = point_.find(name);
          return known == point_.end() ? std::nullopt : std::optional(known->second);
        })
        .value_or(0);
  }

  bool holds(const std::vector<Constraint>& conditions) const {
    return std::all_of(conditions.begin(), conditions.end(), [&](const Constraint& c) {
      return c.holds([&](const std::string& name) { return std::optional(point_.at(name)); }).value_or(true);
    });
  }

  template <class F>
  double over(const math::Domain& domain, F&& inside) {
    const Nest nest = nest_of(domain, parameters_);
    return holds(nest.conditions) ? level(nest, 0, inside) : 0;
  }

  template <class F>
  double level(const Nest& nest, std::size_t depth, F&& inside) {
    if (depth == nest.levels.size()) return inside();
    const Level& l = nest.levels[depth];
    std::int64_t low = 0;
    std::int64_t high = -1;
    for (std::size_t i = 0; i < l.lower.size(); ++i) {
      const std::int64_t bound = -math::floor_div(-value(l.lower[i].form), l.lower[i].divisor);
      low = i == 0 ? bound : std::max(low, bound);
    }
    for (std::size_t i = 0; i < l.upper.size(); ++i) {
      const std::int64_t bound = math::floor_div(value(l.upper[i].form), l.upper[i].divisor);
      high = i == 0 ? bound : std::min(high, bound);
    }
    if (low > high) return 0;
    const std::int64_t count = high - low + 1;
    const std::int64_t tried = std::min(count, samples);
    double sum = 0;
    for (std::int64_t k = 0; k < tried; ++k) {
      const double middle = (static_cast<double>(k) + 0.5) / static_cast<double>(tried) * static_cast<double>(count);
      point_[l.variable] = low + std::min(count - 1, static_cast<std::int64_t>(middle));
      if (holds(l.conditions)) sum += level(nest, depth + 1, inside);
    }
    point_.erase(l.variable);
    return sum * static_cast<double>(count) / static_cast<double>(tried);
  }

  double reductions(const lang::Expr& e) {
    if (const auto* r = e.as<lang::Reduce>()) return over(r->domain, [&] { return 1 + reductions(r->body); });
    double sum = 0;
    lang::for_each_child(e, [&](const lang::Expr& child) { sum += reductions(child); });
    return sum;
  }

  Values parameters_;
  Point point_;
};

}  // namespace

namespace {

Values values_of(const lang::Program& program, const State& before) {
  Values parameters;
  for (const lang::ParameterInfo& info : program.parameters) {
    if (info.real) continue;
    auto given = before.parameters.find(info.name);
    if (given != before.parameters.end()) parameters[info.name] = Affine(given->second.as_integer());
    else parameters[info.name] = Affine(info.value ? info.value->as_integer() : 0);
  }
  return parameters;
}

}  // namespace

double count_step_elements(const lang::Program& program, const lang::Kernel& kernel, const State& before) {
  const Values parameters = values_of(program, before);
  double all = 0;
  for (const lang::Timesteps& timesteps : kernel.timesteps) {
    double elements = static_cast<double>(timesteps.count.substitute(parameters).constant) + 1;
    for (const Affine& size : program.tensor(timesteps.tensor)->shape)
      elements *= static_cast<double>(size.substitute(parameters).constant);
    all += std::max(elements, 0.0);
  }
  return all;
}

double estimate_terms(const lang::Program& program, const lang::Kernel& kernel, const State& before) {
  const Values parameters = values_of(program, before);
  double terms = count_step_elements(program, kernel, before);
  for (const lang::Equation& equation : kernel.equations) terms += Estimate(parameters).equation(equation);
  if (kernel.until)
    terms += Estimate(parameters).equation({{}, kernel.until->condition, kernel.until->domain, {}, -1, {}});
  return terms;
}

}  // namespace trellis::check
