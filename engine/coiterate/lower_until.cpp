// A loop that ends early walks what its operands store if only that can bring it to an end: at a coordinate where nothing is
// stored, its condition says what it said before. flow/leave_guarded leaves the walk.
//
//   for j until p >= 0 { if A(i,j) { p = j } }
//   →   if p >= 0 { for j in 0:min(1, n) { if A(i,j) { p = j } } }         what holds from the start ends it at its first end
//       else { for j { if !(p >= 0) { if A(i,j) { p = j } } } }

#include <algorithm>

#include "engine/coiterate/lowering.hpp"
#include "engine/loop/context.hpp"
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

}  // namespace

/// The loop up to its first iteration.
loop::For Lowering::first_of(loop::For f) {
  const auto moved = [&](const lang::Expr& bound, std::int64_t by) {
    const std::optional<math::Affine> form = lang::affine(bound);
    return form ? lang::to_expr(*form + math::Affine(by), {bound_.begin(), bound_.end()})
                : lang::binary(format::BinaryOp::add, bound, lang::integer(by));
  };
  const lang::Expr low = f.low, high = f.high;
  if (f.descending) f.low = call_of(format::Function::max, low, moved(high, -1));
  else f.high = call_of(format::Function::min, moved(low, 1), high);
  f.until.reset();
  return f;
}

/// Its condition is the same at every coordinate, and can be asked at any time: before the loop too.
bool Lowering::can_be_asked_before(const lang::Expr& condition, const loop::For& f) {
  const std::vector<std::string> variables = lang::free_variables(condition);
  bool fine = !loop::may_fault(condition) && !applies_functions(condition) &&
              !contains(variables, f.variable);
  for_each_read(condition, [&](const Read& read) {
    const auto& access = *read.access.as<lang::Access>();
    fine = fine && (alive_.count(access.tensor) || !declared_.count(access.tensor)) && known(read.access);
    fine = fine && !lookup(access.tensor).sparse() && ranges_.in_range(resolve(access).position, lookup(access.tensor));
  });
  loop::for_each(f.body, [&](const loop::Stmt& s) {
    const auto* d = s.as<loop::Declare>();
    if (d) for_each_read(condition, [&](const Read& read) { fine &= read.access.as<lang::Access>()->tensor != d->tensor.name; });
  });
  return fine;
}

/// What an expression is where elements have the values that they were given last, as far as that is known.
lang::Expr Lowering::with_settled(const lang::Expr& e) {
  const std::function<lang::Expr(const lang::Expr&)> go = [&](const lang::Expr& part) -> lang::Expr {
    for (const auto& [element, value] : settled_)
      if (element == part) return lang::Expr(lang::ExprNode{lang::Constant{value}, part->type, part->span});
    return lang::map_children(part, go);
  };
  return reduce(go(e), around());
}

std::optional<loop::Stmt> Lowering::walked_until(const loop::Stmt& s, const loop::For& f) {
  if (!f.until || f.execution != loop::For::Execution::serial || !can_be_asked_before(*f.until, f)) return std::nullopt;
  const auto made = [&](auto node) { return loop::Stmt(loop::StmtNode{std::move(node), s->span}, s.origin(), s.id()); };
  loop::For each = f;
  each.until.reset();
  each.body = made(loop::If{negated(*f.until), f.body, std::nullopt});
  const loop::Stmt walk = made(std::move(each));
  const Lattice lattice = build_lattice(walk, offers(*walk.as<loop::For>()), around());
  if (lattice.with_role(Lattice::Role::leads).empty()) return std::nullopt;
  const lang::Expr before = with_settled(*f.until);
  if (const auto* known = before.as<lang::Constant>()) return known->value.is_true() ? made(first_of(f)) : walk;
  return made(loop::If{*f.until, made(first_of(f)), walk});
}

void Lowering::unsettle(const loop::Stmt& s) {
  const std::set<std::string> written = written_in(s);
  std::erase_if(settled_, [&](const auto& one) { return written.contains(one.first.template as<lang::Access>()->tensor); });
}

/// Keeps the values that elements have behind the statement.
void Lowering::settle(const loop::Stmt& s) {
  unsettle(s);
  const auto* a = s.as<loop::Assign>();
  const auto* value = a && !a->op ? a->value.as<lang::Constant>() : nullptr;
  if (!value) return;
  const std::vector<lang::Expr>& indices = a->target.as<lang::Access>()->indices;
  if (std::ranges::all_of(indices, [](const lang::Expr& index) { return lang::affine(index).has_value(); }))
    settled_.emplace_back(a->target, value->value);
}

}  // namespace trellis::coiterate
