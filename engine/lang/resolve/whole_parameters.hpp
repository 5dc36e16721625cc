#pragma once
// Parameters that have to be whole, as they are sizes, bounds or indices somewhere in the program: for those a quotient
// rounds down, and for all others it is a quotient.
//
//   param nb = n/8     with  tensor x(nb)  or  : i < nb  or  x(nb - 1)
//   param dt = 1/100   with  u(i) + dt*v(i)

#include <optional>
#include <set>
#include <string>

#include "engine/lang/syntax.hpp"

namespace trellis::lang::resolving {

/// Their names, those included of which other such parameters are made. `value`: of an expression alone.
std::set<std::string> whole_parameters(const syntax::File& file, const std::optional<syntax::Expr>& value);

}  // namespace trellis::lang::resolving
