#include "engine/flow/run_in_vectors.hpp"

namespace trellis::flow {

namespace {

bool are_apart(const Flow& flow, const Loop& loop) {
  bool apart = loop.reduces.empty();
  for_each_stmt(loop.body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) apart &= flow.tensor(d->tensor)->levels.empty();
    if (const auto* a = s.as<Assign>()) apart &= !a->atomic;
    if (const auto* inner = s.as<Loop>()) apart &= inner->execution != Loop::Execution::parallel;
  });
  return apart;
}

Stmt in_vectors(const Flow& flow, const Stmt& s) {
  const auto visit = [&](const Stmt& child) { return in_vectors(flow, child); };
  const Stmt inner = map_children(s, visit, [](const Expr& e) { return e; });
  const auto* loop = inner.as<Loop>();
  if (!loop || loop->execution != Loop::Execution::vector || are_apart(flow, *loop)) return inner;
  Loop serial = *loop;
  serial.execution = Loop::Execution::serial;
  serial.lanes = 1;
  return Stmt(StmtNode{std::move(serial), inner->span}, inner.origin(), inner.id());
}

}  // namespace

Flow run_in_vectors(const Flow& flow) {
  Flow result = flow;
  result.root = in_vectors(flow, flow.root);
  return result;
}

}  // namespace trellis::flow
