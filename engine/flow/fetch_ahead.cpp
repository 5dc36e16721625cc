#include "engine/flow/fetch_ahead.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/flow/fresh_names.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;

/// Is the variable a term, so that its next value means the next element?
bool is_term(const Expr& e, const std::string& variable) {
  if (const auto* n = e.as<Name>()) return n->name == variable;
  const auto* b = e.as<Binary>();
  if (!b || (b->op != BinaryOp::add && b->op != BinaryOp::subtract)) return false;
  return is_term(b->left, variable) || (b->op == BinaryOp::add && is_term(b->right, variable));
}

/// Is the name a factor somewhere, so that its next value means another row?
bool is_factor(const Expr& e, const std::string& name) {
  const auto* b = e.as<Binary>();
  return b &&
         ((b->op == BinaryOp::multiply && names(e, name)) || is_factor(b->left, name) || is_factor(b->right, name));
}
bool chooses_row(const Position& position, const std::string& name) {
  const auto* d = position.as<Direct>();
  if (!d) return false;
  const auto* parent = d->parent.as<Direct>();
  return is_factor(d->coordinate, name) ||
         (parent && (names(parent->coordinate, name) || chooses_row(d->parent, name)));
}

/// The rows that the body of a walk reads or writes in loops, by the coordinate of the walk's entry.
class Rows {
 public:
  Rows(const Coiterate& walk, std::string instead) : instead_(std::move(instead)) {
    values_.emplace(walk.variable, name(instead_));
    values_.emplace(walk.cursors[0].name, std::nullopt);
    visit(walk.points[0].body);
  }

  std::vector<Ahead::Row> found;

 private:
  using Known = std::optional<Expr>;

  // What every iteration of the loops around comes by; an iteration of a branch may choose no row.
  void visit(const Stmt& s) {
    s.match(
        [&](const Seq& all) {
          for (const Stmt& each : all.statements) visit(each);
        },
        [&](const Loop& l) {
          if (l.direction == Loop::Direction::up && !l.unless) inside(l.variable, known(l.low), l.body);
        },
        [&](const Coiterate& c) {
          if (c.points.size() == 1 && c.cursors.size() == 1) walk(c);
        },
        [&](const Test& t) {
          if (t.certain) visit(t.then);
        },
        [&](const Let& l) {
          visit(l.value);
          with(l.name, known(l.value), [&] { visit(l.body); });
        },
        [&](const Locate& l) { with(l.name, {}, [&] { visit(l.body); }); },
        [&](const Insert& i) { with(i.name, {}, [&] { visit(i.body); }); }, [&](const Tabulate& t) { visit(t.body); },
        [&](const Assign& a) {
          element(a.tensor, a.position);
          visit(a.value);
        },
        [&](const Append& a) { visit(a.value); }, [](const auto&) {});
  }

  void walk(const Coiterate& c) {
    const std::string cursor = c.cursors[0].name;
    const auto [first, last] = c.points[0].regions.value_or(Coiterate::Point::Regions{c.variable, c.variable});
    with(c.variable, {},
         [&] { with(first, {}, [&] { with(last, {}, [&] { inside(cursor, {}, c.points[0].body); }); }); });
  }

  void inside(const std::string& variable, Known first, const Stmt& body) {
    loops_.push_back(variable);
    with(variable, std::move(first), [&] { visit(body); });
    loops_.pop_back();
  }

  template <class Visit>
  void with(const std::string& variable, Known value, const Visit& visit) {
    const auto outside = values_;
    values_[variable] = std::move(value);
    visit();
    values_ = outside;
  }

  void visit(const Expr& e) {
    for_each_child(e, [&](const Expr& child) { visit(child); });
    if (const auto* v = e.as<Value>()) element(v->tensor, v->position);
  }

  void element(const std::string& tensor, const Position& position) {
    const auto* last = position.as<Direct>();
    if (loops_.empty() || !last || !is_term(last->coordinate, loops_.back())) return;
    const std::optional<Position> first = known(position);
    if (!first || !chooses_row(*first, instead_)) return;
    const Ahead::Row row{tensor, *first};
    if (std::ranges::find(found, row) == found.end()) found.push_back(row);
  }

  /// The same in the loops' first iterations and at the other coordinate; nothing where it is not known before the body
  /// runs.
  std::optional<Position> known(const Position& position) const {
    if (position.as<Root>()) return position;
    if (const auto* at = position.as<At>()) return values_.contains(at->name) ? std::nullopt : std::optional(position);
    const auto* d = position.as<Direct>();
    if (!d || d->check) return {};
    const std::optional<Position> parent = known(d->parent);
    const Known coordinate = known(d->coordinate);
    if (!parent || !coordinate) return {};
    return Position(PositionNode{Direct{d->tensor, d->level, *parent, *coordinate, {}}}, position.origin(),
                    position.id());
  }

  Known known(const Expr& e) const {
    if (e.as<Constant>()) return e;
    if (const auto* n = e.as<Name>()) {
      const auto value = values_.find(n->name);
      return value == values_.end() ? e : value->second;
    }
    const auto* b = e.as<Binary>();
    if (!b || (b->op != BinaryOp::add && b->op != BinaryOp::subtract && b->op != BinaryOp::multiply)) return {};
    const Known left = known(b->left), right = known(b->right);
    if (!left || !right) return {};
    if (b->op == BinaryOp::add && is_zero(*right)) return left;
    if (b->op == BinaryOp::add && is_zero(*left)) return right;
    return Expr(ExprNode{Binary{b->op, *left, *right}, e->type, e->span}, e.origin(), e.id());
  }

  std::string instead_;
  std::map<std::string, Known> values_;  ///< of names that the body binds, and of the coordinate
  std::vector<std::string> loops_;
};

class Fetching {
 public:
  explicit Fetching(const Flow& flow) : flow_(flow), names_(flow) {}

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* walk = inner.as<Coiterate>();
    if (!walk || !can(*walk)) return inner;
    const std::string later = names_.underlined(walk->variable + "_ahead");
    Rows rows(*walk, later);
    if (rows.found.empty()) return inner;
    Coiterate fetching = *walk;
    fetching.ahead = Ahead{later, std::move(rows.found)};
    return Stmt(StmtNode{std::move(fetching), inner->span}, inner.origin(), inner.id());
  }

 private:
  /// What is still appended to has no count of entries yet.
  bool can(const Coiterate& walk) const {
    const Cursor* const cursor = walk.only();
    if (!cursor || flow_.tensor(cursor->tensor)->storage != Tensor::Storage::operand || cursor->stretch > 1)
      return false;
    const format::Facts& facts = flow_.tensor(cursor->tensor)->levels[static_cast<std::size_t>(cursor->level)].facts;
    const bool backward = ((walk.direction == Loop::Direction::down) != cursor->reversed) != facts.decreasing;
    return !backward && facts.unique && facts.points() && facts.child != format::Child::product;
  }

  const Flow& flow_;
  FreshNames names_;
};

}  // namespace

Flow fetch_ahead(const Flow& flow) {
  Flow result = flow;
  result.root = Fetching(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
