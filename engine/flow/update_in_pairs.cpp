#include "engine/flow/update_in_pairs.hpp"

#include "engine/flow/marks.hpp"

namespace trellis::flow {

namespace {

Stmt paired(const Flow& flow, const Stmt& s) {
  const Stmt inner = map_children(
      s, [&](const Stmt& child) { return paired(flow, child); }, [](const Expr& e) { return e; });
  const auto* c = inner.as<Coiterate>();
  if (!c || updates_apart(flow, *c).empty()) return inner;
  Coiterate next = *c;
  next.in_pairs = true;
  return Stmt(StmtNode{std::move(next), inner->span}, inner.origin(), inner.id());
}

}  // namespace

Flow update_in_pairs(const Flow& flow) {
  Flow result = flow;
  result.root = paired(flow, flow.root);
  return result;
}

}  // namespace trellis::flow
