#pragma once
// A sparse scalar remembers whether anything was written to it since it was at its fill: a Boolean of its own, its
// mark. What reads it is specialised for the fill (Finch, section 3.3.3, "SparseScalar").
//
//   t = 0; for k { t += A(i,k)*B(k,j) }; C(i,j) = t     →     … if t_set { append C(i,j) = t }
//   for k { y(k) += t*x(k) }                            →     if t_set { for k { y(k) += t*x(k) } }
//   y(i) = t*x(i) + z(i)                                →     if t_set { y(i) = t*x(i) + z(i) } else { y(i) = z(i) }
//
// The user asks for it (`tensor t: sparse`). Of temporaries it is chosen where an entry of a sparse result depends on
// it that nobody needs without it, and updates may find nothing to do: the result then stores what met, whatever that
// sums up to, as it does in orders that collect it in a workspace; and to count entries nobody needs their values.

#include <optional>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Those that a block declares, and what they are while nothing is written to them.
Untouched sparse_scalars(Context& in, const loop::Stmt& s, const loop::Block& b);

/// The statement specialised for the marks of the scalars that it reads; empty: it is the same whatever they say.
std::optional<Stmt> where_touched(Context& in, const loop::Stmt& s);

/// Does the value depend on a scalar whose mark holds?
bool reads_touched(const Context& in, const lang::Expr& value);

}  // namespace trellis::coiterate
