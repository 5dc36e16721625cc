#include "engine/flow/share_positions.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "engine/flow/entries.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/text/scoped.hpp"

namespace trellis::flow {

namespace {

/// An entry of a level, whose position a variable holds.
struct Known {
  std::string entries;  ///< the operand that has them
  int level;
  Position parent;
  Expr coordinate;
  std::string name;
  bool certain;  ///< there is one; else the variable may be -1
};

/// An element that an entry of the pattern `entries` is at, in whatever layout it was found: coordinates by dimension.
struct There {
  std::string entries;
  std::array<Expr, 2> element;
};

/// Of an entry of a matrix, in a level below a dense one.
std::optional<std::array<Expr, 2>> element_at(const Tensor& tensor, int level, const Position& parent, const Expr& at) {
  const auto* above = parent.as<Direct>();
  if (level != 1 || tensor.levels.size() != 2 || !above || !above->parent.as<Root>()) return std::nullopt;
  return format::dimension_of(tensor, 0) == 0 ? std::array{above->coordinate, at} : std::array{at, above->coordinate};
}

class PositionSharing {
 public:
  explicit PositionSharing(const Flow& flow) : flow_(flow) {}

  Stmt visit(const Stmt& s) {
    if (const auto* c = s.as<Coiterate>()) return coiterate(s, *c);
    if (const auto* t = s.as<Test>()) return test(s, *t);
    if (const auto* l = s.as<Locate>()) return locate(s, *l);
    if (const auto* i = s.as<If>()) return condition(s, *i);
    return children(s);
  }

 private:
  Stmt children(const Stmt& s) {
    return map_children(
        s, [&](const Stmt& child) { return visit(child); }, [&](const Expr& e) { return expr(e); });
  }

  void learn(const std::string& tensor, int level, const Position& parent, const Expr& at, const std::string& name,
             bool certain) {
    const std::string entries = entries_of(flow_, tensor);
    if (!entries.empty() && affine(at)) known_.push_back({entries, level, parent, at, name, certain});
  }

  /// While it stands at the loop's coordinate.
  void learn(const Cursor& cursor, const std::string& variable) {
    const format::Facts& facts = flow_.tensor(cursor.tensor)->levels[static_cast<std::size_t>(cursor.level)].facts;
    const Tensor& tensor = *flow_.tensor(cursor.tensor);
    const auto element = element_at(tensor, cursor.level, cursor.parent, name(variable));
    const bool plain = cursor.plain() && !cursor.exists && facts.points();
    if (plain && element && !tensor.same_as.empty()) there_.push_back({tensor.same_as, *element});
    if (plain && facts.unique) learn(cursor.tensor, cursor.level, cursor.parent, name(variable), cursor.name, true);
  }

  Stmt coiterate(const Stmt& s, const Coiterate& c) {
    const text::Scoped scope(known_);
    const text::Scoped elements(there_);
    const text::Scoped around(cursors_);
    for (const Cursor& cursor : c.cursors) cursors_.emplace_back(&cursor, &c);
    Coiterate next = *map_children(
                          s, [](const Stmt& child) { return child; }, [&](const Expr& e) { return expr(e); })
                          .as<Coiterate>();
    for (Coiterate::Point& point : next.points) {
      const text::Scoped inside(known_);
      const text::Scoped elements_inside(there_);
      if (!c.by_regions() && point.leads.size() == 1 && !point.any)
        learn(c.cursors[static_cast<std::size_t>(point.leads.front())], c.variable);
      point.body = visit(point.body);
    }
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  Stmt test(const Stmt& s, const Test& t) {
    Test next = t;
    const auto of = std::ranges::find_if(cursors_.rbegin(), cursors_.rend(),
                                         [&](const auto& one) { return one.first->name == t.cursor; });
    {
      const text::Scoped inside(known_);
      const text::Scoped elements(there_);
      if (of != cursors_.rend() && !of->second->by_regions()) learn(*of->first, of->second->variable);
      next.then = visit(t.then);
    }
    if (t.otherwise) next.otherwise = visit(*t.otherwise);
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  const Known* known(const Locate& l) const {
    const std::string entries = entries_of(flow_, l.tensor);
    const auto found = std::ranges::find_if(known_, [&](const Known& k) {
      return k.entries == entries && k.level == l.level && k.coordinate == l.coordinate && is_same(k.parent, l.parent);
    });
    return found == known_.end() || !is_plain(flow_, l) ? nullptr : &*found;
  }

  Stmt locate(const Stmt& s, const Locate& l) {
    if (const Known* k = known(l)) {
      const text::Scoped scope(certain_);
      if (k->certain) certain_.insert(k->name);
      return visit(renamed(l.body, l.name, k->name));
    }
    const text::Scoped scope(known_);
    if (!is_plain(flow_, l)) return children(s);
    learn(l.tensor, l.level, l.parent, l.coordinate, l.name, false);
    if (!is_there(l)) return children(s);
    const text::Scoped certain(certain_);
    certain_.insert(l.name);
    Locate next = *children(s).as<Locate>();
    next.certain = true;
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  /// Has a walk of the same pattern in another layout come by it?
  bool is_there(const Locate& l) const {
    const auto element = element_at(*flow_.tensor(l.tensor), l.level, l.parent, l.coordinate);
    return element && std::ranges::any_of(there_, [&](const There& one) {
             return one.entries == entries_of(flow_, l.tensor) && one.element == *element;
           });
  }

  /// A position that there is for certain needs no question.
  Stmt condition(const Stmt& s, const If& i) {
    const auto* and_more = i.condition.as<Select>();
    const auto* never = and_more ? and_more->otherwise.as<Constant>() : nullptr;
    const std::string* asked = asks_for(never && !never->value.is_true() ? and_more->condition : i.condition);
    if (!asked) return children(s);
    if (!never && certain_.contains(*asked)) return visit(i.then);
    If next = i;
    next.condition = expr(i.condition);
    {
      const text::Scoped scope(certain_);
      certain_.insert(*asked);
      next.then = visit(i.then);
    }
    if (i.otherwise) next.otherwise = visit(*i.otherwise);
    return Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id());
  }

  Expr expr(const Expr& e) const {
    if (const auto* select = e.as<Select>())
      if (const std::string* asked = asks_for(select->condition); asked && certain_.contains(*asked))
        return expr(select->then);
    return map_children(e, [&](const Expr& child) { return expr(child); });
  }

  /// `p >= 0`.
  static const std::string* asks_for(const Expr& e) {
    const auto* b = e.as<Binary>();
    const auto* name = b && b->op == format::BinaryOp::greater_equal ? b->left.as<Name>() : nullptr;
    return name && is_zero(b->right) && name->kind == Name::Kind::variable ? &name->name : nullptr;
  }

  const Flow& flow_;
  std::vector<Known> known_;
  std::vector<There> there_;
  std::vector<std::pair<const Cursor*, const Coiterate*>> cursors_;
  std::set<std::string> certain_;  ///< variables that are no -1
};

}  // namespace

Flow share_positions(const Flow& flow) {
  Flow result = flow;
  result.root = PositionSharing(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
