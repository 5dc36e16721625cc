// A candidate as queries: copies first, then what is reduced early, then what reads it.

#include <algorithm>

#include "engine/cost/machine.hpp"
#include "engine/lazy/physical.hpp"
#include "engine/lazy/queries.hpp"

namespace trellis::lazy {

namespace {

Expr with_tables(const Expr& expr, text::FunctionRef<Expr(const Expr&)> read) {
  if (expr.as<Table>()) return read(expr);
  return map_children(expr, [&](const Expr& child) { return with_tables(child, read); });
}

}  // namespace

class Writing {
 public:
  Writing(QueryPlans& plans, const Candidate& candidate, const FreshName& fresh)
      : plans_(plans), candidate_(candidate), fresh_(fresh) {}

  std::vector<PlannedQuery> all() {
    if (candidate_.nested) write_nested();
    else write(candidate_.result, plans_.result_form());
    return std::move(written_);
  }

 private:
  const Step& step(int number) const { return plans_.step(number); }

  std::vector<Field> fields(const std::vector<int>& numbers) const {
    std::vector<Field> all;
    for (const int number : numbers) all.push_back(plans_.fields_[static_cast<std::size_t>(number)]);
    return all;
  }

  /// The product of a step, and what it is reduced with.
  Expr expr(int number, const std::vector<Expr>& operands) const {
    const Expr inner = operands.size() > 1 ? product(*plans_.contraction_.product, operands) : operands.front();
    return agg(plans_.contraction_.reduction, fields(plans_.numbers_in(step(number).gone)), inner);
  }

  Query write(int number, const Form& form) {
    const QueryPlans::Choice choice = plans_.choice(number, form, candidate_);
    const OrderCost loops = plans_.kernel(number, form, choice.operands);
    std::vector<Expr> kept;
    const std::vector<int> steps = plans_.operand_steps(number);
    for (std::size_t k = 0; k < steps.size(); ++k) kept.push_back(read_step(steps[k], choice.operands[k]));
    double cycles = loops.cycles;
    const std::vector<Expr> operands = operands_of(number, kept, loops, cycles);
    Query query{plans_.query_.name, plans_.query_.fields, expr(number, operands), {}, {}};
    if (number != candidate_.result) query = {fresh_(), fields(form.fields), query.expr, format_of(form), {}};
    else finish(query, operands);
    if (!plans_.is_opaque(number)) query.order = fields(loops.order);
    add(query, cycles, number, form);
    add_walked(plans_.nest_of(number, choice.operands), loops, number, operands);
    return query;
  }

  /// What it is asked for, as it is asked for it: what its factors make of its structure is no reason to change that.
  void finish(Query& query, const std::vector<Expr>& operands) const {
    query.format = result_format(plans_.query_, plans_.formats_);
    if (plans_.contraction_.free) return;
    std::size_t k = 0;
    // As it is written, but for copies.
    query.expr = plans_.query_.expr;
    for (const QueryPlans::Factor& factor : plans_.factors_)
      query.expr = replaced(query.expr, factor.expr, operands[k++]);
  }

  static Expr replaced(const Expr& in, const Expr& what, const Expr& by) {
    if (in == what) return by;
    return map_children(in, [&](const Expr& child) { return replaced(child, what, by); });
  }

  void write_nested() {
    const QueryPlans::Nested costs = *plans_.nested(candidate_.result);
    const int row = plans_.operand_steps(candidate_.result)[0];
    double row_cycles = costs.row.cycles + costs.clearing, cycles = costs.result.cycles;
    const std::vector<Expr> factors = operands_of(row, {}, costs.row, row_cycles);
    const Expr sum = expr(row, factors);
    Query query{plans_.query_.name,
                plans_.query_.fields,
                expr(candidate_.result, operands_of(candidate_.result, {sum}, costs.result, cycles)),
                {},
                {}};
    finish(query, {});
    query.order = fields(costs.row.order);
    add(query, cycles + row_cycles, candidate_.result, plans_.result_form());
    add_walked(plans_.nest_of(row, {}), costs.row, row, factors);
  }

  Expr read_step(int number, const Form& form) {
    const auto twin = candidate_.twins.find(number);
    const int made = twin == candidate_.twins.end() ? number : twin->second;
    if (!made_.contains(made)) {
      const auto settled = candidate_.forms.find(made);
      made_[made] = write(made, settled == candidate_.forms.end() ? form : settled->second);
    }
    return read(made_.at(made), fields(form.fields));
  }

  /// `cycles` loses what copies take.
  std::vector<Expr> operands_of(int number, const std::vector<Expr>& kept, const OrderCost& loops, double& cycles) {
    std::vector<Expr> operands;
    std::size_t next = 0;
    for (std::size_t k = 0; k < step(number).operands.size(); ++k) {
      const int operand = step(number).operands[k];
      if (operand >= plans_.factor_count()) {
        operands.push_back(kept[next++]);
        continue;
      }
      const QueryPlans::Factor& factor = plans_.factors_[static_cast<std::size_t>(operand)];
      const bool copied = loops.copied[k] && !plans_.is_opaque(number);
      operands.push_back(copied ? copy_of(factor, loops.order, cycles) : factor.expr);
    }
    return operands;
  }

  Expr copy_of(const QueryPlans::Factor& factor, const std::vector<int>& order, double& cycles) {
    return with_tables(factor.expr, [&](const Expr& table) {
      const auto part = std::ranges::find(factor.tables, table) - factor.tables.begin();
      const Storage& storage = factor.source.parts[static_cast<std::size_t>(part)];
      return storage.dense() ? table : copied_table(table, storage, order, cycles);
    });
  }

  Expr copied_table(const Expr& table, const Storage& storage, const std::vector<int>& order, double& cycles) {
    std::vector<Field> stored, walked;
    for (const Storage::Level& level : storage.levels) add_once(stored, fields({level.field})[0]);
    for (const Field& field : fields(order))
      if (contains(stored, field)) walked.push_back(field);
    Query query{"", walked, table, sparse_format(static_cast<int>(walked.size())), stored};
    for (const auto& [copy, of] : copies_)
      if (of == table && copy.fields == walked) return read(copy, walked);
    query.name = fresh_();
    const Statistics entries = plans_.stored_in(*table.as<Table>());
    const double copying = entries.entries * cost::cycles::copied_entry;
    cycles -= copying;
    written_.push_back({query, copying, entries, table.as<Table>()->name, ""});
    copies_.emplace_back(query, table);
    return read(query, walked);
  }

  static format::Format format_of(const Form& form) {
    const int rank = static_cast<int>(form.fields.size());
    return form.writes == Writes::dense ? format::Format::dense(rank) : sparse_format(rank);
  }

  /// To the query that was written last.
  void add_walked(NestCost& nest, const OrderCost& loops, int number, const std::vector<Expr>& operands) {
    const std::vector<std::vector<double>> walked = nest.walked(loops.order, loops.copied);
    for (std::size_t loop = 0; loop < loops.order.size(); ++loop)
      for (std::size_t k = 0; k < operands.size(); ++k) {
        if (walked[loop][k] == 0) continue;
        std::map<std::string, double>& of_loop = written_.back().walked[fields({loops.order[loop]})[0]];
        const int operand = step(number).operands[k];
        const std::vector<Expr> parts = plans_.tables_in(operands[k]);
        for (std::size_t part = 0; part < parts.size(); ++part)
          of_loop[parts[part].as<Table>()->name] = walked[loop][k] * plans_.share_of(operand, part);
      }
  }

  void add(const Query& query, double cycles, int number, const Form& form) {
    written_.push_back({query, cycles, plans_.source_of(number, form).stored, "", plans_.canonical_name(number)});
  }

  QueryPlans& plans_;
  const Candidate& candidate_;
  const FreshName& fresh_;
  std::vector<PlannedQuery> written_;
  std::map<int, Query> made_;
  std::vector<std::pair<Query, Expr>> copies_;
};

std::vector<PlannedQuery> QueryPlans::queries_of(const Candidate& candidate, const FreshName& fresh) {
  return Writing(*this, candidate, fresh).all();
}

std::string QueryPlans::outline_of(const Candidate& candidate) {
  const Expr expr = contraction_.free ? expr_of(candidate.result) : query_.expr;
  return to_string(Query{query_.name, query_.fields, expr, {}, {}}) + (candidate.nested ? ", a row at a time" : "");
}

}  // namespace trellis::lazy
