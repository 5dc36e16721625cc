#include "engine/flow/known_ends.hpp"

#include <algorithm>
#include <utility>

#include "engine/flow/forward_appends.hpp"

namespace trellis::flow {

namespace {

class Ends {
 public:
  explicit Ends(const Flow& flow) : flow_(flow) {}

  Stmt visit(const Stmt& s) const {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    if (const auto* c = inner.as<Coiterate>()) return with_cursors(inner, with_free_followers(*c));
    const auto* seq = inner.as<Seq>();
    if (!seq) return inner;
    Seq next = *seq;
    bool changed = false;
    for (auto at = next.statements.begin(); at != next.statements.end(); ++at) {
      const auto* c = at->as<Coiterate>();
      if (!c) continue;
      Coiterate trimmed = *c;
      for (Cursor& cursor : trimmed.cursors)
        if (cursor.above &&
            std::any_of(at + 1, next.statements.end(),
                        [&](const Stmt& later) { return comes_behind(later, cursor, c->high); }) &&
            std::none_of(at + 1, next.statements.end(),
                         [&](const Stmt& later) { return resets(later, cursor.tensor); }))
          cursor.above = false;
      const Stmt known = with_cursors(*at, std::move(trimmed));
      changed |= !known.same(*at);
      *at = known;
    }
    return changed ? Stmt(StmtNode{std::move(next), inner->span}, inner.origin(), inner.id()) : inner;
  }

 private:
  const format::Facts& facts(const Cursor& cursor) const {
    return flow_.tensor(cursor.tensor)->levels[static_cast<std::size_t>(cursor.level)].facts;
  }

  static Stmt with_cursors(const Stmt& s, Coiterate c) {
    if (c.cursors == s.as<Coiterate>()->cursors) return s;
    return Stmt(StmtNode{std::move(c), s->span}, s.origin(), s.id());
  }

  /// Appends are in strictly rising order: one to the cursor's fiber, at the bound, says that all before are below it.
  bool comes_behind(const Stmt& later, const Cursor& cursor, const Expr& bound) const {
    const Stmt* at = append_in(later);
    if (!at) return false;
    const Append& append = *at->as<Append>();
    if (append.tensor != cursor.tensor || !cursor.plain()) return false;
    if (facts(cursor).decreasing || !facts(cursor).ordered || !(append.coordinates.back() == bound)) return false;
    return is_below(cursor.parent, cursor.level, append);
  }

  static bool resets(const Stmt& s, const std::string& tensor) {
    bool found = false;
    for_each_stmt(s, [&](const Stmt& inner) { found |= inner.as<Reset>() && inner.as<Reset>()->tensor == tensor; });
    return found;
  }

  /// Upwards, entries from the bound on come last, and a cursor that follows is no reason for the loop to go on. By
  /// regions it says how far an iteration reaches.
  Coiterate with_free_followers(Coiterate c) const {
    if (c.direction != Loop::Direction::up || c.by_regions()) return c;
    for (std::size_t k = 0; k < c.cursors.size(); ++k) {
      const bool leads = std::ranges::any_of(c.points, [&](const Coiterate::Point& point) {
        return std::ranges::count(point.leads, static_cast<int>(k)) > 0;
      });
      if (!leads && facts(c.cursors[k]).ordered) c.cursors[k].above = false;
    }
    return c;
  }

  const Flow& flow_;
};

}  // namespace

Flow known_ends(const Flow& flow) {
  Flow result = flow;
  result.root = Ends(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
