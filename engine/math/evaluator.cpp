#include "engine/math/evaluator.hpp"

#include <algorithm>
#include <cassert>

#include "engine/math/compare.hpp"
#include "engine/math/division.hpp"

namespace trellis::math {

Evaluator::Evaluator(const Affine& form, const std::vector<std::string>& names) : constant_(form.constant) {
  for (const auto& [name, coefficient] : form.terms) {
    const auto at = std::ranges::find(names, name);
    assert(at != names.end());
    terms_.emplace_back(static_cast<std::size_t>(at - names.begin()), coefficient);
  }
  for (const Quotient& q : form.quotients)
    parts_.push_back({q.coefficient, q.kind, q.divisor, {Evaluator(*q.numerator, names)}});
}

std::int64_t Evaluator::operator()(std::span<const std::int64_t> point) const {
  std::int64_t sum = constant_;
  for (const auto& [place, coefficient] : terms_) sum += coefficient * point[place];
  for (const Part& part : parts_) {
    const std::int64_t of = part.numerator.front()(point);
    sum += part.coefficient *
           (part.kind == Quotient::Kind::div ? floor_div(of, part.divisor) : floor_mod(of, part.divisor));
  }
  return sum;
}

Comparison::Comparison(const Constraint& constraint, const std::vector<std::string>& names)
    : difference_(constraint.left - constraint.right, names), relation_(constraint.relation) {}

bool Comparison::operator()(std::span<const std::int64_t> point) const {
  return holds(difference_(point), relation_, 0);
}

}  // namespace trellis::math
