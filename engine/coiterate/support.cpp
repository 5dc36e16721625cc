#include "engine/coiterate/support.hpp"

#include <algorithm>

#include "engine/lang/properties.hpp"

namespace trellis::coiterate {

using format::BinaryOp;

namespace {

/// Constants that stand in the program decide nothing: only what is not stored does, whatever it meets.
bool is_written(const lang::Expr& e) {
  if (const auto* c = e.as<lang::Constant>()) return !c->absent;
  bool all = !e.as<lang::Access>();
  lang::for_each_child(e, [&](const lang::Expr& child) { all = all && is_written(child); });
  return all;
}

}  // namespace

Support::Support(const loop::Stmt& body, const Offers& offers, const Surroundings& around)
    : offers_(offers), around_(around) {
  for (auto& [name, writes] : local_writes(body)) locals_[name] = {std::move(writes)};
  note_elements(body);
}

Support::Local* Support::local(const std::string& name) {
  const auto found = locals_.find(name);
  return found == locals_.end() ? nullptr : &found->second;
}

Algebra Support::of(const loop::Stmt& s) {
  const Algebra nowhere = Algebra::nowhere(), everywhere = Algebra::everywhere();
  return s.match(
      [&](const loop::Block& b) {
        Algebra all = nowhere;
        for (const loop::Stmt& inner : b.statements) all = all | of(inner);
        return all;
      },
      [&](const loop::For& f) { return f.until ? everywhere : of(f.body); },
      [&](const loop::While&) { return everywhere; },
      [&](const loop::If& i) {
        Algebra all = of(i.condition, format::Value::truth(false)) & of(i.then);
        return i.otherwise ? all | (of(i.condition, format::Value::truth(true)) & of(*i.otherwise)) : all;
      },
      [&](const loop::Let& l) { return of(l.body); }, [&](const loop::Declare&) { return nowhere; },
      [&](const loop::Assign& a) { return assigned(s, a); },
      [&](const loop::Reset& r) { return locals_.count(r.tensor) ? nowhere : everywhere; },
      [&](const loop::Lifecycle&) { return nowhere; }, [&](const loop::Exchange&) { return everywhere; },
      [&](const loop::Note&) { return nowhere; });
}

/// Elements that are appended in each iteration, so that they are what is assigned here wherever they are read behind
/// it.
void Support::note_elements(const loop::Stmt& s) {
  if (const auto* b = s.as<loop::Block>())
    for (const loop::Stmt& inner : b->statements) note_elements(inner);
  if (const auto* l = s.as<loop::Let>()) note_elements(l->body);
  const auto* a = s.as<loop::Assign>();
  if (a && !a->op && around_.appended.contains(a->target.as<lang::Access>()->tensor)) elements_.push_back({*a});
}

Algebra Support::assigned(const loop::Stmt& s, const loop::Assign& a) {
  const std::string& target = a.target.as<lang::Access>()->tensor;
  if (locals_.count(target)) return Algebra::nowhere();
  if (a.op) {
    const std::optional<format::Value> neutral = neutral_element(*a.op, a.value->type);
    return neutral ? of(a.value, *neutral) : Algebra::everywhere();
  }
  return assigns_first(s, around_) ? of(a.value, around_.tensor(target)->fill) : Algebra::everywhere();
}

/// Where a temporary differs from t: where something is written to it, if it starts as t.
Algebra Support::local(Local& l, const format::Value& t) {
  if (l.open) return l.asked == t ? Algebra::nowhere() : Algebra::everywhere();  // by induction over its writes
  const bool within = within_local_;                                             // one look at each for one at this
  const Scoped inside(within_local_, true);
  const Algebra any_order = by_writes(l, t);
  return any_order.is_everywhere() && !within ? by_order(l, t) : any_order;
}

/// What one write after the other makes of a scalar where none of what they read is stored, if that is t: then it is
/// other than t where one of them writes something else.
///   w = C(i,j); w *= A(i,j)      0 where neither is stored: C(i,j) ∪ A(i,j)
Algebra Support::by_order(Local& l, const format::Value& t) {
  const LookInto meanwhile(*this, l);
  l.asked.reset();
  std::optional<format::Value> value;
  Algebra others = Algebra::nowhere();
  for (const LocalWrites::Step& step : l.steps) {
    const std::optional<format::Value> written = fill(step.value);
    const auto neutral = step.op ? neutral_element(*step.op, step.value->type) : std::nullopt;
    auto next = written;
    if (step.op)
      next = value && written && neutral ? std::optional(format::combine(*step.op, *value, *written)) : std::nullopt;
    if (next && (step.always || next == value)) {
      const bool anew = step.always && !step.op;
      others = (anew ? Algebra::nowhere() : others) | of(step.value, *written);
      value = next;
    } else {
      others = others | (value && neutral ? of(step.value, *neutral) : Algebra::everywhere());
    }
  }
  return value == t ? others : Algebra::everywhere();
}

Algebra Support::by_writes(Local& l, const format::Value& t) {
  if (l.unknown || l.resets.empty()) return Algebra::everywhere();
  for (const format::Value& reset : l.resets)
    if (!(reset == t)) return Algebra::everywhere();
  const LookInto meanwhile(*this, l);
  l.asked = t;
  Algebra all = Algebra::nowhere();
  for (const loop::Assign& a : l.writes) {
    const std::optional<format::Value> neutral = a.op ? neutral_element(*a.op, a.value->type) : t;
    all = all | (neutral ? of(a.value, *neutral) : Algebra::everywhere());
  }
  return all;
}

std::optional<format::Value> Support::fill(const lang::Expr& e) {
  if (const auto* c = e.as<lang::Constant>()) return c->value;
  if (const auto* a = e.as<lang::Access>()) {
    if (const Local* const l = local(a->tensor))
      return l->resets.empty() || l->unknown ? std::nullopt : std::optional(l->resets.front());
    const int literal = offers_.of(*a, *around_.tensor(a->tensor));
    if (literal < 0) return element_fill(*a);
    const bool absent = !offers_.literals[static_cast<std::size_t>(literal)].sequence.full;
    return absent ? std::optional(around_.tensor(a->tensor)->fill) : std::nullopt;
  }
  const std::vector<lang::Expr> parts = operands(e);
  std::vector<format::Value> values;
  for (const lang::Expr& part : parts) {
    const std::optional<format::Value> value = fill(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values.empty() ? std::nullopt : evaluate(e, values);
}

Algebra Support::of(const lang::Expr& e, const format::Value& t) {
  if (e.as<lang::Constant>() || e.as<lang::Access>()) return found(e, t);
  if (const auto known = known_.find(&*e); known != known_.end())
    for (const auto& [value, algebra] : known->second.found)
      if (value == t) return algebra;
  const Algebra result = found(e, t);
  Found& known = known_[&*e];
  known.of = e;
  known.found.emplace_back(t, result);
  return result;
}

Algebra Support::found(const lang::Expr& e, const format::Value& t) {
  if (const auto* c = e.as<lang::Constant>()) return c->value == t ? Algebra::nowhere() : Algebra::everywhere();
  if (const auto* a = e.as<lang::Access>()) return access(*a, t);
  if (const auto* u = e.as<lang::Unary>(); u && u->op == format::UnaryOp::logical_not)
    return of(u->operand, format::Value::truth(!t.is_true()));
  if (const auto* s = e.as<lang::Select>()) {
    const Algebra then = of(s->condition, format::Value::truth(false)) & of(s->then, t);
    return then | (of(s->condition, format::Value::truth(true)) & of(s->otherwise, t));
  }
  if (const auto* b = e.as<lang::Binary>()) {
    if (format::is_logical(b->op)) {
      const bool both = (b->op == BinaryOp::logical_and) != t.is_true();
      const Algebra left = of(b->left, t), right = of(b->right, t);
      return both ? left & right : left | right;
    }
    // `x != v` is not false exactly where x is not v.
    if (b->op == BinaryOp::not_equal && !t.is_true()) {
      if (const auto* v = b->right.as<lang::Constant>()) return of(b->left, v->value);
      if (const auto* v = b->left.as<lang::Constant>()) return of(b->right, v->value);
    }
  }
  if (const auto* c = e.as<lang::Cast>()) {
    // It is t wherever its operand has a value of which the cast makes t.
    const format::Value before = format::cast(c->operand->type, t);
    if (format::cast(e->type, before) == t) return of(c->operand, before) & operation(e, t);
  }
  return operation(e, t);
}

Algebra Support::access(const lang::Access& a, const format::Value& t) {
  if (Local* const l = local(a.tensor)) return local(*l, t);
  const lang::TensorInfo& info = *around_.tensor(a.tensor);
  const int number = offers_.of(a, info);
  if (number < 0) return info.fill == t ? element(a) : Algebra::everywhere();
  const Literal& literal = offers_.literals[static_cast<std::size_t>(number)];
  if (literal.sequence.full) return Algebra::everywhere();
  if (info.fill == t) return Algebra::literal(number);
  return literal.exact && t == format::Value::truth(true) ? !Algebra::literal(number) : Algebra::everywhere();
}

/// What has just been appended there, unless it is being asked about already.
Support::Element* Support::element_of(const lang::Access& read) {
  const auto own = std::ranges::find_if(elements_, [&](const Element& e) {
    const auto& target = *e.assign.target.as<lang::Access>();
    return target.tensor == read.tensor && target.indices == read.indices;
  });
  return own == elements_.end() || own->open ? nullptr : &*own;
}

/// Where one that has just been appended differs from the fill.
Algebra Support::element(const lang::Access& read) {
  Element* const own = element_of(read);
  if (!own) return Algebra::everywhere();
  const Scoped open(own->open, true);
  const Scoped meanwhile(known_, {});
  return of(own->assign.value, around_.tensor(read.tensor)->fill);
}

std::optional<format::Value> Support::element_fill(const lang::Access& read) {
  Algebra there = element(read);
  for (const int literal : std::vector<int>(there.literals())) there = there.with(literal, false);
  return there.is_nowhere() ? std::optional(around_.tensor(read.tensor)->fill) : std::nullopt;
}

/// The intersection of all that apply.
Algebra Support::operation(const lang::Expr& e, const format::Value& t) {
  const std::vector<lang::Expr> parts = operands(e);
  if (parts.empty()) return Algebra::everywhere();
  const lang::Properties known = properties(e, around_.program);
  Algebra result = Algebra::everywhere();
  for (const lang::Properties::Constant& c : known.constants) {
    const lang::Expr& part = parts[static_cast<std::size_t>(c.position)];
    if (c.result == t && !is_written(part)) result = result & of(part, c.value);
  }

  std::vector<format::Value> fills;
  for (const lang::Expr& part : parts)
    if (const std::optional<format::Value> value = fill(part)) fills.push_back(*value);
  if (fills.size() == parts.size() && evaluate(e, fills) == t) {
    Algebra any = Algebra::nowhere();
    for (std::size_t k = 0; k < parts.size(); ++k) any = any | of(parts[k], fills[k]);
    result = result & any;
  }
  if (known.idempotent && gives(e, std::vector<format::Value>(parts.size(), t), t, around_.program)) {
    Algebra any = Algebra::nowhere();
    for (const lang::Expr& part : parts) any = any | of(part, t);
    result = result & any;
  }
  if (parts.size() == 2) {
    for (const lang::Properties::Identity& i : known.identities) {
      const auto own = static_cast<std::size_t>(i.position);
      std::vector<format::Value> around(2, t);
      around[own] = i.value;
      if (gives(e, around, t, around_.program)) result = result & (of(parts[1 - own], t) | of(parts[own], i.value));
    }
  }
  return result;
}

bool assigns_first(const loop::Stmt& assign, const Surroundings& around) {
  const auto* a = assign.as<loop::Assign>();
  if (!a || a->op) return false;
  return around.appended.contains(a->target.as<lang::Access>()->tensor) || around.starts.contains(assign.id());
}

Algebra support(const loop::Stmt& body, const Offers& offers, const Surroundings& around) {
  return Support(body, offers, around).of(body);
}

}  // namespace trellis::coiterate
