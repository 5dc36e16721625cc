#include "engine/flow/keep_readable.hpp"

namespace trellis::flow {

namespace {

/// The tensors whose entries the statement walks or finds.
std::set<std::string> looked_into(const Stmt& stmt) {
  std::set<std::string> tensors;
  for_each_stmt(stmt, [&](const Stmt& s) {
    if (const auto* l = s.as<Locate>()) tensors.insert(l->tensor);
    if (const auto* c = s.as<Coiterate>())
      for (const Cursor& cursor : c->cursors) tensors.insert(cursor.tensor);
  });
  return tensors;
}

}  // namespace

Flow keep_readable(const Flow& flow) {
  Flow result = flow;
  const std::set<std::string> read = looked_into(flow.root);
  for (Tensor& tensor : result.tensors) tensor.readable = tensor.appends() && read.contains(tensor.name);
  return result;
}

}  // namespace trellis::flow
