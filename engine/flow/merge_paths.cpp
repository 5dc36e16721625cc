#include "engine/flow/merge_paths.hpp"

#include "engine/flow/levels.hpp"

namespace trellis::flow {

namespace {

struct SharedLoop {
  const MergePath* path = nullptr;
  Expr low, high;
  Stmt body;
  std::string variable;
  const Cursor* row = nullptr;  ///< of a loop over entries of the level above
  bool whole = false;           ///< no row is shared
};

std::optional<SharedLoop> shared_loop(const Stmt& s) {
  const auto* l = s.as<Loop>();
  const auto* c = s.as<Coiterate>();
  if (l && l->merge_path)
    return SharedLoop{&*l->merge_path, l->low, l->high, l->body, l->variable, nullptr, l->counting.has_value()};
  if (c && c->merge_path && c->only())
    return SharedLoop{&*c->merge_path,        c->low, c->high, c->points[0].body, c->variable, c->only(),
                      c->counting.has_value()};
  return std::nullopt;
}

/// All of the level above is gone through, from its first row on.
bool takes_all_rows(const Flow& flow, const SharedLoop& loop) {
  const Tensor& tensor = *flow.tensor(loop.path->tensor);
  const int above = loop.path->level - 1;
  if (above != 0) return false;
  if (loop.row)
    return loop.row->tensor == tensor.name && loop.row->level == above && loop.row->plain() && !loop.row->exists &&
           !loop.row->below && !loop.row->above;
  return facts_of(tensor, above).dense() && is_zero(loop.low) && loop.high == tensor.levels[0].size;
}

bool is_row_of(const Cursor& cursor, const SharedLoop& loop) {
  if (cursor.tensor != loop.path->tensor || cursor.level != loop.path->level || !cursor.plain() || cursor.exists ||
      cursor.below || cursor.above || cursor.from || cursor.to)
    return false;
  if (loop.row) {
    const auto* at = cursor.parent.as<At>();
    return at && at->name == loop.row->name;
  }
  const auto* direct = cursor.parent.as<Direct>();
  const auto* name = direct ? direct->coordinate.as<Name>() : nullptr;
  return name && name->name == loop.variable && direct->parent.as<Root>();
}

/// Does the loop go through all rows, and where they are shared, is one walk along a row all that it does for one?
bool walks_rows(const Flow& flow, const Stmt& s) {
  const auto loop = shared_loop(s);
  if (!loop || !takes_all_rows(flow, *loop)) return false;
  if (loop->whole) return !loop->row;  // those that are listed are counted one by one
  int walks = 0;
  bool fits = true;
  for_each_stmt(loop->body, [&](const Stmt& inner) {
    if (inner.as<Append>()) fits = false;
    const auto* c = inner.as<Coiterate>();
    if (!c) return;
    for (const Cursor& cursor : c->cursors) {
      if (cursor.tensor != loop->path->tensor || cursor.level != loop->path->level) continue;
      fits = fits && c->only() && !c->unless && c->execution == Loop::Execution::serial && is_row_of(cursor, *loop);
      ++walks;
    }
  });
  return fits && walks == 1;
}

}  // namespace

std::optional<Flow> check_merge_paths(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  std::string refused;
  const std::optional<MergePath> none;
  for_each_stmt(flow.root, [&](const Stmt& s) {
    const auto* l = s.as<Loop>();
    const auto* c = s.as<Coiterate>();
    const std::optional<MergePath>& path = l ? l->merge_path : c ? c->merge_path : none;
    if (path && !walks_rows(flow, s)) refused = path->tensor;
  });
  if (refused.empty()) return flow;
  text::Span span = kernel.span;
  for (const lang::ScheduleStep& step : kernel.schedule.steps)
    if (step.kind == lang::ScheduleStep::Kind::parallel && step.tensor == refused) span = step.span;
  diagnostics
      .error("E0150", span,
             "the entries of " + refused +
                 " cannot be dealt out: its rows are not walked one by one, each from its start to its end")
      .notes.push_back({{}, "`show lattice` says who leads"});
  return std::nullopt;
}

}  // namespace trellis::flow
