#include "engine/coiterate/lower_until.hpp"

#include <algorithm>

#include "engine/coiterate/known_elements.hpp"
#include "engine/coiterate/lattice.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/offers_of.hpp"
#include "engine/coiterate/positions.hpp"
#include "engine/loop/context.hpp"
#include "engine/loop/instead_of.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

bool applies_functions(const lang::Expr& e) {
  bool found = e.as<lang::Apply>() != nullptr;
  lang::for_each_child(e, [&](const lang::Expr& child) { found = found || applies_functions(child); });
  return found;
}

lang::Expr call_of(format::Function function, const lang::Expr& a, const lang::Expr& b) {
  return lang::Expr(lang::ExprNode{lang::Call{function, {a, b}}, format::ScalarType::i64, a->span});
}

/// The loop up to its first iteration.
loop::For first_of(const Scope& scope, loop::For f) {
  const auto moved = [&](const lang::Expr& bound, std::int64_t by) {
    const std::optional<math::Affine> form = lang::affine(bound);
    return form ? scope.to_expr(*form + math::Affine(by))
                : lang::binary(format::BinaryOp::add, bound, lang::integer(by));
  };
  const lang::Expr low = f.low, high = f.high;
  if (f.descending) f.low = call_of(format::Function::max, low, moved(high, -1));
  else f.high = call_of(format::Function::min, moved(low, 1), high);
  f.until.reset();
  return f;
}

bool declares_what_reads(const loop::Stmt& s, const lang::Expr& e) {
  std::set<std::string> read_tensors;
  for_each_read(e, [&](const Read& read) { read_tensors.insert(read.access.as<lang::Access>()->tensor); });
  bool found = false;
  loop::for_each(s, [&](const loop::Stmt& inner) {
    const auto* d = inner.as<loop::Declare>();
    found = found || (d && read_tensors.contains(d->tensor.name));
  });
  return found;
}

/// Its condition is the same at every coordinate, and can be asked at any time: before the loop too.
bool can_be_asked_before(Context& in, const lang::Expr& condition, const loop::For& f) {
  if (loop::may_fault(condition) || applies_functions(condition)) return false;
  if (contains(lang::free_variables(condition), f.variable)) return false;
  bool fine = !declares_what_reads(f.body, condition);
  for_each_read(condition, [&](const Read& read) {
    const auto& access = *read.access.as<lang::Access>();
    fine = fine && is_in_scope(in, access.tensor) && is_known(in, access) && !tensor(in, access.tensor).sparse();
    fine = fine && in.scope.ranges.in_range(descend(in, access).position, tensor(in, access.tensor));
  });
  return fine;
}

/// Each iteration does so unless the condition holds; empty: no operand leads then.
std::optional<loop::Stmt> walk_unless(Context& in, const loop::Stmt& s, loop::For f, const lang::Expr& condition) {
  f.until.reset();
  f.body = loop::instead_of(s, loop::If{negated(condition), f.body, std::nullopt});
  const loop::Stmt walk = loop::instead_of(s, std::move(f));
  const Lattice lattice = build_lattice(walk, offers_of(in, *walk.as<loop::For>()), surroundings(in));
  return lattice.with_role(Lattice::Role::leads).empty() ? std::nullopt : std::optional(walk);
}

}  // namespace

std::optional<loop::Stmt> walked_until(Context& in, const loop::Stmt& s, const loop::For& f) {
  if (!f.until || f.execution != loop::For::Execution::serial || !can_be_asked_before(in, *f.until, f))
    return std::nullopt;
  const std::optional<loop::Stmt> walk = walk_unless(in, s, f, *f.until);
  if (!walk) return std::nullopt;
  const lang::Expr before = with_known_elements(in, *f.until);
  if (const auto* known = before.as<lang::Constant>())
    return known->value.is_true() ? loop::instead_of(s, first_of(in.scope, f)) : *walk;
  return loop::instead_of(s, loop::If{*f.until, loop::instead_of(s, first_of(in.scope, f)), *walk});
}

std::optional<loop::Stmt> walked_to_entry(Context& in, const loop::Stmt& s, const loop::For& f,
                                          const lang::TensorInfo& stop) {
  if (f.execution != loop::For::Execution::serial) return std::nullopt;
  in.tensors.declared[stop.name] = stop;
  const lang::Expr is_over(lang::ExprNode{lang::Access{stop.name, {}, {}}, stop.type, s->span});
  const auto becomes = [&](bool value) {
    return loop::instead_of(s, loop::Assign{is_over, {}, lang::constant(format::Value::truth(value))});
  };
  const loop::Stmt end = loop::instead_of(s, loop::If{*f.until, loop::block({becomes(true)}), std::nullopt});
  loop::For asking = f;
  asking.body = loop::block({f.body, end});
  const std::optional<loop::Stmt> walk = walk_unless(in, s, std::move(asking), is_over);
  if (!walk) return std::nullopt;
  return loop::instead_of(s, loop::Block{{loop::instead_of(s, loop::Declare{stop}), becomes(false), *walk}});
}

}  // namespace trellis::coiterate
