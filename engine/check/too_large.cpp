#include "engine/check/too_large.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/sizes.hpp"

namespace trellis::check {

namespace overflowing {
namespace {

using math::Affine;
using math::Constraint;

using Sizes = std::map<std::string, format::Value>;

constexpr double most = 0x1p62;

/// How far from 0 a form may be, indices aside. Where it is near the limit it counts as beyond.
double magnitude(const Affine& form, const Sizes& sizes) {
  double sum = std::abs(static_cast<double>(form.constant));
  for (const auto& [name, coefficient] : form.terms) {
    double product = std::abs(static_cast<double>(coefficient));
    bool known = true;
    for (const std::string& factor : math::factors_of(name)) {
      const auto value = sizes.find(factor);
      known = known && value != sizes.end();
      if (known) product *= std::abs(value->second.as_double());
    }
    if (known) sum += product;
  }
  for (const math::Quotient& q : form.quotients) sum += magnitude(*q.numerator, sizes);
  return sum;
}

const Constraint* too_large(const math::Domain& domain, const Sizes& sizes) {
  const auto found = std::ranges::find_if(domain.constraints, [&](const Constraint& c) {
    return magnitude(c.left, sizes) + magnitude(c.right, sizes) >= most;
  });
  return found == domain.constraints.end() ? nullptr : &*found;
}

const Constraint* too_large(const lang::Expr& e, const Sizes& sizes) {
  const auto* reduce = e.as<lang::Reduce>();
  const Constraint* found = reduce ? too_large(reduce->domain, sizes) : nullptr;
  lang::for_each_child(e, [&](const lang::Expr& child) {
    if (!found) found = too_large(child, sizes);
  });
  return found;
}

}  // namespace
}  // namespace overflowing

std::optional<text::Diagnostic> overflowing_constraint(const lang::Program& program, const lang::Kernel& kernel,
                                                       const std::map<std::string, format::Value>& sizes) {
  for (const lang::Equation& equation : kernel.equations) {
    const math::Constraint* found = overflowing::too_large(equation.domain, sizes);
    if (!found) found = overflowing::too_large(equation.right, sizes);
    if (!found) continue;
    text::Diagnostic problem;
    problem.code = "E0606";
    problem.span = equation.span;
    problem.message = math::to_string(*found) + " is about numbers that 64 bits do not hold";
    problem.notes.push_back({{}, "in " + lang::to_string(program, equation) + ", at these sizes"});
    return problem;
  }
  return std::nullopt;
}

}  // namespace trellis::check
