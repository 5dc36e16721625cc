#pragma once
// A user's function on values: how properties are tried, and what the loop interpreter does with an application.

#include <optional>
#include <string>
#include <vector>

#include "engine/lang/function.hpp"

namespace trellis::lang {

struct Applied {
  enum class End { finished, division, endless } end = End::finished;
  format::Value value;  ///< if finished
};

/// `limit`: steps of all bodies together, and none after that. `functions` are those that it may apply in turn.
Applied apply(const Function& function, const std::vector<format::Value>& arguments,
              const std::vector<Function>& functions, std::int64_t limit);

/// The function by the name of its instance; it must be there.
const Function& function_named(const std::vector<Function>& functions, const std::string& name);

/// Calls `visit` for every expression of the function, its result last.
template <class F>
void for_each_expression(const std::vector<FunctionStep>& steps, F&& visit) {
  for (const FunctionStep& step : steps)
    step.match([&](const FunctionAssign& a) { visit(a.value); },
               [&](const FunctionWhile& w) {
                 visit(w.condition);
                 for_each_expression(w.body, visit);
               },
               [&](const FunctionIf& i) {
                 visit(i.condition);
                 for_each_expression(i.then, visit);
                 for_each_expression(i.otherwise, visit);
               });
}

}  // namespace trellis::lang
