#include "engine/lazy/find_why.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/cost/machine.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lazy {

namespace {

constexpr std::array<double, 4> times_tried = {2, 4, 10, 100};

Why::Way way_of(const Alternative& alternative) {
  Why::Way way{{}, alternative.nanoseconds(), alternative.outline};
  if (alternative.compiled) way.compiled = *alternative.compiled / cost::cycles::per_nanosecond;
  std::set<std::string> taken;
  for (const PlannedQuery& planned : alternative.queries) {
    taken.insert(planned.query.name);
    taken.merge(tables_of(planned.query.expr));
  }
  FieldNames names(std::move(taken));
  // The result first: its fields are i, j, …
  for (const Field& field : alternative.queries.back().query.fields) names(field);
  for (const PlannedQuery& planned : alternative.queries) {
    const Query& query = planned.query;
    Why::Kernel kernel{query.name, to_string(query, names), {}, {}, {},   planned.copy_of,
                       0,          planned.stored.entries,  0,  {}, false};
    kernel.order = to_string(query.order, names);
    kernel.format = query.format ? format::to_string(*query.format) : "";
    for (const std::string& table : tables_of(query.expr)) kernel.reads.push_back(table);
    kernel.nanoseconds = planned.cycles / cost::cycles::per_nanosecond;
    const auto element = static_cast<double>(format::size_of(query.expr->type));
    const bool dense = query.format && query.format->all_dense();
    kernel.bytes = planned.stored.entries * (element + (dense ? 0 : 4));
    kernel.asked_for = contains(alternative.produces, query.name);
    way.kernels.push_back(std::move(kernel));
  }
  return way;
}

/// The same, so many times as often.
Counted scaled(const Counted& counted, double factor) {
  Counted more = counted;
  more.entries *= factor;
  for (auto& degrees : more.degrees)
    for (double& degree : degrees) degree *= factor;
  return more;
}

double volume(const Counted& counted) {
  double points = 1;
  for (const auto& degrees : counted.degrees) points *= static_cast<double>(degrees.size());
  return points;
}

void collect_tables(const Expr& expr, std::map<std::string, Expr>& into) {
  if (const auto* t = expr.as<Table>()) into.emplace(t->name, expr);
  for (const Expr& child : children(expr)) collect_tables(child, into);
}

std::optional<Why::Flip> flip_of(const std::string& table, const std::vector<Query>& queries, const Formats& formats,
                                 const CountedTables& counted, const PlanOptions& options, const std::string& chosen) {
  const Counted& now = counted.at(table);
  CountedTables changed = counted;
  for (const double factor : times_tried)
    for (const double times : {1 / factor, factor}) {
      if (now.entries * times > volume(now) || now.entries * times < 1) continue;
      changed[table] = scaled(now, times);
      const std::string outline = plan(queries, formats, changed, options).chosen.outline;
      if (outline != chosen) return Why::Flip{table, now.entries, now.entries * times, outline};
    }
  return std::nullopt;
}

}  // namespace

Why why(const std::vector<Query>& queries, const Formats& formats, const CountedTables& counted,
        const PlanOptions& options, const Planning& planning) {
  Why w;
  w.chosen = way_of(planning.chosen);
  if (planning.second) w.second = way_of(*planning.second);
  std::map<std::string, Expr> read;
  for (const Query& query : queries) collect_tables(query.expr, read);
  for (const auto& [table, at] : read) {
    const auto known = counted.find(table);
    const auto format = formats.find(table);
    const bool full = known == counted.end();
    w.operands.push_back({table, format == formats.end() ? "dense" : format::to_string(format->second),
                          full ? Statistics::full(at->fields).entries : known->second.entries});
    if (full || !planning.second) continue;
    if (auto flip = flip_of(table, queries, formats, counted, options, planning.chosen.outline))
      w.flips.push_back(std::move(*flip));
  }
  std::ranges::stable_sort(w.flips, {}, [](const Why::Flip& f) { return std::abs(std::log(f.instead / f.entries)); });
  for (const Applied& step : planning.rewrites) w.rewrites.push_back(to_string(step));
  w.plans = planning.plans;
  w.costed = planning.kernels;
  w.greedy = planning.greedy;
  w.associates = planning.associates;
  return w;
}

}  // namespace trellis::lazy
