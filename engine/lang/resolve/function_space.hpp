#pragma once
// `space s` of a definition: at which of its operands' entries a function is applied.

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// s ? f(x, y) : f at the fills of x and y, of an application f(x, y). It holds for every format, so that the reference
/// says the same.
Expr within_space(const Resolution& resolution, const DefinitionInfo& info, const Expr& applied);

}  // namespace trellis::lang::resolving
