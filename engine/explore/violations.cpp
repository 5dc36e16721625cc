#include "engine/explore/violations.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace trellis::explore {
namespace {

using Element = std::pair<std::string, tensor::Index>;

/// As far as rounding does not explain it.
bool differs(const format::Value& value, const format::Value& expected) {
  const double got = value.as_double(), right = expected.as_double();
  return !(std::abs(got - right) <= 1e-10 * std::max(1.0, std::abs(right))) && got != right;
}

}  // namespace

std::vector<Violation> violations(const Trace& trace) {
  std::vector<Violation> found;
  std::map<Element, std::size_t> last_write;  // behind the step, before the element begins afresh
  for (std::size_t k = trace.steps.size(); k-- > 0;) {
    const Trace::Step& step = trace.steps[k];
    if (!step.starts.empty())
      std::erase_if(last_write, [&](const auto& one) { return one.first.first == step.starts; });
    for (std::size_t r = step.reads.size(); r-- > 0;) {
      if (!step.reads[r].early) continue;
      const auto write = last_write.find({step.reads[r].tensor, step.reads[r].index});
      found.push_back(
          {k, static_cast<int>(r), write == last_write.end() ? std::nullopt : std::optional(write->second)});
    }
    if (step.write)
      step.write->each_element([&](const tensor::Index& e) { last_write.try_emplace({step.write->tensor, e}, k); });
  }
  std::ranges::reverse(found);
  return found;
}

std::vector<WrongElement> wrong_elements(const Trace& trace, const std::map<std::string, tensor::Tensor>& expected) {
  std::vector<WrongElement> found;
  if (!trace.complete) return found;
  std::set<Element> settled;
  std::set<std::string> reset;
  for (std::size_t k = trace.steps.size(); k-- > 0;) {
    const Trace::Step& step = trace.steps[k];
    const std::string& name = step.write ? step.write->tensor : step.starts;
    const auto result = expected.find(name);
    if (result == expected.end() || reset.contains(name)) continue;
    const auto judge = [&](const tensor::Index& element, const format::Value& value) {
      const format::Value right = result->second.get(element);
      if (settled.insert({name, element}).second && differs(value, right))
        found.push_back({name, element, k, value, right});
    };
    if (step.write) {
      step.write->each_element([&](const tensor::Index& element) { judge(element, step.write->value); });
    } else {
      if (step.filled)
        tensor::for_each_index(result->second.shape(),
                               [&](const tensor::Index& element) { judge(element, *step.filled); });
      reset.insert(name);
    }
  }
  std::ranges::stable_sort(found, {}, &WrongElement::step);
  return found;
}

}  // namespace trellis::explore
