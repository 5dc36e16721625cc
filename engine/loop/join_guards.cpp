#include "engine/loop/join_guards.hpp"

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/loop/conditional_reads.hpp"
#include "engine/loop/context.hpp"
#include "engine/loop/effects.hpp"
#include "engine/loop/simplify_expressions.hpp"

namespace trellis::loop {

namespace {

using Statements = std::vector<Stmt>;
using Known = std::vector<std::pair<Expr, bool>>;  ///< conditions, and whether they hold

void know(Known& known, const Expr& condition, bool holds) {
  known.emplace_back(simplify(condition), holds);
  const auto* negation = condition.as<lang::Unary>();
  if (negation && negation->op == format::UnaryOp::logical_not) know(known, negation->operand, !holds);
}

Expr assuming(const Expr& expr, const Known& known) {
  for (const auto& [condition, holds] : known)
    if (expr == condition) return lang::constant(format::Value::truth(holds));
  return lang::map_children(expr, [&](const Expr& child) { return assuming(child, known); });
}

/// The same assignment where the conditions are known.
Stmt assuming(const Stmt& stmt, const Known& known) {
  Assign assign = *stmt.as<Assign>();
  assign.value = simplify(assuming(simplify(assign.value), known));
  return Stmt(StmtNode{std::move(assign), stmt->span}, stmt.origin());
}

/// Are all levels of all of them dense?
bool dense(const std::set<std::string>& tensors, const lang::Program& program) {
  return std::ranges::all_of(tensors, [&](const std::string& name) {
    const lang::TensorInfo* info = program.tensor(name);
    return !info || std::ranges::all_of(info->format.levels,
                                        [](const format::Level& level) { return format::facts(level).dense(); });
  });
}

/// The guard with the assignment behind it, if that asks the same condition to read what is computed under it.
std::optional<Stmt> joined(const Stmt& guard, const Stmt& reader, const lang::Program& program) {
  const auto* choice = guard.as<If>();
  const auto* assign = reader.as<Assign>();
  if (!choice || choice->otherwise || !assign || assign->op) return std::nullopt;
  if (!dense(effects(reader).writes, program) || !dense(tensors_in(choice->condition), program)) return std::nullopt;
  const Effects computed = effects(choice->then);
  const bool reads = meet(computed.writes, tensors_in(assign->value));
  if (!reads || meet(computed.writes, tensors_in(choice->condition))) return std::nullopt;
  Known holds, fails;
  know(holds, choice->condition, true);
  know(fails, choice->condition, false);
  for (const Expr& part : truths(choice->condition)) know(holds, part, true);
  const Stmt there = assuming(reader, holds), elsewhere = assuming(reader, fails);
  if (there == reader || meet(computed.writes, effects(elsewhere).reads)) return std::nullopt;
  Statements both = choice->then.as<Block>()->statements;
  both.push_back(there);
  If next = *choice;
  next.then = block(std::move(both), choice->then.origin());
  next.otherwise = block({elsewhere}, reader.origin());
  return Stmt(StmtNode{std::move(next), guard->span}, guard.origin());
}

bool mentions(const Stmt& stmt, const std::string& tensor) {
  const Effects all = effects(stmt);
  return all.reads.contains(tensor) || all.writes.contains(tensor);
}

/// Scalars that only the first branch of the statement at `k` needs are declared in there. Gives back where it stands
/// then.
std::size_t declare_inside(Statements& statements, std::size_t k) {
  If choice = *statements[k].as<If>();
  Statements inside, outside;
  for (const Stmt& s : statements) {
    const auto* d = s.as<Declare>();
    const auto elsewhere = [&](const Stmt& other) {
      return !other.same(statements[k]) && mentions(other, d->tensor.name);
    };
    const bool moves = d && d->tensor.shape.empty() && !mentions(*choice.otherwise, d->tensor.name) &&
                       std::ranges::none_of(statements, elsewhere);
    (moves ? inside : outside).push_back(s);
  }
  if (inside.empty()) return k;
  const auto at = std::ranges::find_if(outside, [&](const Stmt& s) { return s.same(statements[k]); });
  const Statements& then = choice.then.as<Block>()->statements;
  inside.insert(inside.end(), then.begin(), then.end());
  choice.then = block(std::move(inside), choice.then.origin());
  *at = Stmt(StmtNode{std::move(choice), (*at)->span}, at->origin());
  k = static_cast<std::size_t>(at - outside.begin());
  statements = std::move(outside);
  return k;
}

Stmt join_in(const Stmt& stmt, const lang::Program& program) {
  Statements statements = stmt.as<Block>()->statements;
  bool changed = false;
  for (std::size_t k = 0; k + 1 < statements.size(); ++k) {
    const auto next = joined(statements[k], statements[k + 1], program);
    if (!next) continue;
    statements[k] = *next;
    statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    k = declare_inside(statements, k);
    changed = true;
  }
  return changed ? Stmt(StmtNode{Block{std::move(statements)}, stmt->span}, stmt.origin(), stmt.id()) : stmt;
}

}  // namespace

Stmt join_guards(const Stmt& stmt, const lang::Program& program) {
  const Stmt inner = map_children(
      stmt, [&](const Stmt& child) { return join_guards(child, program); }, [](const Expr& expr) { return expr; });
  return inner.as<Block>() ? join_in(inner, program) : inner;
}

}  // namespace trellis::loop
