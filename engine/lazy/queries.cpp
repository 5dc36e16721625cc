#include "engine/lazy/queries.hpp"

#include <algorithm>
#include <cassert>
#include <map>

#include "engine/lang/parse.hpp"
#include "engine/lazy/fills.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lazy {

namespace {

void collect_fields(const Expr& expr, std::vector<Field>& into) {
  const auto add = [&](const std::vector<Field>& fields) {
    for (const Field& field : fields) add_once(into, field);
  };
  if (const auto* t = expr.as<Table>()) add(t->fields);
  if (const auto* a = expr.as<Agg>()) add(a->over);
  if (const auto* a = expr.as<Arg>()) add({a->over});
  if (const auto* s = expr.as<Shape>()) {
    add(s->from);
    add(s->to);
  }
  for (const Expr& child : children(expr)) collect_fields(child, into);
}

/// As loops, fields of one element are none.
bool repeats(const Fields& around, const Expr& expr) {
  return std::ranges::any_of(without(around, expr->fields), [](const Field& field) { return field.size != 1; });
}

bool is_reduction(const Expr& expr) { return expr.as<Agg>() || expr.as<Arg>(); }

class Keeping {
 public:
  Keeping(const std::vector<Query>& queries, text::FunctionRef<bool(const Expr&)> worth) : worth_(worth) {
    for (const Query& query : queries) {
      taken_.insert(query.name);
      for (const std::string& table : tables_of(query.expr)) taken_.insert(table);
    }
  }

  void add(const Query& query) {
    Query kept = query;
    const Fields around = as_set(query.fields);
    kept.expr =
        is_reduction(query.expr) && repeats(around, query.expr) ? this->kept(query.expr) : below(query.expr, around);
    plan_.queries.push_back(std::move(kept));
    plan_.produces.push_back(query.name);
  }

  Plan take() { return std::move(plan_); }

 private:
  /// `around`: the fields of the loops in which the expression stands.
  Expr inside(const Expr& expr, const Fields& around) {
    return is_reduction(expr) && (repeats(around, expr) || worth_(expr)) ? kept(expr) : below(expr, around);
  }

  Expr below(const Expr& expr, const Fields& around) {
    Fields within = around;
    if (const auto* a = expr.as<Agg>()) within = united(around, a->over);
    if (const auto* a = expr.as<Arg>()) within = united(around, {a->over});
    if (const auto* s = expr.as<Shape>()) {
      // Its parts are read at other coordinates: those fields take the place of what it makes.
      within = without(around, as_set(s->to));
      within = united(within, as_set(s->from));
    }
    return map_children(expr, [&](const Expr& child) { return inside(child, within); });
  }

  Expr kept(const Expr& expr) {
    std::vector<Field> order;
    const std::string key = canonical(expr, order);
    const auto found = known_.find(key);
    if (found != known_.end()) return read(plan_.queries[found->second], order);
    const Query query{fresh_name(), order, below(expr, expr->fields), {}};
    known_[key] = plan_.queries.size();
    plan_.queries.push_back(query);
    return read(query, order);
  }

  std::string fresh_name() {
    std::string name;
    do name = "t" + std::to_string(++names_);
    while (!taken_.insert(name).second);
    return name;
  }

  text::FunctionRef<bool(const Expr&)> worth_;
  Plan plan_;
  std::map<std::string, std::size_t> known_;
  std::set<std::string> taken_;
  int names_ = 0;
};

}  // namespace

std::string canonical(const Expr& expr, std::vector<Field>& order) {
  std::vector<Field> all;
  collect_fields(expr, all);
  FieldNames names(tables_of(expr));
  std::string key;
  for (const Field& field : all) key += names(field) + "=" + std::to_string(field.size) + " ";
  key += lang::to_string(to_syntax(expr, names));
  for (const Field& field : all)
    if (depends_on(expr, field)) order.push_back(field);
  return key;
}

Expr read(const Query& query, std::vector<Field> at) {
  assert(at.size() == query.fields.size());
  return table(query.name, query.expr->type, fill_of(query.expr), std::move(at));
}

Plan with_kept(const std::vector<Query>& queries, text::FunctionRef<bool(const Expr&)> worth) {
  Keeping keeping(queries, worth);
  for (const Query& query : queries) keeping.add(query);
  return keeping.take();
}

Plan with_kept(const std::vector<Query>& queries) {
  return with_kept(queries, [](const Expr&) { return false; });
}

}  // namespace trellis::lazy
