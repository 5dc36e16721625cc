#include "engine/flow/only_statement.hpp"

namespace trellis::flow {

const Stmt* only_statement(const Stmt& body) {
  const auto* seq = body.as<Seq>();
  if (!seq) return &body;
  const Stmt* only = nullptr;
  for (const Stmt& one : seq->statements) {
    if (one.as<Note>()) continue;
    if (only) return nullptr;
    only = &one;
  }
  return only ? only_statement(*only) : nullptr;
}

}  // namespace trellis::flow
