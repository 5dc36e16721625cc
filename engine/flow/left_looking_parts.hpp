#pragma once
// What the two sources of left_looking.hpp share: small questions about names and places.

#include "engine/flow/flow.hpp"
#include "engine/flow/only_statement.hpp"

namespace trellis::flow {

inline bool is_called(const Expr& e, const std::string& name) {
  const auto* n = e.as<Name>();
  return n && n->kind == Name::Kind::variable && n->name == name;
}

/// The first level, at a variable.
inline bool stands_at(const Position& position, const std::string& variable) {
  const auto* d = position.as<Direct>();
  return d && !d->check && d->parent.as<Root>() && is_called(d->coordinate, variable);
}

/// The update inside a walk, and nothing else.
inline const Assign* only_update(const Stmt& body) {
  const Stmt* inside = only_statement(body);
  const auto* test = inside ? inside->as<Test>() : nullptr;
  if (test && test->certain && !test->otherwise) inside = only_statement(test->then);
  return inside ? inside->as<Assign>() : nullptr;
}

}  // namespace trellis::flow
