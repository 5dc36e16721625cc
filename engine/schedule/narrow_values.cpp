#include "engine/schedule/narrow_values.hpp"

#include <algorithm>

#include "engine/loop/simplify_expressions.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

namespace {

using format::BinaryOp;
using format::Function;
using format::ScalarType;
using lang::Access;
using lang::Binary;
using lang::Call;
using lang::Select;

constexpr ScalarType narrow_type = ScalarType::i16;

Expr times(const Expr& a, const Expr& b) { return loop::simplify(lang::binary(BinaryOp::multiply, a, b)); }
Expr extremum_of(Function function, std::vector<Expr> all) {
  if (std::ranges::all_of(all, [&](const Expr& e) { return e == all.front(); })) return all.front();
  return loop::simplify(Expr(lang::ExprNode{Call{function, std::move(all)}, ScalarType::i64, {}}));
}
Interval hull(const Interval& a, const Interval& b) {
  return {extremum_of(Function::min, {a.low, b.low}), extremum_of(Function::max, {a.high, b.high})};
}

/// Are its lowest 16 bits those of what the operation makes of its operands' lowest 16 bits?
bool keeps_low_bits(BinaryOp op) { return op == BinaryOp::add || op == BinaryOp::subtract || op == BinaryOp::multiply; }

bool chooses(const Expr& e) {
  const auto* call = e.as<Call>();
  return call && (call->function == Function::min || call->function == Function::max);
}

bool holds_low_bits(ScalarType type) { return format::is_integer(type) && format::size_of(type) >= 2; }

/// A number of 64 bits that loops which are still there know.
bool is_known(const Expr& e, const std::map<std::string, Interval>& gone) {
  const auto* v = e.as<lang::Variable>();
  bool known = e->type == ScalarType::i64 && !e.as<Access>() && !(v && gone.contains(v->name));
  lang::for_each_child(e, [&](const Expr& child) { known &= is_known(child, gone); });
  return known;
}

Expr as(const Expr& like, decltype(lang::ExprNode::is) is, ScalarType type = narrow_type) {
  return Expr(lang::ExprNode{std::move(is), type, like->span}, like.origin(), like.id());
}

}  // namespace

Expr plus(const Expr& a, const Expr& b) { return loop::simplify(lang::binary(BinaryOp::add, a, b)); }
Expr minus(const Expr& a, const Expr& b) { return loop::simplify(lang::binary(BinaryOp::subtract, a, b)); }
Expr lesser(const Expr& a, const Expr& b) { return extremum_of(Function::min, {a, b}); }
Expr greater(const Expr& a, const Expr& b) { return extremum_of(Function::max, {a, b}); }

const Narrowed* NarrowValues::of(const Expr& access) const {
  const auto* a = access.as<Access>();
  const auto at = std::ranges::find_if(tensors_, [&](const Narrowed& one) { return a && one.wide.name == a->tensor; });
  return at == tensors_.end() ? nullptr : &*at;
}

bool NarrowValues::reads(const Expr& e) const {
  bool found = of(e) != nullptr;
  lang::for_each_child(e, [&](const Expr& child) { found |= reads(child); });
  return found;
}

bool NarrowValues::reads_results(const Expr& e) const {
  const auto* a = e.as<Access>();
  bool found = a && contains(written_, a->tensor);
  lang::for_each_child(e, [&](const Expr& child) { found |= reads_results(child); });
  return found;
}

Expr NarrowValues::narrow_access(const Expr& access) const {
  Access result = *access.as<Access>();
  result.tensor = of(access)->narrow;
  return as(access, std::move(result));
}

Expr NarrowValues::with_base(const Expr& narrow, ScalarType type) const {
  const Expr base(lang::ExprNode{Access{base_, {}, {}}, ScalarType::i64, {}});
  return as(narrow, Binary{BinaryOp::add, lang::cast(type, narrow), lang::cast(type, base)}, type);
}

Expr NarrowValues::less_base(const Expr& e) const {
  const Expr base(lang::ExprNode{Access{base_, {}, {}}, ScalarType::i64, {}});
  return as(e, Binary{BinaryOp::subtract, low_bits(e), lang::cast(narrow_type, base)});
}

Expr NarrowValues::widened(const Expr& e) const {
  if (of(e)) return with_base(narrow_access(e), e->type);
  return lang::map_children(e, [&](const Expr& child) { return widened(child); });
}

Expr NarrowValues::result_value(const Expr& e) const {
  if (of(e)) return widened(e);
  if (contains(compared_, e)) return condition(e);
  return lang::map_children(e, [&](const Expr& child) { return result_value(child); });
}

std::vector<Reach> NarrowValues::compared(const Expr& e, const std::map<std::string, Interval>& ranges) {
  std::vector<Reach> all;
  if (compares_narrow(e)) {
    try {
      for (const Expr& side : {e.as<Binary>()->left, e.as<Binary>()->right})
        for (const Reach& r : reaches(side, ranges)) all.push_back(r);
      add_once(compared_, e);
      return all;
    } catch (const Unsuited&) { all.clear(); }  // it is compared as it stands
  }
  lang::for_each_child(e, [&](const Expr& child) {
    for (const Reach& r : compared(child, ranges)) all.push_back(r);
  });
  return all;
}

Expr NarrowValues::low_bits(const Expr& e) const {
  if (const auto* c = e.as<lang::Constant>())
    return as(e, lang::Constant{format::Value::of_integer(narrow_type, c->value.integer), c->absent});
  if (const auto* s = e.as<Select>())
    return as(e, Select{widened(s->condition), low_bits(s->then), low_bits(s->otherwise)});
  if (const auto* b = e.as<Binary>(); b && keeps_low_bits(b->op))
    return as(e, Binary{b->op, low_bits(b->left), low_bits(b->right)});
  if (const auto* c = e.as<lang::Cast>(); c && holds_low_bits(e->type) && holds_low_bits(c->operand->type))
    return low_bits(c->operand);
  return lang::cast(narrow_type, e);
}

bool NarrowValues::suits(const Expr& e) const {
  if (of(e) || !reads(e)) return true;
  if (chooses(e)) return std::ranges::all_of(e.as<Call>()->arguments, [&](const Expr& a) { return suits(a); });
  if (const auto* s = e.as<Select>()) return suits(s->then) && suits(s->otherwise);
  if (const auto* c = e.as<lang::Cast>())
    return holds_low_bits(e->type) && format::size_of(e->type) >= 4 && suits(c->operand);
  const auto* b = e.as<Binary>();
  if (!b || (b->op != BinaryOp::add && b->op != BinaryOp::subtract)) return false;
  if (!reads(b->right)) return suits(b->left);
  return b->op == BinaryOp::add && !reads(b->left) && suits(b->right);
}

bool NarrowValues::compares_narrow(const Expr& e) const {
  const auto* b = e.as<Binary>();
  return b && format::is_comparison(b->op) && reads(b->left) && reads(b->right) && suits(b->left) && suits(b->right);
}

Expr NarrowValues::condition(const Expr& e) const {
  if (!reads(e)) return e;
  const auto* b = e.as<Binary>();
  if (compares_narrow(e)) return as(e, Binary{b->op, value(b->left), value(b->right)}, ScalarType::boolean);
  if (b && format::is_logical(b->op))
    return as(e, Binary{b->op, condition(b->left), condition(b->right)}, ScalarType::boolean);
  return widened(e);
}

Expr NarrowValues::value(const Expr& e) const {
  if (of(e)) return narrow_access(e);
  if (!reads(e)) return less_base(e);
  if (const auto* call = e.as<Call>()) {
    Call result = *call;
    for (Expr& argument : result.arguments) argument = value(argument);
    return as(e, std::move(result));
  }
  if (const auto* s = e.as<Select>())
    return as(e, Select{condition(s->condition), value(s->then), value(s->otherwise)});
  if (const auto* c = e.as<lang::Cast>()) return value(c->operand);
  const auto& b = *e.as<Binary>();
  if (reads(b.left)) return as(e, Binary{b.op, value(b.left), low_bits(b.right)});
  return as(e, Binary{b.op, low_bits(b.left), value(b.right)});
}

std::vector<Reach> NarrowValues::reaches(const Expr& e, const std::map<std::string, Interval>& ranges) {
  if (of(e)) return {{true, {lang::integer(0), lang::integer(0)}}};
  if (!reads(e)) return {{false, range(e, ranges)}};
  if (!suits(e))
    throw Unsuited{lang::to_string(e) + " is no minimum, maximum or choice of one such value plus terms", e->span};
  std::vector<Reach> all;
  const auto add = [&](const std::vector<Reach>& more) { all.insert(all.end(), more.begin(), more.end()); };
  const std::function<void(const Expr&)> compared = [&](const Expr& c) {
    if (compares_narrow(c)) add(reaches(c.as<Binary>()->left, ranges)), add(reaches(c.as<Binary>()->right, ranges));
    else if (const auto* b = c.as<Binary>(); b && format::is_logical(b->op)) compared(b->left), compared(b->right);
  };
  if (const auto* call = e.as<Call>())
    for (const Expr& argument : call->arguments) add(reaches(argument, ranges));
  if (const auto* c = e.as<lang::Cast>()) add(reaches(c->operand, ranges));
  if (const auto* s = e.as<Select>()) {
    compared(s->condition);
    add(reaches(s->then, ranges));
    add(reaches(s->otherwise, ranges));
  }
  if (const auto* b = e.as<Binary>()) {
    const bool left = reads(b->left);
    add(reaches(left ? b->left : b->right, ranges));
    const Interval term = range(left ? b->right : b->left, ranges);
    const bool taken = b->op == BinaryOp::subtract;
    const std::vector<Reach> before = all;
    for (const Reach& r : before)
      all.push_back({r.relative,
                     {taken ? minus(r.by.low, term.high) : plus(r.by.low, term.low),
                      taken ? minus(r.by.high, term.low) : plus(r.by.high, term.high)}});
  }
  return all;
}

Interval NarrowValues::scan(const Access& access, text::Span span) {
  const lang::TensorInfo* info = program_.tensor(access.tensor);
  if (!info || contains(written_, access.tensor))
    throw Unsuited{access.tensor + " is computed here, so that nothing bounds it before: it may be narrowed as well",
                   span};
  if (!info->format.all_dense() || info->format.layout)
    throw Unsuited{access.tensor + " is no dense array, whose least and greatest value would bound what it adds", span};
  if (!format::is_integer(info->type)) throw Unsuited{access.tensor + " holds no integers", span};
  const std::string least = access.tensor + "_least", most = access.tensor + "_most";
  if (std::ranges::none_of(scanned_, [&](const Scanned& s) { return s.least == least; }))
    scanned_.push_back({*info, least, most});
  const auto scalar = [](const std::string& name) {
    return Expr(lang::ExprNode{Access{name, {}, {}}, ScalarType::i64, {}});
  };
  return {scalar(least), scalar(most)};
}

Interval NarrowValues::range(const Expr& e, const std::map<std::string, Interval>& ranges) {
  if (e->type == ScalarType::boolean) return {lang::integer(0), lang::integer(1)};
  if (!format::is_integer(e->type)) throw Unsuited{lang::to_string(e) + " is no integer", e->span};
  if (const auto* c = e.as<lang::Constant>()) return {lang::integer(c->value.integer), lang::integer(c->value.integer)};
  if (is_known(e, ranges)) return {e, e};
  if (const auto* v = e.as<lang::Variable>()) {
    const auto at = ranges.find(v->name);
    return at == ranges.end() ? Interval{e, e} : at->second;
  }
  if (const auto* c = e.as<lang::Cast>(); c && (e->type == ScalarType::i32 || e->type == ScalarType::i64))
    return range(c->operand, ranges);
  if (const auto* a = e.as<Access>(); a && contains(known_, a->tensor))
    return {lang::cast(ScalarType::i64, e), lang::cast(ScalarType::i64, e)};
  if (const auto* a = e.as<Access>()) return scan(*a, e->span);
  if (const auto* s = e.as<Select>()) return hull(range(s->then, ranges), range(s->otherwise, ranges));
  if (chooses(e)) {
    Interval all = range(e.as<Call>()->arguments.front(), ranges);
    const Function function = e.as<Call>()->function;
    for (const Expr& argument : e.as<Call>()->arguments) {
      const Interval one = range(argument, ranges);
      all = {extremum_of(function, {all.low, one.low}), extremum_of(function, {all.high, one.high})};
    }
    return all;
  }
  if (const auto* u = e.as<lang::Unary>(); u && u->op == format::UnaryOp::negate) {
    const Interval of = range(u->operand, ranges);
    return {minus(lang::integer(0), of.high), minus(lang::integer(0), of.low)};
  }
  const auto* b = e.as<Binary>();
  const auto* divisor = b ? b->right.as<lang::Constant>() : nullptr;
  if (b && b->op == BinaryOp::divide && divisor && divisor->value.integer > 0) {
    const Interval of = range(b->left, ranges);
    const Expr by = lang::integer(divisor->value.integer);
    return {loop::simplify(lang::binary(BinaryOp::divide, of.low, by)),
            loop::simplify(lang::binary(BinaryOp::divide, of.high, by))};
  }
  if (!b || !keeps_low_bits(b->op))
    throw Unsuited{"nothing bounds " + lang::to_string(e) + " before it is computed", e->span};
  const Interval x = range(b->left, ranges), y = range(b->right, ranges);
  if (b->op == BinaryOp::add) return {plus(x.low, y.low), plus(x.high, y.high)};
  if (b->op == BinaryOp::subtract) return {minus(x.low, y.high), minus(x.high, y.low)};
  const std::vector<Expr> corners = {times(x.low, y.low), times(x.low, y.high), times(x.high, y.low),
                                     times(x.high, y.high)};
  return {extremum_of(Function::min, corners), extremum_of(Function::max, corners)};
}

}  // namespace trellis::schedule
