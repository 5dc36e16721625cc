#include "engine/check/forms.hpp"

#include <algorithm>

#include "engine/math/compare.hpp"
#include "engine/math/division.hpp"

namespace trellis::check {

std::int64_t evaluate(const Code& code, int number, const Slot* registers) {
  const Form& form = code.forms[static_cast<std::size_t>(number)];
  std::int64_t sum = form.constant;
  for (const Form::Term& term : form.terms) sum += term.coefficient * registers[term.reg].integer;
  for (const Form::Part& part : form.parts) {
    const std::int64_t numerator = evaluate(code, part.numerator, registers);
    const std::int64_t quotient = math::floor_div(numerator, part.divisor);
    sum += part.coefficient * (part.kind == math::Quotient::Kind::div ? quotient : numerator - quotient * part.divisor);
  }
  return sum;
}

bool holds(const Code& code, int number, const Slot* registers) {
  const Code::Condition& condition = code.conditions[static_cast<std::size_t>(number)];
  return math::holds(evaluate(code, condition.form, registers), condition.relation, 0);
}

bool enter(const Code& code, int number, Slot* registers) {
  const Code::RangeForms& level = code.levels[static_cast<std::size_t>(number)];
  std::int64_t low = 0;
  std::int64_t high = -1;
  for (std::size_t i = 0; i < level.lower.size(); ++i) {
    const std::int64_t bound =
        -math::floor_div(-evaluate(code, level.lower[i].form, registers), level.lower[i].divisor);
    low = i == 0 ? bound : std::max(low, bound);
  }
  for (std::size_t i = 0; i < level.upper.size(); ++i) {
    const std::int64_t bound = math::floor_div(evaluate(code, level.upper[i].form, registers), level.upper[i].divisor);
    high = i == 0 ? bound : std::min(high, bound);
  }
  registers[level.reg].integer = low;
  registers[level.reg + 1].integer = high;
  return low <= high;
}

}  // namespace trellis::check
