#include "engine/flow/leave_unsorted.hpp"

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

bool counts_bytemap(const Flow& flow, const Coiterate& loop) {
  if (loop.cursors.size() != 1) return false;
  const Cursor& cursor = loop.cursors[0];
  const Tensor& tensor = *flow.tensor(cursor.tensor);
  const format::Facts& facts = tensor.levels[static_cast<std::size_t>(cursor.level)].facts;
  const bool bytemap = tensor.storage == Tensor::Storage::temporary && facts.locate == format::Locate::direct;
  const auto* append = loop.points[0].body.as<Append>();
  return bytemap && !cursor.below && !cursor.above && append && append->counted;
}

Flow leave_unsorted(const Flow& flow) {
  Flow result = flow;
  result.root = unsorted(flow, flow.root);
  return number(result);
}

}  // namespace trellis::flow
