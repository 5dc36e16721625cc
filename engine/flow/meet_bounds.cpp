#include "engine/flow/meet_bounds.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/flow/entries.hpp"
#include "engine/flow/fibers.hpp"
#include "engine/flow/fresh_names.hpp"

namespace trellis::flow {

namespace {

/// A cursor of a loop in a block.
struct Walked {
  std::size_t statement;
  const Coiterate* loop;
  int cursor;
  const Cursor& at() const { return loop->cursors[static_cast<std::size_t>(cursor)]; }
};

class Meeting {
 public:
  explicit Meeting(const Flow& flow) : flow_(flow), names_(flow) {}

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* seq = inner.as<Seq>();
    if (!seq) return inner;
    for (const Walked& first : walks(*seq))
      for (const Walked& second : walks(*seq))
        if (meet(first, second) && stays(*seq, first, second)) return together(inner, *seq, first, second);
    return inner;
  }

 private:
  bool fits(const Cursor& cursor) const {
    const format::Facts& facts = flow_.tensor(cursor.tensor)->levels[static_cast<std::size_t>(cursor.level)].facts;
    return facts.sorted_list() && cursor.plain() && !cursor.exists &&
           flow_.tensor(cursor.tensor)->storage != Tensor::Storage::temporary;
  }

  std::vector<Walked> walks(const Seq& seq) const {
    std::vector<Walked> found;
    for (std::size_t k = 0; k < seq.statements.size(); ++k) {
      const auto* c = seq.statements[k].as<Coiterate>();
      if (!c || c->direction != Loop::Direction::up || c->by_regions()) continue;
      for (int cursor = 0; cursor < static_cast<int>(c->cursors.size()); ++cursor)
        if (fits(c->cursors[static_cast<std::size_t>(cursor)])) found.push_back({k, c, cursor});
    }
    return found;
  }

  /// Does the first begin where the second ends, and would both seek that?
  static bool meet(const Walked& first, const Walked& second) {
    const Cursor &a = first.at(), &b = second.at();
    return first.statement != second.statement && a.tensor == b.tensor && a.level == b.level &&
           is_same(a.parent, b.parent) && a.below && !a.from && b.above && !b.to &&
           first.loop->low == second.loop->high;
  }

  /// Nothing comes or goes from the first of them on.
  static bool stays(const Seq& seq, const Walked& first, const Walked& second) {
    const std::size_t begin = std::min(first.statement, second.statement);
    return std::none_of(seq.statements.begin() + static_cast<std::ptrdiff_t>(begin), seq.statements.end(),
                        [&](const Stmt& s) { return written_in(s).contains(first.at().tensor); });
  }

  Stmt together(const Stmt& s, const Seq& seq, const Walked& first, const Walked& second) {
    const Cursor& cursor = first.at();
    Locate split;
    split.name = names_.take(names_.numbered(cursor.name + "_split"));
    split.tensor = cursor.tensor;
    split.level = cursor.level;
    split.parent = cursor.parent;
    split.coordinate = first.loop->low;
    split.near = Locate::Near::first;
    const std::size_t begin = std::min(first.statement, second.statement);
    Seq inside, all;
    for (std::size_t k = 0; k < seq.statements.size(); ++k) {
      Stmt next = seq.statements[k];
      if (k == first.statement) next = bounded(next, first, split.name, true);
      if (k == second.statement) next = bounded(next, second, split.name, false);
      (k < begin ? all : inside).statements.push_back(std::move(next));
    }
    const Stmt& from = seq.statements[begin];
    split.body = Stmt(StmtNode{std::move(inside), from->span}, from.origin());
    all.statements.push_back(Stmt(StmtNode{std::move(split), from->span}, from.origin()));
    return Stmt(StmtNode{std::move(all), s->span}, s.origin(), s.id());
  }

  static Stmt bounded(const Stmt& s, const Walked& walk, const std::string& split, bool from) {
    Coiterate next = *walk.loop;
    Cursor& cursor = next.cursors[static_cast<std::size_t>(walk.cursor)];
    (from ? cursor.from : cursor.to) = Cursor::Bound{split, false};
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  const Flow& flow_;
  FreshNames names_;
};

}  // namespace

Flow meet_bounds(const Flow& flow) {
  Flow result = flow;
  result.root = Meeting(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
