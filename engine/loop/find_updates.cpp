#include "engine/loop/find_updates.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "engine/loop/context.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;
using format::Function;
using format::ReduceOp;

struct Update {
  ReduceOp op;
  Expr value;
};

/// What is added or, negated, taken away.
struct Term {
  Expr value;
  bool negated = false;
};

bool wraps(const Expr& e) { return format::is_integer(e->type) && !format::is_boolean(e->type); }

void collect_terms(const Expr& e, bool negated, std::vector<Term>& into) {
  const auto* b = e.as<lang::Binary>();
  if (!b || (b->op != BinaryOp::add && b->op != BinaryOp::subtract)) return into.push_back({e, negated});
  collect_terms(b->left, negated, into);
  collect_terms(b->right, negated != (b->op == BinaryOp::subtract), into);
}

Expr minus(const Expr& e) {
  return Expr(lang::ExprNode{lang::Unary{format::UnaryOp::negate, e}, e->type, e->span}, e.origin());
}

Expr sum_of(const std::vector<Term>& terms) {
  Expr sum = terms.front().negated ? minus(terms.front().value) : terms.front().value;
  for (std::size_t k = 1; k < terms.size(); ++k)
    sum = lang::binary(terms[k].negated ? BinaryOp::subtract : BinaryOp::add, sum, terms[k].value);
  return sum;
}

/// The integers wrap, so that any order of the terms gives the same.
std::optional<Update> integer_sum(const Expr& target, const Expr& value) {
  std::vector<Term> terms;
  collect_terms(value, false, terms);
  const auto own = [&](const Term& term) { return !term.negated && term.value == target; };
  if (terms.size() < 2 || std::ranges::count_if(terms, own) != 1) return std::nullopt;
  std::erase_if(terms, own);
  return Update{ReduceOp::sum, sum_of(terms)};
}

bool applies_function(const Expr& e) {
  bool found = e.as<lang::Apply>() != nullptr;
  lang::for_each_child(e, [&](const Expr& child) { found = found || applies_function(child); });
  return found;
}

/// Behind `f ||` it is computed only where f is false: nothing must be amiss elsewhere.
bool must_be_guarded(const Expr& e) { return may_fault(e) || applies_function(e); }

std::optional<Update> binary_update(const Expr& target, const lang::Binary& b) {
  const bool left = b.left == target, right = b.right == target;
  switch (b.op) {
    case BinaryOp::add:
      return left || right ? std::optional(Update{ReduceOp::sum, left ? b.right : b.left}) : std::nullopt;
    case BinaryOp::multiply:
      return left || right ? std::optional(Update{ReduceOp::prod, left ? b.right : b.left}) : std::nullopt;
    case BinaryOp::subtract: return left ? std::optional(Update{ReduceOp::sum, minus(b.right)}) : std::nullopt;
    case BinaryOp::logical_or:
    case BinaryOp::logical_and:
      if (!left || must_be_guarded(b.right)) return std::nullopt;
      return Update{b.op == BinaryOp::logical_or ? ReduceOp::any : ReduceOp::all, b.right};
    default: return std::nullopt;
  }
}

/// Of floating numbers the first operand stays where both are alike, and where one is not-a-number.
std::optional<Update> call_update(const Expr& target, const lang::Call& call) {
  const bool extremum = call.function == Function::min || call.function == Function::max;
  if (!extremum || call.arguments.size() != 2) return std::nullopt;
  const ReduceOp op = call.function == Function::min ? ReduceOp::min : ReduceOp::max;
  if (call.arguments[0] == target) return Update{op, call.arguments[1]};
  if (call.arguments[1] == target && wraps(target)) return Update{op, call.arguments[0]};
  return std::nullopt;
}

std::optional<Update> update_of(const Expr& target, const Expr& value) {
  if (const auto* call = value.as<lang::Call>()) return call_update(target, *call);
  const auto* b = value.as<lang::Binary>();
  if (!b) return std::nullopt;
  if (wraps(target) && (b->op == BinaryOp::add || b->op == BinaryOp::subtract)) return integer_sum(target, value);
  return binary_update(target, *b);
}

bool reads_known(const Expr& e, const std::set<std::string>& known) {
  const auto* access = e.as<lang::Access>();
  bool all = !access || access->indices.empty() || known.contains(access->tensor);
  lang::for_each_child(e, [&](const Expr& child) { all = all && reads_known(child, known); });
  return all;
}

/// What is absent makes a product 0 whatever the target holds, which an update does not: inf * 0 is none.
bool is_same_either_way(ReduceOp op, const Expr& target, const Expr& value, const std::set<std::string>& known) {
  return op != ReduceOp::prod || wraps(target) || reads_known(value, known);
}

class UpdateFinder {
 public:
  /// `of`: of this tensor alone, wherever its elements are.
  UpdateFinder(const Stmt& all, const lang::Program& program, std::optional<std::string> of = {}) : of_(std::move(of)) {
    for (const lang::TensorInfo& info : program.tensors) add(info);
    for_each(all, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>()) add(d->tensor);
    });
  }

  Stmt visit(const Stmt& stmt) const {
    const auto* a = stmt.as<Assign>();
    if (!a)
      return map_children(
          stmt, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const std::string& target = a->target.as<lang::Access>()->tensor;
    if (a->op || !(of_ ? target == *of_ : known_.contains(target))) return stmt;
    const auto update = update_of(a->target, a->value);
    if (!update) return stmt;
    if (!is_same_either_way(update->op, a->target, update->value, known_)) return stmt;
    return Stmt(StmtNode{Assign{a->target, update->op, update->value}, stmt->span}, stmt.origin(), stmt.id());
  }

 private:
  void add(const lang::TensorInfo& info) {
    if (info.format.all_known()) known_.insert(info.name);
  }

  const std::optional<std::string> of_;
  std::set<std::string> known_;  ///< tensors with a place for each element
};

}  // namespace

Stmt find_updates(const Stmt& stmt, const lang::Program& program) { return UpdateFinder(stmt, program).visit(stmt); }

bool is_same_either_way(const Assign& update, const lang::Program& program) {
  std::set<std::string> known;
  for (const lang::TensorInfo& info : program.tensors)
    if (info.format.all_known()) known.insert(info.name);
  return is_same_either_way(*update.op, update.target, update.value, known);
}

Stmt find_updates_of(const std::string& tensor, const Stmt& stmt, const lang::Program& program) {
  return UpdateFinder(stmt, program, tensor).visit(stmt);
}

}  // namespace trellis::loop
