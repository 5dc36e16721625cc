#pragma once
// What is left of a body where an operand stores nothing: its accesses become the fill, and the statements are
// simplified by what the operations promise (properties.hpp). A case whose body comes to nothing needs no code.
//
//   t += A(i,k)*B(k,j)      with A absent:  nothing
//   C(i,j) = A(i,j) + B(i,j)  with A absent:  C(i,j) = B(i,j)

#include <map>
#include <string>

#include "engine/coiterate/support.hpp"

namespace trellis::coiterate {

/// `literal` has no entry at the coordinate.
loop::Stmt without(const loop::Stmt& body, const Literal& literal, const Surroundings& around);
/// The same where it has an entry, and is `exact`: a pattern, whose entries are all true.
loop::Stmt where_stored(const loop::Stmt& body, const Literal& literal, const Surroundings& around);

/// Scalars that nothing was written to, and what they are then.
using Untouched = std::map<std::string, format::Value>;
loop::Stmt where_untouched(const loop::Stmt& body, const Untouched& scalars, const Surroundings& around);

/// Constant folding, annihilators, identities; updates by an identity and appended fills go, and temporaries that are
/// never written or never read. An empty Block when nothing is left.
loop::Stmt reduce(const loop::Stmt& body, const Surroundings& around);
lang::Expr reduce(const lang::Expr& expr, const Surroundings& around);

bool is_nothing(const loop::Stmt& body);

}  // namespace trellis::coiterate
