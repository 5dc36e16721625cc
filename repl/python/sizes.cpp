#include "repl/python/sizes.hpp"

#include <set>

#include "engine/math/sizes.hpp"

namespace trellis::python {

SizePlan::SizePlan(const lang::Program& program, const std::vector<const lang::TensorInfo*>& operands)
    : assumed_(program.assumed) {
  std::set<int> known;
  for (const lang::ParameterInfo& p : program.parameters) {
    if (p.real) continue;
    const int number = static_cast<int>(given_.size());
    numbers_[p.name] = number;
    given_.push_back(p.value ? p.value->as_integer() : 0);
    if (p.value) known.insert(number);
  }
  for (std::size_t o = 0; o < operands.size(); ++o)
    for (std::size_t d = 0; operands[o] && d < operands[o]->shape.size(); ++d) {
      Step step{static_cast<int>(o), static_cast<int>(d), form(operands[o]->shape[d])};
      int unknown = -1;
      for (const auto& [name, coefficient] : step.size.terms)
        if (!known.contains(name) && coefficient == 1 && unknown < 0) unknown = name;
      if (unknown >= 0 && step.size.simple) {
        std::erase_if(step.size.terms, [&](const auto& term) { return term.first == unknown; });
        step.solves = unknown;
        known.insert(unknown);
      }
      steps_.push_back(std::move(step));
    }
  complete_ = known.size() == given_.size();
}

int SizePlan::number(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? -1 : found->second;
}

Form SizePlan::form(const math::Affine& affine) const {
  Form form{.constant = affine.constant, .terms = {}, .written = affine, .simple = affine.quotients.empty()};
  for (const auto& [name, coefficient] : affine.terms) {
    if (math::is_product(name) || number(name) < 0) form.simple = false;
    else form.terms.emplace_back(number(name), coefficient);
  }
  return form;
}

std::int64_t SizePlan::value(const Form& form, const std::vector<std::int64_t>& values) const {
  if (!form.simple)
    return form.written
        .evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
          const int k = number(name);
          return k < 0 ? std::nullopt : std::optional(values[static_cast<std::size_t>(k)]);
        })
        .value_or(-1);
  std::int64_t sum = form.constant;
  for (const auto& [name, coefficient] : form.terms) sum += coefficient * values[static_cast<std::size_t>(name)];
  return sum;
}

bool SizePlan::solve(std::span<const std::int64_t* const> shapes, std::vector<std::int64_t>& values) const {
  if (!complete_) return false;
  values = given_;
  for (const Step& step : steps_) {
    const std::int64_t there = shapes[static_cast<std::size_t>(step.operand)][step.dimension];
    const std::int64_t rest = value(step.size, values);
    if (step.solves >= 0) values[static_cast<std::size_t>(step.solves)] = there - rest;
    else if (there != rest) return false;
  }
  if (assumed_.empty()) return true;
  const auto value_of = [&](const std::string& name) -> std::optional<std::int64_t> {
    const int k = number(name);
    return k < 0 ? std::nullopt : std::optional(values[static_cast<std::size_t>(k)]);
  };
  for (const math::Constraint& c : assumed_)
    if (!c.holds(value_of).value_or(false)) return false;
  return true;
}

}  // namespace trellis::python
