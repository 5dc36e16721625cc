#pragma once
// The tensors that a statement reads and writes, whichever of their elements: what may change places with what.

#include <set>
#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

struct Effects {
  std::set<std::string> reads, writes;  ///< an update is among the writes only
};

Effects effects(const Stmt& stmt);
/// The tensors that an expression reads.
std::set<std::string> tensors_in(const Expr& expr);
bool meet(const std::set<std::string>& a, const std::set<std::string>& b);

}  // namespace trellis::loop
