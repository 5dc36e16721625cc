#include "engine/flow/where_found.hpp"

#include "engine/flow/only_statement.hpp"

namespace trellis::flow {

const Stmt* where_found(const Locate& l) {
  const Stmt* inside = only_statement(l.body);
  const auto* i = inside ? inside->as<If>() : nullptr;
  const auto* test = i && !i->otherwise ? i->condition.as<Binary>() : nullptr;
  const auto* found = test && test->op == format::BinaryOp::greater_equal ? test->left.as<Name>() : nullptr;
  const bool own = found && found->kind == Name::Kind::variable && found->name == l.name;
  return own && is_zero(test->right) ? &i->then : nullptr;
}

}  // namespace trellis::flow
