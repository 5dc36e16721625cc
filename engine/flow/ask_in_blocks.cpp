#include "engine/flow/ask_in_blocks.hpp"

#include "engine/flow/marks.hpp"

namespace trellis::flow {

namespace {

constexpr std::int64_t iterations_together = 1024, entries_together = 8;

Stmt asking(const Flow& flow, const Stmt& s) {
  const Stmt inner = map_children(
      s, [&](const Stmt& child) { return asking(flow, child); }, [](const Expr& e) { return e; });
  const auto every = [&](auto loop, std::int64_t so_many) {
    loop.asks_every = so_many;
    return Stmt(StmtNode{std::move(loop), inner->span}, inner.origin(), inner.id());
  };
  const auto* loop = inner.as<Loop>();
  const auto* walk = inner.as<Coiterate>();
  if (loop && loop->unless && has_simple_iterations(*loop)) return every(*loop, iterations_together);
  if (walk && only_finds_out(flow, *walk)) return every(*walk, entries_together);
  return inner;
}

}  // namespace

Flow ask_in_blocks(const Flow& flow) {
  Flow result = flow;
  result.root = asking(flow, flow.root);
  return result;
}

}  // namespace trellis::flow
