#pragma once
// Another tensor in the place of one.

#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::schedule {

/// Of all accesses.
loop::Expr renamed(const loop::Expr& expr, const std::string& from, const std::string& to);

/// What is done to `from` is done to `to`, which is declared elsewhere. Where `from` is declared, nothing is.
loop::Stmt renamed(const loop::Stmt& loops, const std::string& from, const std::string& to);

}  // namespace trellis::schedule
