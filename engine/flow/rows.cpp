#include "engine/flow/rows.hpp"

#include <algorithm>

#include "engine/flow/fibers.hpp"

namespace trellis::flow {

namespace {

bool is_rows(const Tensor& tensor) {
  return tensor.appends() && !tensor.scattered && tensor.levels.size() == 2 && tensor.levels[0].facts.dense() &&
         !tensor.levels[1].facts.dense();
}

/// In turn, or with the entries of each row counted before.
bool takes_each(const Loop& l) {
  const bool counted = l.execution != Loop::Execution::parallel || l.counting;
  return counted && is_plain(l, {But::vector, But::parallel, But::counting, But::carries});
}

/// From the first row to the last.
bool takes_all(const Loop& l, const Tensor& tensor) {
  return takes_each(l) && is_zero(l.low) && l.high == tensor.levels[0].size;
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

// Several are serial: one that counts entries before it does so for all rows.
std::vector<Stmt> loops_through_rows(const Flow& flow, const Tensor& tensor) {
  std::vector<Stmt> loops;
  if (!is_rows(tensor)) return loops;
  int own = 0;
  map_once(flow.root, [&](const Stmt& s) {
    const auto* l = s.as<Loop>();
    const int here = l ? appends(l->body, tensor, l->variable) : 0;
    if (here > 0) loops.push_back(s);
    own += here;
    return s;
  });
  if (loops.empty() || own != appends(flow.root, tensor)) return {};
  Expr next = integer(0);
  for (const Stmt& s : loops) {
    const Loop& l = *s.as<Loop>();
    const bool alone = loops.size() == 1 || l.execution == Loop::Execution::serial;
    if (!takes_each(l) || !alone || !(l.low == next)) return {};
    next = l.high;
  }
  return next == tensor.levels[0].size ? loops : std::vector<Stmt>{};
}

bool closes_rows(const Flow& flow, const Loop& loop, const Tensor& tensor) {
  const std::vector<Stmt> loops = loops_through_rows(flow, tensor);
  return std::ranges::any_of(loops, [&](const Stmt& s) { return *s.as<Loop>() == loop; });
}

}  // namespace trellis::flow
