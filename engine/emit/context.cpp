#include "engine/emit/context.hpp"

namespace trellis::emit {

std::string Context::bind(const std::string& name) {
  scopes_.back().variables.push_back(name);
  return names.bind(name);
}

c::Stmt Context::close() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  for (const std::string& variable : scope.variables) names.release(variable);
  return c::stmt(c::Block{std::move(scope.statements)});
}

void Context::close_plain() {
  c::Stmt block = close();
  const auto& inside = block.as<c::Block>()->statements;
  add(inside.size() == 1 && !inside.front().as<c::Declaration>() ? inside.front() : block);
}

void Context::scoped(bool last, const std::function<void()>& statements) {
  if (!last) open();
  statements();
  if (!last) add(close());
}

}  // namespace trellis::emit
