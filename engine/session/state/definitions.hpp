#pragma once
// What a statement defines, so that another one can take its place.

#include <string>

#include "engine/lang/syntax.hpp"

namespace trellis::session {

/// Kind and name: "tensor A", the left side of an equation; empty when nothing can take its place.
std::string subject(const lang::syntax::Statement& statement);

/// Equations with the same left side; parameters, tensors, layouts, functions and kernels of the same name.
bool defines_the_same(const lang::syntax::Statement& one, const lang::syntax::Statement& other);

}  // namespace trellis::session
