#pragma once
// Other names for what a statement names: variables, positions, tensors; or a value for a variable.

#include <map>
#include <set>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct Renaming {
  std::map<std::string, std::string> names;  ///< of variables and positions, those of lets and look-ups inside included
  std::map<std::string, std::string> tensors;  ///< those that it declares included
  std::map<std::string, Expr> values;          ///< of variables that it does not bind
};
Stmt renamed(const Stmt& stmt, const Renaming& how);
Expr renamed(const Expr& expr, const Renaming& how);

/// Neither is bound inside the statement.
Stmt renamed(const Stmt& stmt, const std::string& from, const std::string& to);

/// Variables and positions that it names.
std::set<std::string> named_by(const Expr& expr);
std::set<std::string> named_by(const Position& position);
/// Does the expression name the variable?
bool names(const Expr& expr, const std::string& variable);

}  // namespace trellis::flow
