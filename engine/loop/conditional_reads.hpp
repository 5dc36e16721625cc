#pragma once
// Where tensors are read, and what must have held for a read to happen:
//
//   for i in 0:n { if F(i) { y(i) = G(i) && (H(i) || t(i)) ? x(i) : 0 } }      reads t(i) in i, where F(i), G(i), !H(i)

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

struct ConditionalRead {
  Expr access;
  std::vector<Expr> conditions;  ///< in the order in which they are asked; each is asked only where those before hold
  std::vector<Stmt> loops;       ///< the loops around, and what else binds names or repeats, from outside
};

/// Calls `visit` for every read of one of the tensors, but for those of statements that write one of them: these read
/// what they update.
void for_each_conditional_read(const Stmt& stmt, const std::set<std::string>& tensors,
                               const std::function<void(const ConditionalRead&)>& visit);

/// What holds where a condition does, and where it does not: `a && !(b || c)` as a, !b, !c.
std::vector<Expr> truths(const Expr& condition);
std::vector<Expr> falsehoods(const Expr& condition);

/// An assignment, or a let around assignments: what writes and is not taken apart.
bool is_write(const Stmt& stmt);

}  // namespace trellis::loop
