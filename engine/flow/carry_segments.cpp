#include "engine/flow/carry_segments.hpp"

#include "engine/flow/fibers.hpp"
#include "engine/flow/segments.hpp"

namespace trellis::flow {

namespace {

Stmt with_carried(const Flow& flow, const Stmt& s) {
  const Stmt inner = map_children(
      s, [&](const Stmt& child) { return with_carried(flow, child); }, [](const Expr& e) { return e; });
  const auto* loop = inner.as<Coiterate>();
  const Coiterate* const walk = loop ? walks_segment(flow, *loop) : nullptr;
  if (!walk) return inner;
  Coiterate carrying = *loop;
  carrying.points[0].body = map_once(carrying.points[0].body, [&](const Stmt& each) {
    if (each.as<Coiterate>() != walk) return each;
    Coiterate carried = *walk;
    carried.carried = true;
    return Stmt(StmtNode{std::move(carried), each->span}, each.origin(), each.id());
  });
  return Stmt(StmtNode{std::move(carrying), inner->span}, inner.origin(), inner.id());
}

}  // namespace

Flow carry_segments(const Flow& flow) {
  Flow result = flow;
  result.root = with_carried(flow, flow.root);
  return result;
}

}  // namespace trellis::flow
