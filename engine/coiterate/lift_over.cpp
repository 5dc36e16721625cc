#include "engine/coiterate/lift_over.hpp"

#include <algorithm>

#include "engine/coiterate/iteration_results.hpp"

namespace trellis::coiterate {

namespace {

using format::BinaryOp;
using format::ReduceOp;

using Steady = std::function<bool(const lang::Access&, const lang::Expr& index)>;

/// Does it differ from one coordinate to the next?
bool moves(const lang::Expr& e, const std::string& variable, const Steady& is_steady) {
  if (const auto* v = e.as<lang::Variable>()) return v->name == variable;
  bool found = false;
  if (const auto* a = e.as<lang::Access>()) {
    for (const lang::Expr& index : a->indices)
      found = found || (moves(index, variable, is_steady) && !is_steady(*a, index));
    return found;
  }
  lang::for_each_child(e, [&](const lang::Expr& child) { found = found || moves(child, variable, is_steady); });
  return found;
}

class Repeating {
 public:
  Repeating(const Stretch& stretch, const IterationResults& results)
      : stretch_(stretch),
        results_(results),
        count_(lang::binary(BinaryOp::add, lang::binary(BinaryOp::subtract, stretch.last, stretch.first),
                            lang::integer(1))) {}

  std::optional<loop::Stmt> run(const loop::Stmt& body) {
    const loop::Stmt lifted = stmt(body);
    return possible_ ? std::optional(lifted) : std::nullopt;
  }

 private:
  bool moves(const lang::Expr& e) const {
    return trellis::coiterate::moves(e, stretch_.variable, [&](const lang::Access& access, const lang::Expr& index) {
      return stretch_.is_steady(access, index) || results_.is_own(access, index);
    });
  }

  loop::Stmt stmt(const loop::Stmt& s) {
    if (results_.is_once(s)) return once(s);
    if (const auto* a = s.as<loop::Assign>()) return assign(s, *a);
    if (s.as<loop::While>() || (s.as<loop::For>() && s.as<loop::For>()->until)) possible_ = false;
    if (const auto* r = s.as<loop::Reset>()) possible_ = possible_ && results_.declares(r->tensor);
    return loop::map_children(
        s, [&](const loop::Stmt& child) { return stmt(child); },
        [&](const lang::Expr& e) {
          possible_ = possible_ && !moves(e);
          return e;
        });
  }

  /// A choice is made where the stretch begins. A counter that the stretch reaches goes along to its end.
  loop::Stmt once(const loop::Stmt& s) const {
    const std::optional<Passing> passing = passing_of(s, stretch_.variable);
    if (!passing) return s;
    const auto not_behind = [](const lang::Expr& a, const lang::Expr& b) {
      return lang::binary(BinaryOp::less_equal, a, b);
    };
    const lang::Expr reached = lang::binary(BinaryOp::logical_and, not_behind(stretch_.first, passing->gap),
                                            not_behind(passing->gap, stretch_.last));
    const lang::Expr rest = lang::binary(BinaryOp::subtract, stretch_.last, passing->gap);
    const auto made = [&](auto node) {
      return loop::Stmt(loop::StmtNode{std::move(node), s->span}, s.origin(), s.id());
    };
    const loop::Stmt along =
        made(loop::Assign{passing->counter, ReduceOp::sum, lang::binary(BinaryOp::add, rest, lang::integer(1))});
    return made(loop::If{reached, loop::block({along}), {}});
  }

  loop::Stmt assign(const loop::Stmt& s, const loop::Assign& a) {
    const auto& target = *a.target.as<lang::Access>();
    const bool local = results_.declares(target.tensor);
    if (moves(a.value) || (local && std::ranges::any_of(target.indices, [&](const auto& i) { return moves(i); })))
      possible_ = false;
    if (!possible_ || local || !a.op || results_.kind(target.tensor) != IterationResults::Kind::shared) return s;
    const std::optional<lang::Expr> all = repeated(*a.op, a.value);
    if (!all) possible_ = false;
    return all ? loop::Stmt(loop::StmtNode{loop::Assign{a.target, a.op, *all}, s->span}, s.origin(), s.id()) : s;
  }

  std::optional<lang::Expr> repeated(ReduceOp op, const lang::Expr& value) const {
    const bool boolean = format::is_boolean(value->type);
    const lang::Expr count = lang::cast(value->type, count_);
    const auto* constant = value.as<lang::Constant>();
    const bool one = constant && !format::is_floating(value->type) && constant->value.integer == 1;
    const auto combined = [&](BinaryOp how) { return lang::binary(how, value, count); };
    switch (op) {
      case ReduceOp::min:
      case ReduceOp::max:
      case ReduceOp::any:
      case ReduceOp::all: return value;
      case ReduceOp::sum: return boolean ? value : one ? count : combined(BinaryOp::multiply);
      case ReduceOp::prod: return boolean ? value : power(value);
      case ReduceOp::argmin:
      case ReduceOp::argmax:
      case ReduceOp::user: break;
    }
    return std::nullopt;
  }

  /// A narrow type may not hold the count: 2^256 is no 2^0.
  lang::Expr power(const lang::Expr& value) const {
    const auto wide = format::is_floating(value->type) ? value->type : format::ScalarType::i64;
    return lang::cast(value->type, lang::binary(BinaryOp::power, lang::cast(wide, value), lang::cast(wide, count_)));
  }

  const Stretch& stretch_;
  const IterationResults& results_;
  const lang::Expr count_;
  bool possible_ = true;
};

}  // namespace

std::optional<LiftedOver> lift_over(const loop::Stmt& body, const Stretch& stretch) {
  const IterationResults results(body, stretch,
                                 [&](const lang::Expr& e) { return moves(e, stretch.variable, stretch.is_steady); });
  const bool copies = results.any_of(IterationResults::Kind::row);
  if (!results.apart() || (copies && !results.takes_more_than_rows())) return std::nullopt;
  const std::optional<loop::Stmt> once = Repeating(stretch, results).run(body);
  if (!once) return std::nullopt;
  const bool at_first = results.any_of(IterationResults::Kind::run) || results.any_of(IterationResults::Kind::chosen);
  LiftedOver lifted{*once, copies || at_first, {}};
  if (copies) lifted.copies = results.copies();
  return lifted;
}

}  // namespace trellis::coiterate
