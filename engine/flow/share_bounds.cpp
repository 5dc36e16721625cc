#include "engine/flow/share_bounds.hpp"

#include <map>
#include <vector>

#include "engine/flow/entries.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/text/scoped.hpp"

namespace trellis::flow {

namespace {

/// Where the look-up is, as a bound that the cursor has.
struct Match {
  bool low = false, past = false, high = false;
  bool any() const { return low || high; }
};

class BoundSharing {
 public:
  explicit BoundSharing(const Flow& flow) : flow_(flow) {}

  Stmt visit(const Stmt& s) {
    if (const auto* seq = s.as<Seq>()) return in_order(s, *seq);
    if (const auto* l = s.as<Locate>()) return locate(s, *l);
    if (const auto* c = s.as<Coiterate>()) return coiterate(s, *c);
    return children(s);
  }

 private:
  Stmt children(const Stmt& s) {
    return map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
  }

  Match match(const Locate& l, const Cursor& cursor, const Coiterate& c) const {
    const format::Facts& facts = flow_.tensor(cursor.tensor)->levels[static_cast<std::size_t>(cursor.level)].facts;
    if (!facts.sorted_list() || !cursor.plain() || cursor.exists) return {};
    if (c.direction != Loop::Direction::up || !is_plain(flow_, l) || l.level != cursor.level) return {};
    if (l.held && !l.certain) return {};  // no array has what is near
    if (entries_of(flow_, l.tensor) != entries_of(flow_, cursor.tensor) || !is_same(l.parent, cursor.parent)) return {};
    const auto distance = [&](const Expr& bound) -> std::optional<std::int64_t> {
      const auto from = affine(l.coordinate), to = affine(bound);
      const auto apart = from && to ? std::optional(*to - *from) : std::nullopt;
      return apart && apart->is_constant() ? std::optional(apart->constant) : std::nullopt;
    };
    const auto low = distance(c.low), high = distance(c.high);
    Match match;
    match.low = cursor.below && low && (*low == 0 || *low == 1);
    match.past = match.low && *low == 1;
    match.high = cursor.above && high && *high == 0;
    return match;
  }

  bool serves(const Locate& l, const Stmt& stmt) const {
    bool found = false;
    for_each_stmt(stmt, [&](const Stmt& s) {
      const auto* c = s.as<Coiterate>();
      if (!c || found) return;
      for (const Cursor& cursor : c->cursors) found |= match(l, cursor, *c).any();
    });
    return found;
  }

  /// What a loop needs is looked up before it.
  Stmt in_order(const Stmt& s, const Seq& seq) {
    std::vector<Stmt> all = seq.statements;
    bool changed = false;
    for (std::size_t k = 1; k < all.size(); ++k) {
      const auto* l = all[k].as<Locate>();
      if (!l || !is_plain(flow_, *l)) continue;
      std::size_t first = 0;
      while (first < k && !serves(*l, all[first])) ++first;
      if (first == k || binds_again(*l, all, first, k)) continue;
      const auto at = [&](std::size_t place) { return all.begin() + static_cast<std::ptrdiff_t>(place); };
      std::vector<Stmt> inside(at(first), at(k));
      inside.push_back(l->body);
      inside.insert(inside.end(), at(k + 1), all.end());
      Locate earlier = *l;
      earlier.body = Stmt(StmtNode{Seq{std::move(inside)}, s->span}, s.origin());
      const Stmt moved(StmtNode{std::move(earlier), all[k]->span}, all[k].origin(), all[k].id());
      all.erase(at(first), all.end());
      all.push_back(moved);
      changed = true;
      break;
    }
    return children(changed ? Stmt(StmtNode{Seq{std::move(all)}, s->span}, s.origin(), s.id()) : s);
  }

  /// Would what it moves in front of, or what comes behind it, take its name for another?
  static bool binds_again(const Locate& l, const std::vector<Stmt>& all, std::size_t first, std::size_t at) {
    for (std::size_t k = first; k < all.size(); ++k)
      if (k != at && bound_in(all[k]).contains(l.name)) return true;
    return false;
  }

  Stmt locate(const Stmt& s, const Locate& l) {
    const text::Scoped scope(around_);
    around_.push_back(&l);
    Locate next = l;
    next.body = visit(l.body);
    const auto near = near_.find(&l);
    if (near == near_.end() && next.body.same(l.body)) return s;
    if (near != near_.end()) next.near = near->second;
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  Stmt coiterate(const Stmt& s, const Coiterate& c) {
    Coiterate next = c;
    for (Cursor& cursor : next.cursors)
      for (auto l = around_.rbegin(); l != around_.rend(); ++l) {
        const Match found = match(**l, cursor, c);
        if (found.low && !cursor.from)
          cursor.from = Cursor::Bound{(*l)->name, found.past}, near_.emplace(*l, Locate::Near::first);
        if (found.high && !cursor.to)
          cursor.to = Cursor::Bound{(*l)->name, false}, near_.emplace(*l, Locate::Near::last);
      }
    const Stmt with_bounds =
        next.cursors == c.cursors ? s : Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
    return children(with_bounds);
  }

  const Flow& flow_;
  std::vector<const Locate*> around_;
  std::map<const Locate*, Locate::Near> near_;
};

}  // namespace

Flow share_bounds(const Flow& flow) {
  Flow result = flow;
  result.root = BoundSharing(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
