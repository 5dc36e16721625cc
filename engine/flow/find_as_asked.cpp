#include "engine/flow/find_as_asked.hpp"

#include <algorithm>

namespace trellis::flow {

namespace {

using How = lang::Schedule::Find::How;

Cursor::Find find_of(How how) {
  switch (how) {
    case How::merge:
      return Cursor::Find::merge;
    case How::scan:
      return Cursor::Find::scan;
    case How::gallop:
      return Cursor::Find::gallop;
    case How::binary:
      break;
  }
  return Cursor::Find::chosen;
}

/// Is there anything beside it that is needed as well?
bool is_sought(const Coiterate& loop, int cursor) {
  return std::ranges::any_of(loop.points, [&](const Coiterate::Point& point) {
    return !point.any && point.leads.size() > 1 && std::ranges::find(point.leads, cursor) != point.leads.end();
  });
}

Stmt with_find(const Stmt& s, const std::string& tensor, Cursor::Find find, int& found) {
  const Stmt inner = map_children(
      s, [&](const Stmt& child) { return with_find(child, tensor, find, found); }, [](const Expr& e) { return e; });
  const auto* loop = inner.as<Coiterate>();
  if (!loop) return inner;
  Coiterate next = *loop;
  const int before = found;
  for (std::size_t k = 0; k < next.cursors.size(); ++k) {
    if (next.cursors[k].tensor != tensor || !is_sought(next, static_cast<int>(k))) continue;
    next.cursors[k].find = find;
    ++found;
  }
  return found == before ? inner : Stmt(StmtNode{std::move(next), inner->span}, inner.origin(), inner.id());
}

bool looks_up(const Flow& flow, const std::string& tensor) {
  bool found = false;
  for_each_stmt(flow.root, [&](const Stmt& s) {
    if (const auto* l = s.as<Locate>()) found |= l->tensor == tensor;
  });
  return found;
}

}  // namespace

std::optional<Flow> find_as_asked(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  Flow result = flow;
  for (const lang::Schedule::Find& one : kernel.schedule.finds) {
    int found = one.how == How::binary && looks_up(flow, one.tensor) ? 1 : 0;
    if (one.how != How::binary) result.root = with_find(result.root, one.tensor, find_of(one.how), found);
    if (found > 0) continue;
    diagnostics
        .error("E0913", one.span, "`" + lang::to_string(one) + "` is of no use here",
               "nothing is found in " + one.tensor + " like that")
        .notes.push_back({{}, "it is for an operand beside another one where both are needed, as x in A(i,j)*x(j)"});
    return std::nullopt;
  }
  return result;
}

}  // namespace trellis::flow
