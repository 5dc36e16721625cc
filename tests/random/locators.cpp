#include "tests/random/locators.hpp"

#include <algorithm>

#include "engine/lang/action.hpp"

namespace trellis::randomised {
namespace {

bool locates(const lang::Expr& expr, const std::string& tensor, bool in_index) {
  const auto* access = expr.as<lang::Access>();
  if (in_index && access && access->tensor == tensor) return true;
  bool found = false;
  lang::for_each_child(expr,
                       [&](const lang::Expr& child) { found = found || locates(child, tensor, in_index || access); });
  return found;
}

}  // namespace

bool locates(const lang::Kernel& kernel, const std::string& tensor) {
  bool found = false;
  const auto visit = [&](const lang::Expr& expr) { found = found || locates(expr, tensor, false); };
  for (const lang::Equation& equation : kernel.equations) {
    visit(equation.left);
    visit(equation.right);
  }
  if (kernel.loops)
    for (const lang::Action& outer : *kernel.loops)
      lang::action::for_each(
          outer, [&](const lang::Action& action) { std::ranges::for_each(lang::action::expressions(action), visit); });
  return found;
}

}  // namespace trellis::randomised
