#pragma once
// Takes out of a statement what computes some temporaries, so that it can run later than the rest, or under a
// condition.
//
//   for j in 0:n { s += x(j); t += y(j) }   for t:   for j in 0:n { s += x(j) }   and   for j in 0:n { t += y(j) }

#include <optional>
#include <set>
#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

struct Separated {
  Stmt rest, part;  ///< blocks are kept as blocks; a missing one has nothing to do
};

/// `rest` then `part` do what the statement did; `part` writes the tensors alone, and what is declared inside for their
/// sake. Empty where the two cannot be told apart, or one reads what the other writes.
std::optional<Separated> separate(const Stmt& stmt, const std::set<std::string>& tensors);

/// The tensors, and those temporaries declared inside that only their writes read.
std::set<std::string> serving(const Stmt& stmt, std::set<std::string> tensors);

}  // namespace trellis::loop
