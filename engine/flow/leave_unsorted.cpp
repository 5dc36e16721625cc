#include "engine/flow/leave_unsorted.hpp"

#include "engine/flow/marks.hpp"

namespace trellis::flow {

namespace {

Stmt unsorted(const Flow& flow, const Stmt& s) {
  const auto visit = [&](const Stmt& child) { return unsorted(flow, child); };
  const Stmt inner = map_children(s, visit, [](const Expr& e) { return e; });
  const auto* walk = inner.as<Coiterate>();
  if (!walk || !counts_bytemap(flow, *walk)) return inner;
  Coiterate counted = *walk;
  counted.cursors[0].unsorted = true;
  return Stmt(StmtNode{std::move(counted), inner->span}, inner.origin(), inner.id());
}

}  // namespace

Flow leave_unsorted(const Flow& flow) {
  Flow result = flow;
  result.root = unsorted(flow, flow.root);
  return result;
}

}  // namespace trellis::flow
