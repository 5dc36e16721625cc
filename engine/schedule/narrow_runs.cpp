#include "engine/schedule/narrow_runs.hpp"

#include <algorithm>

#include "engine/loop/instead_of.hpp"
#include "engine/loop/simplify_expressions.hpp"
#include "engine/schedule/narrow.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;
using lang::Access;
using loop::Assign;
using loop::Block;
using loop::For;
using loop::If;
using loop::Let;
using loop::Stmt;

// Farther than any value of 32 bits, and far from where sums of 64 bits end.
constexpr std::int64_t beyond = std::int64_t{1} << 40;
constexpr std::int64_t most_apart = 65532;

Expr scalar(const std::string& name, ScalarType type = ScalarType::i64) {
  return Expr(lang::ExprNode{Access{name, {}, {}}, type, {}});
}

lang::TensorInfo temporary(const std::string& name, std::vector<math::Affine> shape, ScalarType type) {
  lang::TensorInfo info;
  info.name = name;
  info.format = format::Format::dense(static_cast<int>(shape.size()));
  info.shape = std::move(shape);
  info.type = type;
  info.fill = format::Value::of(type, 0);
  info.kind = lang::TensorInfo::Kind::temporary;
  return info;
}

lang::TensorInfo narrow_steps(const Narrowed& one) {
  lang::TensorInfo info = temporary(one.narrow, one.wide.shape, ScalarType::i16);
  info.steps_of = one.tensor;
  return info;
}

/// `t max= H(i)`, whatever its type.
bool is_total(const Assign& a, const NarrowValues& values) {
  const auto* cast = a.value.as<lang::Cast>();
  const bool wide = a.target->type == ScalarType::i32 || a.target->type == ScalarType::i64;
  return (a.op == ReduceOp::min || a.op == ReduceOp::max) && wide && a.target.as<Access>()->indices.empty() &&
         !values.of(a.target) && values.of(cast ? cast->operand : a.value);
}

bool is_zero(const Expr& e) {
  const auto* c = e.as<lang::Constant>();
  return c && c->value.integer == 0;
}

/// No value of a run: the hull is narrower than 16 bits by one at both ends.
Expr identity_of(const Total& total) { return lang::constant(format::identity(total.op, ScalarType::i16)); }

bool names_any(const Expr& e, const std::map<std::string, Interval>& names) {
  return std::ranges::any_of(lang::free_variables(e), [&](const std::string& v) { return names.contains(v); });
}

}  // namespace

bool writes(const Stmt& stmt, const NarrowValues& values) {
  bool found = false;
  loop::for_each(stmt, [&](const Stmt& s) { found |= s.as<Assign>() && values.of(s.as<Assign>()->target); });
  return found;
}

bool is_over_steps(const Stmt& stmt, const NarrowValues& values) {
  const auto* f = stmt.as<For>();
  if (!f || f->kind != For::Kind::serial) return false;
  bool counts = false, recurs = false;
  loop::for_each(stmt, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    const Narrowed* one = a ? values.of(a->target) : nullptr;
    if (!one) return;
    const auto names = [&](const Expr& e) { return contains(lang::free_variables(e), f->variable); };
    counts |= one->slots == 1 || names(a->target.as<Access>()->indices[0]);
    recurs |= values.reads(a->value) && !values.of(a->value);  // more than copies
  });
  return counts && recurs;
}

Stmt NarrowRuns::made(decltype(loop::StmtNode::is) is) const {
  return Stmt(loop::StmtNode{std::move(is), loop_->span}, loop_.origin());
}

Stmt NarrowRuns::set(const Expr& target, const Expr& value, std::optional<ReduceOp> op) const {
  return made(Assign{target, op, value});
}

Stmt NarrowRuns::over(const std::string& variable, const Expr& low, const Expr& high, std::vector<Stmt> body) const {
  For f;
  f.variable = variable;
  f.low = low;
  f.high = high;
  f.body = loop::block(std::move(body), loop_.origin());
  return made(std::move(f));
}

Stmt NarrowRuns::steps(const Expr& low, const Expr& high, const Stmt& body) const {
  For f = steps_of_;
  f.low = low;
  f.high = high;
  f.body = body;
  return made(std::move(f));
}

std::vector<Stmt> NarrowRuns::widen_hull(const std::vector<Reach>& reaches) const {
  std::vector<Stmt> all;
  const Expr lowest = scalar(names_.lowest), highest = scalar(names_.highest);
  const auto add = [&](const Expr& bound, const Expr& value, ReduceOp op) {
    Stmt update = set(bound, value, op);
    if (!contains(all, update)) all.push_back(std::move(update));
  };
  for (const Reach& r : reaches) {
    if (r.relative && is_zero(r.by.low) && is_zero(r.by.high)) continue;
    add(lowest, r.relative ? plus(lowest, r.by.low) : r.by.low, ReduceOp::min);
    add(highest, r.relative ? plus(highest, r.by.high) : r.by.high, ReduceOp::max);
  }
  return all;
}

std::vector<Stmt> NarrowRuns::grown(const Stmt& stmt, Ranges ranges) {
  std::vector<Stmt> all;
  const auto add = [&](std::vector<Stmt> more) { all.insert(all.end(), more.begin(), more.end()); };
  if (const auto* b = stmt.as<Block>()) {
    for (const Stmt& child : b->statements) add(grown(child, ranges));
  } else if (const auto* f = stmt.as<For>()) {
    if (!writes(stmt, values_)) return all;
    if (f->kind != For::Kind::forall)
      throw Unsuited{"iterations of loop " + f->variable +
                         " need each other's values, so that within one step they "
                         "may grow by as many terms: take steps along fronts, by `wavefront`",
                     f->low->span};
    const Interval low = values_.range(f->low, ranges), high = values_.range(f->high, ranges);
    ranges[f->variable] = {low.low, minus(high.high, lang::integer(1))};
    add(grown(f->body, ranges));
  } else if (const auto* i = stmt.as<If>()) {
    std::vector<Stmt> then = grown(i->then, ranges), otherwise = i->otherwise ? grown(*i->otherwise, ranges) : all;
    if (then.empty() && otherwise.empty()) return all;
    if (names_any(i->condition, ranges) || values_.reads_results(i->condition)) {
      add(std::move(then));
      add(std::move(otherwise));
      return all;
    }
    If kept{i->condition, loop::block(std::move(then)), {}};
    if (!otherwise.empty()) kept.otherwise = loop::block(std::move(otherwise));
    all.push_back(made(std::move(kept)));
  } else if (const auto* l = stmt.as<Let>()) {
    if (!writes(stmt, values_)) return all;
    ranges[l->name] = values_.range(l->value, ranges);
    add(grown(l->body, ranges));
  } else if (const auto* a = stmt.as<Assign>(); a && values_.of(a->target)) {
    if (a->op && a->op != ReduceOp::min && a->op != ReduceOp::max)
      throw Unsuited{lang::to_string(a->target) + " adds up terms, whose sum is not bounded by a step's terms",
                     stmt->span};
    add(widen_hull(values_.reaches(a->value, ranges)));
  } else if (a) {
    compared_in_.push_back(stmt);
    add(widen_hull(values_.compared(a->value, ranges)));
  } else if (const auto* r = stmt.as<loop::Reset>()) {
    for (const Narrowed& one : values_.tensors())
      if (one.wide.name == r->tensor) throw Unsuited{"all of " + r->tensor + " begins anew", stmt->span};
  }
  return all;
}

std::vector<Total> NarrowRuns::find_totals() const {
  std::map<std::string, int> uses, updates;
  const std::function<void(const Expr&)> count = [&](const Expr& e) {
    if (const auto* a = e.as<Access>()) ++uses[a->tensor];
    lang::for_each_child(e, count);
  };
  const std::function<void(const Stmt&)> look = [&](const Stmt& s) { loop::for_each_child(s, look, count); };
  look(loop_);
  std::vector<Total> all;
  loop::for_each(loop_, [&](const Stmt& s) {
    const auto* a = s.as<Assign>();
    if (!a || !is_total(*a, values_)) return;
    const std::string& name = a->target.as<Access>()->tensor;
    if (std::ranges::find(all, a->target, &Total::wide) == all.end()) all.push_back({a->target, *a->op, name});
    const auto known = std::ranges::find(all, a->target, &Total::wide);
    updates[name] += known->op == a->op;
  });
  std::erase_if(all, [&](const Total& t) { return uses[t.narrow] != updates[t.narrow]; });
  for (Total& total : all) total.narrow = names_.fresh(total.narrow + "_i16");
  return all;
}

const Total* NarrowRuns::total_of(const Expr& access) const {
  const auto at = std::ranges::find(totals_, access, &Total::wide);
  return at == totals_.end() ? nullptr : &*at;
}

Stmt NarrowRuns::narrow(const Stmt& stmt) const {
  const auto* a = stmt.as<Assign>();
  if (const Total* total = a ? total_of(a->target) : nullptr)
    return Stmt(
        loop::StmtNode{Assign{scalar(total->narrow, ScalarType::i16), a->op, values_.value(a->value)}, stmt->span},
        stmt.origin());
  if (a && values_.of(a->target))
    return Stmt(loop::StmtNode{Assign{values_.narrow_access(a->target), a->op, values_.value(a->value)}, stmt->span},
                stmt.origin());
  const bool fits = std::ranges::any_of(compared_in_, [&](const Stmt& s) { return s.same(stmt); });
  Stmt result = loop::map_children(
      stmt, [&](const Stmt& child) { return narrow(child); },
      [&](const Expr& e) { return fits ? values_.result_value(e) : values_.widened(e); });
  const auto* f = result.as<For>();
  if (!f || f->reduces.empty() || totals_.empty()) return result;
  For renamed = *f;
  for (std::string& name : renamed.reduces)
    for (const Total& total : totals_)
      if (total.wide.as<Access>()->tensor == name) name = total.narrow;
  return loop::instead_of(result, std::move(renamed));
}

std::vector<Stmt> NarrowRuns::look_over(const Scanned& scanned) const {
  const Narrowed all{scanned.tensor, 1, {}, {}};
  const Expr least = scalar(scanned.least), most = scalar(scanned.most);
  std::vector<Stmt> result = {declared(temporary(scanned.least, {}, ScalarType::i64)),
                              declared(temporary(scanned.most, {}, ScalarType::i64)), set(least, lang::integer(beyond)),
                              set(most, lang::integer(-beyond))};
  const Visit widen = [&](const Expr& element) -> std::vector<Stmt> {
    const Expr value = lang::cast(ScalarType::i64, element);
    return {set(least, value, ReduceOp::min), set(most, value, ReduceOp::max)};
  };
  add_all(result, whole(all, widen, Columns::all));
  return result;
}

void NarrowRuns::find_strips() {
  std::vector<Stmt> writing;
  for (const Stmt& s : before_)
    if (writes(s, values_)) writing.push_back(s);
  const auto found = ColumnStrips::find(loop_, writing, values_, sizes_.columns);
  if (!found) return;
  strips_.emplace(*found);
  strips_->name(names_.fresh);
  begins_ = names_.fresh(steps_of_.variable + "_first");
  ends_ = names_.fresh(steps_of_.variable + "_end");
  for (const std::string& border : strips_->border_names()) values_.know(border);
}

std::vector<Stmt> NarrowRuns::as_narrow(const Expr& first, const Expr& end, const Interval& taken,
                                        const Stmt& body) const {
  const Expr base = scalar(names_.base), both = plus(scalar(names_.lowest), scalar(names_.highest));
  const Visit enter = [&](const Expr& element) -> std::vector<Stmt> {
    return {set(values_.narrow_access(element), values_.less_base(element))};
  };
  const Visit leave = [&](const Expr& element) -> std::vector<Stmt> {
    return {set(element, values_.with_base(values_.narrow_access(element), element->type))};
  };
  std::vector<Stmt> all = {set(base, lang::binary(BinaryOp::divide, both, lang::integer(2)))};
  add_all(all, whole(enter));
  for (const Stmt& s : there(first, end, body)) add_all(all, written_by(s, nullptr, enter));
  for (const Total& total : totals_) all.push_back(set(scalar(total.narrow, ScalarType::i16), identity_of(total)));
  all.push_back(steps(taken.low, taken.high, narrow(body)));
  for (const Total& total : totals_) {
    const Expr narrow = scalar(total.narrow, ScalarType::i16);
    const Expr any = lang::binary(BinaryOp::not_equal, narrow, identity_of(total));
    const Stmt told = set(total.wide, values_.with_base(narrow, total.wide->type), total.op);
    all.push_back(made(If{any, loop::block({told}), {}}));
  }
  add_all(all, whole(leave));
  add_all(all, last_steps(body, end, leave));
  return all;
}

std::vector<Stmt> NarrowRuns::run(const Expr& first, const Expr& end) {
  const Expr lowest = scalar(names_.lowest), highest = scalar(names_.highest);
  const Stmt body = strips_ ? strips_->step(first) : steps_of_.body;
  const Interval active = strips_ ? strips_->active(body, first, end) : Interval{first, end};
  const Interval taken = strips_ ? Interval{lang::variable(begins_), lang::variable(ends_)} : active;
  const Visit widen = [&](const Expr& element) -> std::vector<Stmt> {
    const Expr value = lang::cast(ScalarType::i64, element);
    return {set(lowest, value, ReduceOp::min), set(highest, value, ReduceOp::max)};
  };
  std::vector<Stmt> all = strips_ ? handed_on(first, end) : std::vector<Stmt>();
  all.push_back(set(lowest, lang::integer(beyond)));
  all.push_back(set(highest, lang::integer(-beyond)));
  add_all(all, whole(widen));
  for (const Stmt& s : there(first, end, body)) add_all(all, written_by(s, nullptr, widen));
  const std::vector<Stmt> growth = grown(body, {});
  if (!growth.empty()) all.push_back(over(steps_of_.variable, taken.low, taken.high, growth));
  const Expr near = lang::binary(BinaryOp::less_equal, minus(highest, lowest), lang::integer(most_apart));
  all.push_back(made(
      If{near, loop::block(as_narrow(first, end, taken, body)), loop::block({steps(taken.low, taken.high, body)})}));
  if (!strips_) return all;
  const Stmt until = made(Let{ends_, active.high, loop::block(std::move(all), loop_.origin())});
  const Stmt from = made(Let{begins_, active.low, loop::block({until}, loop_.origin())});
  return {over(strips_->variable(), lang::integer(0), strips_->count(), {from})};
}

std::vector<Stmt> NarrowRuns::runs() {
  const Expr length = lang::integer(sizes_.steps);
  const Expr first = plus(steps_of_.low, lang::binary(BinaryOp::multiply, lang::variable(names_.run), length));
  const Expr end = lesser(steps_of_.high, plus(first, length));
  const Expr count = lang::binary(BinaryOp::divide,
                                  plus(minus(steps_of_.high, steps_of_.low), lang::integer(sizes_.steps - 1)), length);
  const std::vector<Stmt> body = run(first, end);
  std::vector<Stmt> all;
  for (const std::string& name : {names_.lowest, names_.highest, names_.base})
    all.push_back(declared(temporary(name, {}, ScalarType::i64)));
  for (const Narrowed& one : values_.tensors()) all.push_back(declared(narrow_steps(one)));
  if (strips_)
    for (const lang::TensorInfo& border : strips_->borders(sizes_.steps)) all.push_back(declared(border));
  for (const Total& total : totals_) all.push_back(declared(temporary(total.narrow, {}, ScalarType::i16)));
  for (const Scanned& scanned : values_.scanned()) add_all(all, look_over(scanned));
  all.push_back(over(names_.run, lang::integer(0), loop::simplify(count), body));
  return all;
}

}  // namespace trellis::schedule
