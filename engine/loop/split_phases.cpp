#include "engine/loop/split_phases.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/loop/context.hpp"
#include "engine/loop/cut_loop.hpp"
#include "engine/loop/isolate.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::loop {

namespace {

using format::Function;
using math::Affine;
using math::Constraint;
using math::Relation;

constexpr int most_phases = 16;  ///< of one loop of the input; where there are more, guards are tested

/// A loop inside the one that is to be cut, and bounds that its variable keeps.
struct Inner {
  std::string variable;
  std::optional<Affine> least, most;
};

/// A constraint on the loop's variable; `guards` where a value depends on it, else it says that a loop runs at all.
struct Change {
  Constraint constraint;
  bool guards;
};

/// Where what is done in the body of a loop may change.
class Changes {
 public:
  explicit Changes(const std::string& variable) : variable_(variable) {}

  std::vector<std::pair<Affine, bool>> of(const Stmt& body) {
    collect(body);
    return std::move(cuts_);
  }

 private:
  void collect(const Stmt& stmt) {
    const std::size_t around = inner_.size();
    if (const auto* f = stmt.as<For>()) {
      bounds(*f);
      inner_.push_back(inner(*f));
    }
    if (const auto* let = stmt.as<Let>()) inner_.push_back({let->name, {}, {}});
    for_each_child(
        stmt, [&](const Stmt& child) { collect(child); }, [&](const Expr& expr) { collect(expr); });
    inner_.resize(around);
  }

  void collect(const Expr& expr) {
    if (const auto* b = expr.as<lang::Binary>(); b && format::is_comparison(b->op))
      if (const auto all = lang::affine_condition(expr))
        for (const Constraint& one : *all) add({one, true});
    lang::for_each_child(expr, [&](const Expr& child) { collect(child); });
  }

  void bounds(const For& f) {
    for (const Affine& low : alternatives(f.low, Function::max))
      for (const Affine& high : alternatives(f.high, Function::min)) add({{low, Relation::less, high}, false});
  }

  static Inner inner(const For& f) {
    const auto lows = alternatives(f.low, Function::max), highs = alternatives(f.high, Function::min);
    Inner one{f.variable, {}, {}};
    if (!lows.empty()) one.least = lows.front();
    if (!highs.empty()) one.most = highs.front() - Affine(1);
    return one;
  }

  /// The form with the loops inside where it is least, or greatest; nothing where that is not known before them.
  std::optional<Affine> extreme(Affine form, bool greatest) const {
    for (std::size_t k = inner_.size(); k-- > 0;) {
      const Inner& one = inner_[k];
      if (!form.mentions(one.variable)) continue;
      const std::int64_t factor = form.coefficient(one.variable);
      const auto& end = (factor > 0) == greatest ? one.most : one.least;
      if (!end || end->mentions(variable_)) return std::nullopt;
      form = form + factor * (*end - Affine::name(one.variable));
      if (form.mentions(one.variable)) return std::nullopt;
    }
    return form;
  }

  void add(const Change& change) {
    const Affine difference = change.constraint.left - change.constraint.right;
    if (!difference.mentions(variable_)) return;
    Relation relation = change.constraint.relation;
    if (relation == Relation::not_equal) relation = Relation::equal;
    const auto least = extreme(difference, false), greatest = extreme(difference, true);
    if (!least || !greatest || (relation == Relation::equal && !(*least == *greatest))) return;
    for (const Affine& form : {*least, *greatest})
      if (const auto interval = isolate({form, relation, 0}, variable_))
        for (const auto& end : {interval->low, interval->high})
          if (end) add_once(cuts_, std::pair(*end, change.guards));
  }

  const std::string& variable_;
  std::vector<Inner> inner_;
  std::vector<std::pair<Affine, bool>> cuts_;
};

class Phases {
 public:
  explicit Phases(const lang::Program& program) : program_(program) {}

  /// Outer loops first: a loop inside that is empty in one phase needs no cut there.
  Stmt split(const Stmt& stmt, const Context& known) const {
    int left = most_phases - 1;
    if (stmt.as<For>()) return split_for(stmt, known, left);
    return inside(stmt, known);
  }

 private:
  Stmt inside(const Stmt& stmt, const Context& known) const {
    bool then = true;
    return map_children(
        stmt, [&](const Stmt& child) { return split(child, known.within(stmt, std::exchange(then, false))); },
        [](const Expr& expr) { return expr; });
  }

  Stmt split_for(const Stmt& stmt, const Context& known, int& left) const {
    const auto* f = stmt.as<For>();
    if (!f) return inside(stmt, known);  // a part that does nothing, or of which one iteration was left
    if (f->until || left == 0 || reads(stmt) == 0) return inside(stmt, known);
    for (const auto& [at, guards] : Changes(f->variable).of(f->body)) {
      const auto cut = cut_loop(stmt, at, known);
      if (!cut || !decides(stmt, *cut, guards, known)) continue;
      --left;
      return in_order(stmt, *cut, [&](const Stmt& part) { return split_for(part, known, left); });
    }
    return inside(stmt, known);
  }

  /// Is an operand left out in one part, or if loops run or do not, one in each?
  bool decides(const Stmt& whole, const Cut& cut, bool guards, const Context& known) const {
    const std::size_t all = reads(whole);
    const auto leaves_out = [&](const Stmt& part) { return reads(part) < all && !runs_once(part, known); };
    const bool below = leaves_out(cut.lower), above = leaves_out(cut.upper);
    return guards ? below || above : below && above;
  }

  /// One iteration is not worth the code: the first row of an image, which has none above.
  static bool runs_once(const Stmt& part, const Context& known) {
    const auto* f = part.as<For>();
    if (!f) return false;
    const auto lows = alternatives(f->low, Function::max), highs = alternatives(f->high, Function::min);
    return std::ranges::any_of(lows, [&](const Affine& low) {
      return std::ranges::any_of(highs, [&](const Affine& high) { return known.at_most(high, low + Affine(1)); });
    });
  }

  void collect(const Expr& expr, std::set<std::string>& into) const {
    const auto* access = expr.as<lang::Access>();
    const lang::TensorInfo* const of = access ? program_.tensor(access->tensor) : nullptr;
    if (of && !of->format.all_known()) into.insert(lang::to_string(expr));
    lang::for_each_child(expr, [&](const Expr& child) { collect(child, into); });
  }

  /// How many elements of sparse operands the text names.
  std::size_t reads(const Stmt& stmt) const {
    std::set<std::string> all;
    for_each(stmt, [&](const Stmt& inner) {
      if (const auto* a = inner.as<Assign>()) {
        for (const Expr& index : a->target.as<lang::Access>()->indices) collect(index, all);
        return collect(a->value, all);
      }
      for_each_child(
          inner, [](const Stmt&) {}, [&](const Expr& expr) { collect(expr, all); });
    });
    return all.size();
  }

  const lang::Program& program_;
};

}  // namespace

Stmt split_phases(const Stmt& stmt, const lang::Program& program, math::Solver& solver) {
  return Phases(program).split(stmt, Context(solver));
}

}  // namespace trellis::loop
