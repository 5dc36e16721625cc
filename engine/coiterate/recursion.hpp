#pragma once
// Where lowering comes back to itself: statements inside statements, expressions inside expressions. What each kind of
// loop, look-up, assignment or operation becomes is for the files of those to say; all of them hand on here what is
// inside.

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// lower_statements.cpp: what the statement reads that is neither dense nor among the entries is looked up before it.
Stmt lower_stmt(Context& in, const loop::Stmt& s);
/// lower_expressions.cpp: every sparse level of what the expression reads was found already.
Expr lower_expr(Context& in, const lang::Expr& e);

}  // namespace trellis::coiterate
