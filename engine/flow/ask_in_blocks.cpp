#include "engine/flow/ask_in_blocks.hpp"

namespace trellis::flow {

namespace {

constexpr std::int64_t asks_every = 1024;  ///< rounds

Stmt asking(const Stmt& s) {
  const Stmt inner = map_children(s, asking, [](const Expr& e) { return e; });
  const auto* loop = inner.as<Loop>();
  if (!loop || !loop->unless || !has_simple_rounds(*loop)) return inner;
  Loop blocks = *loop;
  blocks.asks_every = asks_every;
  return Stmt(StmtNode{std::move(blocks), inner->span}, inner.origin(), inner.id());
}

}  // namespace

bool has_simple_rounds(const Loop& loop) {
  bool simple = loop.unroll == 1 && loop.takes_each();
  for_each_stmt(loop.body, [&](const Stmt& s) {
    simple &= !s.as<Loop>() && !s.as<Coiterate>() && !s.as<Locate>() && !s.as<Insert>();
  });
  return simple;
}

Flow ask_in_blocks(const Flow& flow) {
  Flow result = flow;
  result.root = asking(flow.root);
  return number(result);
}

}  // namespace trellis::flow
