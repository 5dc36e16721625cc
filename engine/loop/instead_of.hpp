#pragma once
// Statements that passes write in place of others.

#include <utility>

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

/// A statement that stands for another: with its place in the source, origin and number.
template <class Node>
Stmt instead_of(const Stmt& other, Node node) {
  return Stmt(StmtNode{std::move(node), other->span}, other.origin(), other.id());
}

}  // namespace trellis::loop
