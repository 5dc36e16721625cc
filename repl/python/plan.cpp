#include "repl/python/plan.hpp"

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lazy/fills.hpp"
#include "engine/lazy/lower.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/lazy/queries.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::python {
namespace {

/// Fields of tables whose shapes a call tells.
void add_told(const lazy::Expr& e, const std::vector<std::string>& tables, lazy::Fields& into) {
  if (const auto* table = e.as<lazy::Table>(); table && contains(tables, table->name))
    into = lazy::united(into, lazy::as_set(table->fields));
  for (const lazy::Expr& child : lazy::children(e)) add_told(child, tables, into);
}

/// Does the expression say a size, or how often a thing repeats? Shape operators do, and reductions of what lacks the
/// field.
bool says_size(const lazy::Expr& e) {
  if (e.as<lazy::Shape>()) return true;
  if (const auto* a = e.as<lazy::Agg>(); a && !lazy::without(a->over, a->of->fields).empty()) return true;
  if (const auto* a = e.as<lazy::Arg>(); a && !lazy::depends_on(a->of, a->over)) return true;
  return std::ranges::any_of(lazy::children(e), says_size);
}

bool counted(const lazy::Applied& step) { return step.rule == "drop_missing" || step.rule == "drop_shape"; }

class Planning {
 public:
  explicit Planning(const Wanted& wanted) : wanted_(wanted) {}

  Planned take() {
    std::vector<lazy::Query> queries;
    for (const lazy::Query& query : wanted_.queries) queries.push_back(rewritten(query));
    planned_.plan = lazy::with_kept(queries);
    name_sizes();
    lower();
    return std::move(planned_);
  }

 private:
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
    for (const lazy::Query& query : planned_.plan.queries) add_told(query.expr, wanted_.tables, told);
    for (const lazy::Query& query : planned_.plan.queries)
      planned_.sized = planned_.sized || says_size(query.expr) || !lazy::fill_is_fixed(query.expr) ||
                       !lazy::without(lazy::as_set(query.fields), told).empty();
    if (planned_.sized) return;
    for (const lazy::Field& field : told) sizes_[field.number] = "d" + std::to_string(sizes_.size());
  }

  void lower() {
    Options& options = planned_.options;
    options.tier = wanted_.tier;
    const lazy::Lowered lowered = lazy::lower(planned_.plan, wanted_.formats, sizes_);
    for (const lazy::Query& query : planned_.plan.queries) produce(query, lowered.formats.at(query.name));
    lang::syntax::File file = lowered.file;
    const auto is_produced = [&](const lang::syntax::Statement& one) {
      const auto* tensor = one.as<lang::syntax::TensorDecl>();
      if (tensor && contains(wanted_.tables, tensor->name.text)) return false;
      return tensor != nullptr;
    };
    for (const std::string& name : wanted_.tables)
      if (std::ranges::any_of(file.statements, [&](const lang::syntax::Statement& one) {
            const auto* tensor = one.as<lang::syntax::TensorDecl>();
            return tensor && tensor->name.text == name;
          }))
        options.operands.push_back(name);
    std::erase_if(file.statements, is_produced);
    options.text = lang::print(file).characters;
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

Planned planned(const Wanted& wanted) { return Planning(wanted).take(); }

}  // namespace trellis::python
