#include "engine/flow/close_rows.hpp"

#include "engine/flow/fibers.hpp"

namespace trellis::flow {

namespace {

bool is_rows(const Tensor& tensor) {
  return tensor.appends() && tensor.levels.size() == 2 && tensor.levels[0].facts.dense() &&
         !tensor.levels[1].facts.dense();
}

/// From the first row to the last: in turn, or with the entries of each row counted before.
bool takes_all(const Loop& l, const Tensor& tensor) {
  const bool in_turn = l.execution != Loop::Execution::parallel || l.counting;
  const bool whole = is_zero(l.low) && l.high == tensor.levels[0].size;
  return in_turn && whole && l.takes_each() && l.direction == Loop::Direction::up && !l.until && !l.unless;
}

/// How many statements append to the tensor, rather than count; where `row` is given, at that as the first coordinate.
int appends(const Stmt& in, const Tensor& tensor, const std::string& row = "") {
  int total = 0;
  for_each_stmt(in, [&](const Stmt& s) {
    const auto* a = s.as<Append>();
    if (!a || a->tensor != tensor.name || a->counted) return;
    const auto* at = a->coordinates[0].as<Name>();
    total += row.empty() || (at && at->name == row && at->kind == Name::Kind::variable);
  });
  return total;
}

}  // namespace

bool goes_through_rows(const Flow& flow, const Loop& loop, const Tensor& tensor) {
  if (!is_rows(tensor) || !takes_all(loop, tensor)) return false;
  const int own = appends(loop.body, tensor, loop.variable);
  return own > 0 && own == appends(flow.root, tensor);
}

Flow close_rows(const Flow& flow) {
  Flow result = flow;
  result.root = map_once(flow.root, [&](const Stmt& s) {
    const auto* loop = s.as<Loop>();
    if (!loop) return s;
    Loop closing = *loop;
    for (const Tensor& tensor : flow.tensors)
      if (goes_through_rows(flow, *loop, tensor)) closing.closes.push_back(tensor.name);
    return closing.closes.empty() ? s : Stmt(StmtNode{std::move(closing), s->span}, s.origin(), s.id());
  });
  return number(result);
}

}  // namespace trellis::flow
