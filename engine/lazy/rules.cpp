#include "engine/lazy/rules.hpp"

#include <algorithm>
#include <array>

#include "engine/lazy/contraction.hpp"
#include "engine/lazy/fills.hpp"
#include "engine/lazy/operation.hpp"

namespace trellis::lazy {

using format::BinaryOp;
using format::ReduceOp;
using format::Value;

namespace {

std::string symbol_of(const Operator& op) {
  return std::visit(text::overloaded{[](const Cast& to) { return std::string(format::name_of(to.type)); },
                                     [](const Where&) { return std::string("?:"); },
                                     [](format::Function f) { return std::string(format::name_of(f)); },
                                     [](auto sign) { return std::string(format::symbol(sign)); }},
                    op);
}

std::string of_reduction(ReduceOp op) { return std::string(format::name_of(op)); }

bool takes_some(const Fields& fields) {
  return std::ranges::all_of(fields, [](const Field& f) { return f.size > 0; });
}

/// Not all of them where their sizes multiply to more than 64 bits.
Fields countable(const Fields& fields, std::int64_t& count) {
  Fields counted;
  count = 1;
  for (const Field& field : fields)
    if (std::int64_t next = 0; !__builtin_mul_overflow(count, field.size, &next)) {
      count = next;
      counted.push_back(field);
    }
  return counted;
}

/// n*a, a^n, a.
Expr repeated_operand(ReduceOp op, const Expr& operand, std::int64_t count) {
  if (count == 1 || is_idempotent(op)) return operand;
  const Value n = format::is_floating(operand->type) ? Value::of(operand->type, static_cast<double>(count))
                                                     : Value::of_integer(operand->type, count);
  return map(op == ReduceOp::sum ? BinaryOp::multiply : BinaryOp::power, {operand, constant(n)});
}

}  // namespace

std::vector<Rewritten> drop_missing(const Expr& expr) {
  const auto* a = expr.as<Agg>();
  if (!a) return {};
  if (!takes_some(a->over))
    return {{constant(format::identity(a->op, expr->type)), "drop_missing", Exactness::exact,
             of_reduction(a->op) + " of nothing is its identity"}};
  std::int64_t count = 1;
  const Fields missing = countable(without(a->over, a->of->fields), count);
  if (missing.empty()) return {};
  const Expr inner = agg(a->op, without(a->over, missing), a->of);
  const Exactness how = count == 1 ? Exactness::exact : exactness_of_regrouping(a->op, expr->type);
  return {{repeated_operand(a->op, inner, count), "drop_missing", how,
           "the operand is the same " + std::to_string(count) + " times"}};
}

std::vector<Rewritten> drop_shape(const Expr& expr) {
  if (const auto* a = expr.as<Arg>(); a && (!depends_on(a->of, a->over) || a->over.size == 0))
    return {{constant(fill_of(expr)), "drop_shape", Exactness::exact, "all are equal: the first is the best"}};
  const auto* s = expr.as<Shape>();
  const bool moves =
      s && (s->op == lang::Shape::Op::slice || s->op == lang::Shape::Op::roll || s->op == lang::Shape::Op::reshape);
  if (!moves || !common(s->parts[0]->fields, as_set(s->from)).empty()) return {};
  return {{s->parts[0], "drop_shape", Exactness::exact, "it moves what is the same everywhere"}};
}

std::vector<Rewritten> merge_reductions(const Expr& expr) {
  const auto* outer = expr.as<Agg>();
  const auto* inner = outer ? outer->of.as<Agg>() : nullptr;
  if (!inner || inner->op != outer->op || !common(outer->over, inner->over).empty()) return {};
  return {{agg(outer->op, united(outer->over, inner->over), inner->of), "merge_reductions",
           exactness_of_regrouping(outer->op, expr->type), "one " + of_reduction(outer->op) + " over all fields"}};
}

std::vector<Rewritten> split_reduction(const Expr& expr) {
  std::vector<Rewritten> found;
  const auto* a = expr.as<Agg>();
  if (!a || a->over.size() < 2) return found;
  for (const Field& field : a->over)
    found.push_back({agg(a->op, without(a->over, {field}), agg(a->op, {field}, a->of)), "split_reduction",
                     exactness_of_regrouping(a->op, expr->type), "one field after the other"});
  return found;
}

namespace {

/// A reduction of a product in a semiring, over fields that take some value.
struct ReducedProduct {
  ReduceOp reduction;
  Operator op;
  Fields over;
  std::vector<Expr> factors;
  Exactness how;  ///< three operands and more are associated anew
  std::string reason;
};

std::optional<ReducedProduct> reduced_product(const Expr& expr) {
  const auto* a = expr.as<Agg>();
  const auto* m = a ? a->of.as<Map>() : nullptr;
  if (!m || m->arguments.size() != 2 || !takes_some(a->over)) return std::nullopt;
  const Fact* fact = find_fact(Law::semiring, a->op, m->op, expr->type);
  if (!fact) return std::nullopt;
  ReducedProduct result{
      a->op, m->op, a->over, {}, *fact->of(expr->type), symbol_of(m->op) + " distributes over " + of_reduction(a->op)};
  flatten(a->of, m->op, result.factors);
  if (result.factors.size() > 2) result.how = both(result.how, exactness_of_association(m->op, expr->type));
  return result;
}

struct Group {
  Fields fields;  ///< reduced ones
  std::vector<Expr> factors;
};

/// Factors that reduced fields link, directly or not, each with those of its kind.
std::vector<Group> linked(const ReducedProduct& p) {
  std::vector<Group> groups;
  for (const Expr& factor : p.factors) {
    Group joined{common(factor->fields, p.over), {}};
    std::vector<Group> others;
    for (Group& group : groups) {
      if (common(group.fields, joined.fields).empty()) {
        others.push_back(std::move(group));
        continue;
      }
      joined.fields = united(joined.fields, group.fields);
      joined.factors.insert(joined.factors.end(), group.factors.begin(), group.factors.end());
    }
    joined.factors.push_back(factor);
    others.push_back(std::move(joined));
    groups = std::move(others);
  }
  return groups;
}

}  // namespace

std::vector<Rewritten> factor_out(const Expr& expr) {
  std::vector<Rewritten> found;
  if (const auto p = reduced_product(expr)) {
    const std::vector<Group> groups = linked(*p);
    Fields met;
    std::vector<Expr> parts;
    for (const Group& group : groups) {
      met = united(met, group.fields);
      parts.push_back(agg(p->reduction, group.fields, product(p->op, group.factors)));
    }
    if (groups.size() > 1)
      found.push_back(
          {agg(p->reduction, without(p->over, met), product(p->op, parts)), "factor_out", p->how, p->reason});
  }
  return found;
}

std::vector<Rewritten> factor_out_second(const Expr& expr) {
  std::vector<Rewritten> found;
  const auto* a = expr.as<Agg>();
  const auto* m = a ? a->of.as<Map>() : nullptr;
  if (!m || !takes_some(a->over)) return found;
  const Fact* fact = find_fact(Law::first_operand, a->op, m->op, expr->type);
  if (fact && common(m->arguments[1]->fields, a->over).empty())
    found.push_back({map(m->op, {agg(a->op, a->over, m->arguments[0]), m->arguments[1]}), "factor_out_second",
                     *fact->of(expr->type), symbol_of(m->op) + " by the same distributes over " + of_reduction(a->op)});
  return found;
}

std::vector<Rewritten> eliminate_field(const Expr& expr) {
  std::vector<Rewritten> found;
  const auto p = reduced_product(expr);
  if (!p) return found;
  for (const Field& field : p->over) {
    std::vector<Expr> with, rest;
    for (const Expr& factor : p->factors) (depends_on(factor, field) ? with : rest).push_back(factor);
    if (with.empty() || (rest.empty() && p->over.size() == 1)) continue;
    rest.insert(rest.begin(), agg(p->reduction, {field}, product(p->op, with)));
    found.push_back(
        {agg(p->reduction, without(p->over, {field}), product(p->op, rest)), "eliminate_field", p->how, p->reason});
  }
  return found;
}

std::vector<Rewritten> reduce_operands(const Expr& expr) {
  std::vector<Rewritten> found;
  const auto* a = expr.as<Agg>();
  const auto* m = a ? a->of.as<Map>() : nullptr;
  if (!m) return found;
  const auto reduced = [&](ReduceOp op, const Expr& operand) { return agg(op, a->over, operand); };
  if (std::holds_alternative<Where>(m->op) && common(m->arguments[0]->fields, a->over).empty())
    found.push_back({map(m->op, {m->arguments[0], reduced(a->op, m->arguments[1]), reduced(a->op, m->arguments[2])}),
                     "reduce_operands", Exactness::exact, "the condition is the same for all of them"});
  if (const Fact* fact = find_fact(Law::homomorphic, a->op, m->op, expr->type)) {
    std::vector<Expr> operands;
    for (const Expr& argument : m->arguments) operands.push_back(reduced(a->op, argument));
    found.push_back({map(m->op, std::move(operands)), "reduce_operands", *fact->of(expr->type),
                     of_reduction(a->op) + " of " + symbol_of(m->op) + " is that of its operands"});
  }
  if (const Fact* fact = find_fact(Law::dual, a->op, m->op, expr->type))
    found.push_back({map(m->op, {reduced(fact->dual, m->arguments[0])}), "reduce_operands", *fact->of(expr->type),
                     symbol_of(m->op) + " turns " + of_reduction(fact->dual) + " into " + of_reduction(a->op)});
  return found;
}

std::vector<Rewritten> distribute(const Expr& expr) {
  std::vector<Rewritten> found;
  const auto* m = expr.as<Map>();
  if (!m || m->arguments.size() != 2) return found;
  for (const std::size_t p : {std::size_t{0}, std::size_t{1}}) {
    const auto* inner = m->arguments[p].as<Map>();
    if (!inner || inner->arguments.size() != 2) continue;
    for (const Fact& fact : facts()) {
      if (fact.law != Law::semiring || !(fact.op == m->op) || !(folding(fact.reduction) == inner->op)) continue;
      const auto how = fact.of(expr->type);
      if (!how) continue;
      const Expr& other = m->arguments[1 - p];
      std::vector<Expr> parts;
      for (const Expr& part : inner->arguments)
        parts.push_back(p == 0 ? map(m->op, {part, other}) : map(m->op, {other, part}));
      found.push_back({map(inner->op, std::move(parts)), "distribute", *how,
                       symbol_of(m->op) + " distributes over " + symbol_of(inner->op)});
    }
  }
  return found;
}

std::span<const Rule> all_rules() {
  static constexpr std::array<Rule, 9> rules = {merge_reductions, split_reduction, drop_missing,
                                                drop_shape,       factor_out,      factor_out_second,
                                                eliminate_field,  reduce_operands, distribute};
  return rules;
}

std::span<const Rule> rules_before_plans() {
  static constexpr std::array<Rule, 6> rules = {merge_reductions,  drop_missing,    drop_shape,
                                                factor_out_second, reduce_operands, distribute};
  return rules;
}

std::vector<Rewritten> rewritings(const Expr& expr, std::span<const Rule> rules) {
  std::vector<Rewritten> found;
  for (const Rule rule : rules)
    for (Rewritten& step : rule(expr)) found.push_back(std::move(step));
  std::vector<Expr> below = children(expr);
  for (Expr& child : below) {
    const Expr before = child;
    for (Rewritten& step : rewritings(before, rules)) {
      child = step.expr;
      step.expr = with_children(expr, below);
      found.push_back(std::move(step));
    }
    child = before;
  }
  return found;
}

}  // namespace trellis::lazy
