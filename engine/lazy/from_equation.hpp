#pragma once
// Equations of a program as queries: what `plan K` plans.
//
//   y(i) = sum(j,k)(A(i,j) * B(j,k) * v(k))      a query y over i

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

/// Why a kernel is none: "y(i-1) is read beside its own result: a recurrence".
struct NoQuery {
  std::string reason;
  text::Span span;
};

/// A query an equation. `values`: of the program's parameters.
std::variant<std::vector<Query>, NoQuery> queries_of(const lang::Program& program, const lang::Kernel& kernel,
                                                     const std::map<std::string, format::Value>& values);

}  // namespace trellis::lazy
