#include "repl/python/plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "engine/lang/parse.hpp"
#include "engine/lazy/fills.hpp"
#include "engine/lazy/lower.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/lazy/queries.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::python {
namespace {

/// Fields of tables: a call's shapes tell their sizes, and those of what queries before produce.
void add_told(const lazy::Expr& e, lazy::Fields& into) {
  if (const auto* table = e.as<lazy::Table>()) into = lazy::united(into, lazy::as_set(table->fields));
  for (const lazy::Expr& child : lazy::children(e)) add_told(child, into);
}

/// Does the expression say a size, or how often a thing repeats? Shape operators do, and reductions of what lacks the
/// field.
bool says_size(const lazy::Expr& e) {
  if (e.as<lazy::Shape>()) return true;
  if (const auto* a = e.as<lazy::Agg>(); a && !lazy::without(a->over, a->of->fields).empty()) return true;
  if (const auto* a = e.as<lazy::Arg>(); a && !lazy::depends_on(a->of, a->over)) return true;
  return std::ranges::any_of(lazy::children(e), says_size);
}

/// Until there are as many as that: expressions share nodes, so all of them may be very many.
void take_tables(const lazy::Expr& e, int& more) {
  if (more > 0 && e.as<lazy::Table>()) --more;
  for (const lazy::Expr& child : lazy::children(e))
    if (more > 0) take_tables(child, more);
}

bool counted(const lazy::Applied& step) { return step.rule == "drop_missing" || step.rule == "drop_shape"; }

lazy::PlanOptions options_of(const Wanted& wanted) {
  return {wanted.allowed, lazy::Memory::of_this_process, wanted.seen};
}

class Planning {
 public:
  explicit Planning(const Wanted& wanted) : wanted_(wanted) {}

  /// `chosen`: where there are choices.
  Planned take(std::optional<lazy::Planning> chosen) {
    if (chosen) choose(std::move(*chosen));
    else rewrite();
    name_sizes();
    lower();
    return std::move(planned_);
  }

 private:
  void choose(lazy::Planning chosen) {
    planned_.planning = std::move(chosen);
    planned_.plan = planned_.planning->chosen.plan();
    for (const lazy::Query& query : wanted_.queries)
      planned_.sized = planned_.sized || says_size(query.expr) || !lazy::fill_is_fixed(query.expr);
    planned_.steps.resize(wanted_.queries.size());
    for (const lazy::Applied& step : planned_.planning->rewrites) {
      planned_.steps.front().push_back(lazy::to_string(step));
      planned_.sized = planned_.sized || counted(step);
    }
  }

  void rewrite() {
    std::vector<lazy::Query> queries;
    for (const lazy::Query& query : wanted_.queries) queries.push_back(rewritten(query));
    planned_.plan = lazy::with_kept(queries);
  }

  lazy::Query rewritten(lazy::Query query) {
    planned_.sized = planned_.sized || says_size(query.expr) || !lazy::fill_is_fixed(query.expr);
    lazy::Rewriting found = lazy::rewrite(query.expr, wanted_.allowed);
    std::vector<std::string>& steps = planned_.steps.emplace_back();
    for (const lazy::Applied& step : found.steps) {
      steps.push_back(lazy::to_string(step));
      planned_.sized = planned_.sized || counted(step);
    }
    query.expr = lazy::shared(found.expr);
    return query;
  }

  /// Sizes that a call's shapes tell have names, unless the program says one of them.
  void name_sizes() {
    lazy::Fields told;
    for (const lazy::Query& query : planned_.plan.queries) add_told(query.expr, told);
    for (const lazy::Query& query : planned_.plan.queries)
      planned_.sized = planned_.sized || says_size(query.expr) || !lazy::fill_is_fixed(query.expr) ||
                       !lazy::without(lazy::as_set(query.fields), told).empty();
    if (planned_.sized) return;
    for (const lazy::Field& field : told) sizes_[field.number] = "d" + std::to_string(sizes_.size());
    // What stands at one dimension of a table, in whatever query, has one size.
    std::map<std::string, std::vector<lazy::Field>> known;
    for (const lazy::Query& query : planned_.plan.queries) {
      join_sizes(query.expr, known);
      known[query.name] = query.fields;
    }
  }

  void join_sizes(const lazy::Expr& e, std::map<std::string, std::vector<lazy::Field>>& known) {
    if (const auto* table = e.as<lazy::Table>()) {
      const std::vector<lazy::Field>& first = known.try_emplace(table->name, table->fields).first->second;
      for (std::size_t d = 0; d < first.size(); ++d) {
        const std::string one = sizes_.at(first[d].number), other = sizes_.at(table->fields[d].number);
        for (auto& [field, name] : sizes_)
          if (name == other) name = one;
      }
    }
    for (const lazy::Expr& child : lazy::children(e)) join_sizes(child, known);
  }

  /// Declarations of tables alone are left: formats of results are chosen beside those of operands.
  void lower() {
    Options& options = planned_.options;
    options.tier = wanted_.tier;
    lazy::Lowered lowered = lazy::lower(planned_.plan, wanted_.formats, sizes_);
    for (const lazy::Query& query : planned_.plan.queries) produce(query, lowered.formats.at(query.name));
    std::set<std::string> read;
    std::erase_if(lowered.file.statements, [&](const lang::syntax::Statement& one) {
      const auto* tensor = one.as<lang::syntax::TensorDecl>();
      if (!tensor) return false;
      read.insert(tensor->name.text);
      return !contains(wanted_.tables, tensor->name.text);
    });
    std::ranges::copy_if(wanted_.tables, std::back_inserter(options.operands),
                         [&](const std::string& name) { return read.contains(name); });
    options.text = lang::print(lowered.file).characters;
  }

  void produce(const lazy::Query& query, const format::Format& format) {
    Produced one{query.name, {}, query.expr->type, lazy::fill_of(query.expr)};
    for (const lazy::Field& field : query.fields) {
      const auto named = sizes_.find(field.number);
      one.shape.push_back(named != sizes_.end() ? named->second : std::to_string(field.size));
    }
    one.temporary = !contains(planned_.plan.produces, query.name);
    one.sparse = !format.all_dense();
    if (one.temporary && one.sparse) one.format = format::to_string(format);
    for (std::size_t q = 0; q < wanted_.queries.size(); ++q)
      if (wanted_.queries[q].name == query.name && !wanted_.asked[q].empty())
        planned_.options.formats[query.name] = one.format = wanted_.asked[q];
    planned_.options.produced.push_back(std::move(one));
  }

  const Wanted& wanted_;
  Planned planned_;
  lazy::SizeNames sizes_;
};

}  // namespace

bool meet(const std::vector<lazy::Expr>& exprs) {
  int more = 3;
  for (const lazy::Expr& e : exprs) take_tables(e, more);
  return more == 0;
}

bool has_choices(const Wanted& wanted) {
  std::vector<lazy::Expr> exprs;
  for (const lazy::Query& query : wanted.queries) exprs.push_back(query.expr);
  return meet(exprs) && std::ranges::all_of(wanted.asked, &std::string::empty);
}

Planned planned(const Wanted& wanted) {
  std::optional<lazy::Planning> chosen;
  if (has_choices(wanted)) chosen = lazy::plan(wanted.queries, wanted.formats, wanted.counted, options_of(wanted));
  return Planning(wanted).take(std::move(chosen));
}

std::vector<Planned> all_planned(const Wanted& wanted, std::size_t most) {
  const lazy::Planning best = lazy::plan(wanted.queries, wanted.formats, wanted.counted, options_of(wanted));
  std::vector<Planned> all;
  for (lazy::Alternative& way : lazy::all_plans(wanted.queries, wanted.formats, wanted.counted, options_of(wanted))) {
    if (all.size() == most) break;
    lazy::Planning planning = best;
    if (!all.empty()) planning.second = best.chosen;
    planning.chosen = std::move(way);
    all.push_back(Planning(wanted).take(std::move(planning)));
  }
  return all;
}

lazy::Why why(const Wanted& wanted, const lazy::Planning& planning) {
  return lazy::why(wanted.queries, wanted.formats, wanted.counted, options_of(wanted), planning);
}

}  // namespace trellis::python
