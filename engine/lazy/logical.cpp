#include "engine/lazy/logical.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <set>

namespace trellis::lazy {

namespace {

constexpr int most_eliminated = 6;
constexpr std::size_t most_plans = 500;

class Enumerating {
 public:
  explicit Enumerating(const Factors& factors) : factors_(factors), count_(static_cast<int>(factors.fields.size())) {}

  LogicalPlans all() {
    visit(first());
    return std::move(plans_);
  }

  LogicalPlans greedy(text::FunctionRef<double(const LogicalPlans&, const Step&)> size) {
    plans_ = {};
    plans_.greedy = true;
    State state = first();
    for (;;) {
      plans_.results.push_back(number(Step{state.operands, state.over, factors_.result}));
      std::optional<Step> best;
      double least = std::numeric_limits<double>::infinity();
      for (const Step& step : next(state))
        if (const double entries = size(plans_, step); entries < least) best = step, least = entries;
      if (!best) return std::move(plans_);
      state = after(state, *best);
    }
  }

 private:
  struct State {
    FieldSet over;
    std::vector<int> operands;
    auto operator<=>(const State&) const = default;
  };

  State first() const {
    State state{factors_.over, {}};
    for (int k = 0; k < count_; ++k) state.operands.push_back(k);
    return state;
  }

  void visit(const State& state) {
    if (plans_.greedy || !seen_.insert(state).second) return;
    plans_.results.push_back(number(Step{state.operands, state.over, factors_.result}));
    if (plans_.results.size() > most_plans) plans_.greedy = true;
    for (const Step& step : next(state)) visit(after(state, step));
  }

  FieldSet fields_of(int operand) const {
    return operand < count_ ? factors_.fields[static_cast<std::size_t>(operand)]
                            : plans_.steps[static_cast<std::size_t>(operand - count_)].fields;
  }

  FieldSet fields_of(const std::vector<int>& operands) const {
    FieldSet all = 0;
    for (const int operand : operands) all |= fields_of(operand);
    return all;
  }

  /// What may be computed early.
  std::vector<Step> next(const State& state) const {
    std::vector<Step> found;
    for (FieldSet left = state.over; left; left &= left - 1) {
      const FieldSet field = left & -left;
      std::vector<int> group, rest;
      for (const int operand : state.operands) (fields_of(operand) & field ? group : rest).push_back(operand);
      if (rest.empty() || group.empty()) continue;
      const FieldSet inside = fields_of(group), alone = inside & state.over & ~fields_of(rest);
      found.push_back({group, field, inside & ~field});
      if (alone != field) found.push_back({group, alone, inside & ~alone});
    }
    for (const int operand : state.operands)
      if (operand < count_ && factors_.sums[static_cast<std::size_t>(operand)] && state.operands.size() > 1)
        found.push_back({{operand}, 0, fields_of(operand)});
    return found;
  }

  State after(const State& state, const Step& step) {
    State then{state.over & ~step.gone, {}};
    std::ranges::set_difference(state.operands, step.operands, std::back_inserter(then.operands));
    then.operands.push_back(count_ + number(step));
    std::ranges::sort(then.operands);
    return then;
  }

  int number(const Step& step) {
    const auto found = std::ranges::find(plans_.steps, step);
    if (found != plans_.steps.end()) return static_cast<int>(found - plans_.steps.begin());
    plans_.steps.push_back(step);
    return static_cast<int>(plans_.steps.size()) - 1;
  }

  const Factors& factors_;
  int count_;
  LogicalPlans plans_;
  std::set<State> seen_;
};

}  // namespace

LogicalPlans logical_plans(const Factors& factors, text::FunctionRef<double(const LogicalPlans&, const Step&)> size) {
  if (std::popcount(factors.over) <= most_eliminated) {
    LogicalPlans all = Enumerating(factors).all();
    if (!all.greedy) return all;
  }
  return Enumerating(factors).greedy(size);
}

}  // namespace trellis::lazy
