// What is left of an iteration when its sums are there.
#include "engine/flow/left_looking.hpp"

#include <algorithm>
#include <map>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/left_looking_parts.hpp"

namespace trellis::flow {

namespace {

class Finishing {
 public:
  Finishing(const LeftLooking& of, const std::string& sums) : of_(of), sums_(sums) {}

  Stmt stmt(const Stmt& s) {
    if (s.same(of_.update) || is_start(s)) return Stmt(StmtNode{Seq{}, s->span}, s.origin());
    const auto* c = s.as<Coiterate>();
    const auto* l = s.as<Locate>();
    const std::string around = row_;
    const std::map<std::string, std::string> entries = entries_, diagonals = diagonals_;
    if (c) row_ = c->variable, entries_ = led_by(*c);
    if (l && is_called(l->coordinate, of_.column) && l->level == 1 && stands_at(l->parent, of_.column))
      if (const std::string sum = sum_of(l->tensor); !sum.empty()) diagonals_[sum] = l->name;
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [&](const Expr& e) { return expr(e); });
    row_ = around;
    entries_ = entries;
    diagonals_ = diagonals;
    return inner;
  }

 private:
  const LeftLooking::Side* side_of(const std::string& sum) const {
    const auto found = std::ranges::find(of_.sides, sum, &LeftLooking::Side::sum);
    return found == of_.sides.end() ? nullptr : &*found;
  }
  bool is_own(const std::string& tensor) const { return tensor == of_.own || side_of(tensor); }

  /// That of the side which the factor, or its pattern, is of.
  std::string sum_of(const std::string& tensor) const {
    for (const LeftLooking::Side& side : of_.sides)
      if (tensor == side.factor || tensor == side.pattern) return side.sum;
    return "";
  }

  /// Declarations, and what sets a sum to 0.
  bool is_start(const Stmt& s) const {
    if (const auto* d = s.as<Declare>()) return is_own(d->tensor);
    if (const auto* a = s.as<Assign>()) return is_own(a->tensor);
    const auto* c = s.as<Coiterate>();
    const Assign* const a = c && c->points.size() == 1 ? only_update(c->points[0].body) : nullptr;
    return a && is_own(a->tensor);
  }

  /// By its sum, where the column of a side stands.
  std::map<std::string, std::string> led_by(const Coiterate& c) const {
    if (c.points.size() != 1 || c.points[0].leads.size() != 1 || c.points[0].regions) return {};
    const Cursor& cursor = c.cursors[static_cast<std::size_t>(c.points[0].leads[0])];
    const std::string sum = sum_of(cursor.tensor);
    if (sum.empty() || !cursor.plain() || !stands_at(cursor.parent, of_.column)) return {};
    return {{sum, cursor.name}};
  }

  Expr expr(const Expr& e) {
    const Expr inner = map_children(e, [&](const Expr& child) { return expr(child); });
    const auto* v = inner.as<Value>();
    const auto at = [&](Value value) { return Expr(ExprNode{std::move(value), e->type, e->span}, e.origin()); };
    if (!v) return inner;
    if (!of_.own.empty() && v->tensor == of_.own) return at({sums_, making::element(sums_, {name(of_.column)})});
    const LeftLooking::Side* const side = side_of(v->tensor);
    if (!side) return inner;
    const auto led = entries_.find(side->sum), found = diagonals_.find(side->sum);
    if (led != entries_.end() && stands_at(v->position, row_)) return at({side->factor, making::entry(led->second)});
    if (side->sums_diagonal && found != diagonals_.end() && stands_at(v->position, of_.column))
      return at({side->factor, making::entry(found->second)});
    return inner;
  }

  const LeftLooking& of_;
  const std::string& sums_;
  std::string row_;                               ///< of the walk of a column around
  std::map<std::string, std::string> entries_;    ///< by sum: of the column that is walked
  std::map<std::string, std::string> diagonals_;  ///< by sum: found on the diagonal
};

}  // namespace

Stmt LeftLooking::finish(const Stmt& body, const std::string& sums) const { return Finishing(*this, sums).stmt(body); }

}  // namespace trellis::flow
