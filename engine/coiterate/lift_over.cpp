#include "engine/coiterate/lift_over.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/coiterate/offers.hpp"

namespace trellis::coiterate {

namespace {

using format::BinaryOp;
using format::ReduceOp;

class Repeating {
 public:
  Repeating(const loop::Stmt& body, const Stretch& stretch) : stretch_(stretch) {
    loop::for_each(body, [&](const loop::Stmt& s) {
      if (const auto* d = s.as<loop::Declare>()) locals_.insert(d->tensor.name);
      if (const auto* a = s.as<loop::Assign>()) ++writes_[a->target.as<lang::Access>()->tensor];
    });
  }

  std::optional<loop::Stmt> run(const loop::Stmt& body) {
    bool alone = true;  // another turn's result is read, or two statements change one tensor
    for_each_read(body, [&](const Read& read) { alone = alone && !is_outer(read.access.as<lang::Access>()->tensor); });
    for (const auto& [tensor, count] : writes_) alone = alone && (locals_.count(tensor) || count == 1);
    if (!alone) return std::nullopt;
    const loop::Stmt lifted = stmt(body);
    return possible_ ? std::optional(lifted) : std::nullopt;
  }

 private:
  /// Written here, and read by others.
  bool is_outer(const std::string& tensor) const { return writes_.count(tensor) && !locals_.count(tensor); }

  bool moves(const lang::Expr& e) const {
    if (const auto* v = e.as<lang::Variable>()) return v->name == stretch_.variable;
    bool found = false;
    if (const auto* a = e.as<lang::Access>()) {
      for (const lang::Expr& index : a->indices) found = found || (moves(index) && !stretch_.is_steady(*a, index));
      return found;
    }
    lang::for_each_child(e, [&](const lang::Expr& child) { found = found || moves(child); });
    return found;
  }

  loop::Stmt stmt(const loop::Stmt& s) {
    if (const auto* a = s.as<loop::Assign>()) return assign(s, *a);
    if (s.as<loop::While>() || (s.as<loop::For>() && s.as<loop::For>()->until)) possible_ = false;
    if (const auto* r = s.as<loop::Reset>()) possible_ = possible_ && locals_.count(r->tensor);
    return loop::map_children(
        s, [&](const loop::Stmt& child) { return stmt(child); },
        [&](const lang::Expr& e) {
          possible_ = possible_ && !moves(e);
          return e;
        });
  }

  loop::Stmt assign(const loop::Stmt& s, const loop::Assign& a) {
    const auto& target = *a.target.as<lang::Access>();
    if (moves(a.value)) possible_ = false;
    const bool indexed = std::ranges::any_of(target.indices, [&](const lang::Expr& index) { return moves(index); });
    if (indexed && !(stretch_.takes_runs(target) && !a.op)) possible_ = false;
    if (!possible_ || locals_.count(target.tensor) || !a.op) return s;
    const std::optional<lang::Expr> all = repeated(*a.op, a.value);
    if (!all) possible_ = false;
    return all ? loop::Stmt(loop::StmtNode{loop::Assign{a.target, a.op, *all}, s->span}, s.origin(), s.id()) : s;
  }

  std::optional<lang::Expr> repeated(ReduceOp op, const lang::Expr& value) const {
    const bool boolean = format::is_boolean(value->type);
    const lang::Expr count = lang::cast(value->type, stretch_.count);
    const auto* constant = value.as<lang::Constant>();
    const bool one = constant && !format::is_floating(value->type) && constant->value.integer == 1;
    const auto combined = [&](BinaryOp how) { return lang::binary(how, value, count); };
    switch (op) {
      case ReduceOp::min:
      case ReduceOp::max:
      case ReduceOp::any:
      case ReduceOp::all:
        return value;
      case ReduceOp::sum:
        return boolean ? value : one ? count : combined(BinaryOp::multiply);
      case ReduceOp::prod:
        return boolean ? value : power(value);
      case ReduceOp::argmin:
      case ReduceOp::argmax:
      case ReduceOp::user:
        break;
    }
    return std::nullopt;
  }

  /// A narrow type may not hold the count: 2^256 is no 2^0.
  lang::Expr power(const lang::Expr& value) const {
    const auto wide = format::is_floating(value->type) ? value->type : format::ScalarType::i64;
    return lang::cast(value->type,
                      lang::binary(BinaryOp::power, lang::cast(wide, value), lang::cast(wide, stretch_.count)));
  }

  const Stretch& stretch_;
  std::set<std::string> locals_;
  std::map<std::string, int> writes_;
  bool possible_ = true;
};

}  // namespace

std::optional<loop::Stmt> lift_over(const loop::Stmt& body, const Stretch& stretch) {
  return Repeating(body, stretch).run(body);
}

}  // namespace trellis::coiterate
