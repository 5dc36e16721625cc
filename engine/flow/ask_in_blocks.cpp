#include "engine/flow/ask_in_blocks.hpp"

#include "engine/flow/marks.hpp"

namespace trellis::flow {

namespace {

constexpr std::int64_t asks_every = 1024;  ///< iterations

Stmt asking(const Stmt& s) {
  const Stmt inner = map_children(s, asking, [](const Expr& e) { return e; });
  const auto* loop = inner.as<Loop>();
  if (!loop || !loop->unless || !has_simple_iterations(*loop)) return inner;
  Loop blocks = *loop;
  blocks.asks_every = asks_every;
  return Stmt(StmtNode{std::move(blocks), inner->span}, inner.origin(), inner.id());
}

}  // namespace

Flow ask_in_blocks(const Flow& flow) {
  Flow result = flow;
  result.root = asking(flow.root);
  return result;
}

}  // namespace trellis::flow
