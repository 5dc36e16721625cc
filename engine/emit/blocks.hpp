#pragma once
// What passes over emitted C share: the names that a statement mentions, and each block rewritten.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/emit/c.hpp"

namespace trellis::emit::c {

using Mentioned = std::set<std::string>;

/// Adds every identifier in the statement, those that it declares as well.
void collect(const Stmt& stmt, Mentioned& names);
void collect(const Expr& expr, Mentioned& names);

/// For each name that statements mention, the place of the last one that does.
std::map<std::string, std::size_t> last_mentions(const std::vector<Stmt>& statements);

/// The statement with the statements of each block rewritten, inner blocks first.
Stmt rewrite_blocks(const Stmt& stmt, const std::function<std::vector<Stmt>(const std::vector<Stmt>&)>& rewrite);

/// Do iterations on threads wait for each other in it?
bool waits(const Stmt& stmt);

}  // namespace trellis::emit::c
