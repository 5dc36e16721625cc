#pragma once
// The formats and masks that undeclared factors of sparse matrices have (engine/symbolic/sparse_factors.hpp), as lines
// of the program's text, so that all that is resolved from it agrees.

#include <optional>
#include <set>
#include <string>

#include "engine/lang/program.hpp"
#include "engine/lang/syntax.hpp"

namespace trellis::session {

/// The text with them, where `program`, which it was resolved to, has such factors. `kernels`: those to look at; none:
/// all.
std::optional<lang::syntax::File> with_factor_formats(const lang::syntax::File& file, const lang::Program& program,
                                                      const std::set<std::string>& kernels);

}  // namespace trellis::session
