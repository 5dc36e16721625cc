#include "engine/lazy/equations.hpp"

#include <algorithm>
#include <map>

#include "engine/lazy/lower.hpp"
#include "engine/lazy/notation.hpp"

namespace trellis::lazy {
namespace {

/// The order in which all of these stand as each of them has its own; empty: there is none.
std::vector<std::string> merged(std::vector<std::vector<std::string>> orders) {
  std::vector<std::string> all;
  const auto waits = [&](const std::string& name) {
    return std::ranges::any_of(
        orders, [&](const auto& one) { return std::ranges::find(one, name) != one.end() && one.front() != name; });
  };
  while (std::ranges::any_of(orders, [](const auto& one) { return !one.empty(); })) {
    const auto next =
        std::ranges::find_if(orders, [&](const auto& one) { return !one.empty() && !waits(one.front()); });
    if (next == orders.end()) return {};
    all.push_back(next->front());
    for (auto& one : orders)
      if (!one.empty() && one.front() == all.back()) one.erase(one.begin());
  }
  return all;
}

class EquationWriter {
 public:
  EquationWriter(const Alternative& plan, const std::set<std::string>& taken)
      : plan_(plan), taken_(taken), names_(taken) {}

  Equations run() && {
    // What people wrote is called first.
    for (const PlannedQuery& planned : plan_.queries)
      if (is_asked_for(planned.query))
        for (const Field& field : planned.query.fields) names_(field);
    for (const PlannedQuery& planned : plan_.queries) {
      if (!planned.copy_of.empty()) copies_[planned.query.name] = planned.query.expr;
      else add(planned.query);
    }
    made_.order = merged(std::move(orders_));
    return std::move(made_);
  }

 private:
  void add(const Query& query) {
    const Expr expr = sayable(named(query.expr));
    made_.equations.push_back({access_syntax(name_of(query), query.fields, names_), to_syntax(expr, names_), {}});
    std::vector<std::string> order;
    for (const Field& field : query.order) order.push_back(names_(field));
    orders_.push_back(std::move(order));
  }

  bool is_asked_for(const Query& query) const {
    return std::ranges::find(plan_.produces, query.name) != plan_.produces.end();
  }

  std::string name_of(const Query& query) {
    if (is_asked_for(query)) return query.name;
    std::string name = query.name;
    while (taken_.contains(name)) name += "_";
    renamed_[query.name] = name;
    made_.kept.push_back(name);
    return name;
  }

  /// With tables for their copies, and what is kept as it is called here.
  Expr named(const Expr& expr) const {
    const auto* table = expr.as<Table>();
    if (!table) return map_children(expr, [&](const Expr& child) { return named(child); });
    if (const auto copy = copies_.find(table->name); copy != copies_.end()) return copy->second;
    const auto kept = renamed_.find(table->name);
    return kept == renamed_.end() ? expr : lazy::table(kept->second, table->type, table->fill, table->fields);
  }

  const Alternative& plan_;
  const std::set<std::string>& taken_;
  FieldNames names_;
  Equations made_;
  std::map<std::string, Expr> copies_;
  std::map<std::string, std::string> renamed_;
  std::vector<std::vector<std::string>> orders_;
};

}  // namespace

Equations equations_of(const Alternative& plan, const std::set<std::string>& taken) {
  return EquationWriter(plan, taken).run();
}

}  // namespace trellis::lazy
