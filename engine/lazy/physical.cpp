#include "engine/lazy/physical.hpp"

#include <algorithm>
#include <cmath>

#include "engine/format/storage_order.hpp"
#include "engine/lazy/fills.hpp"
#include "engine/lazy/queries.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lazy {

namespace {

/// A kept dense array of more elements does not fit.
constexpr double most_dense = 3e7;
/// Of more fields, one storage order.
constexpr std::size_t most_permuted = 4;

void collect_tables(const Expr& expr, std::vector<Expr>& into) {
  if (expr.as<Table>()) add_once(into, expr);
  for (const Expr& child : children(expr)) collect_tables(child, into);
}

bool orders_itself(const Expr& expr) {
  if (expr.as<Agg>() || expr.as<Arg>() || expr.as<Shape>()) return true;
  const std::vector<Expr> below = children(expr);
  return std::ranges::any_of(below, orders_itself);
}

}  // namespace

int QueryPlans::number_of(const Field& field) const {
  return static_cast<int>(std::ranges::lower_bound(fields_, field) - fields_.begin());
}

FieldSet QueryPlans::set_of(const Fields& fields) const {
  FieldSet set = 0;
  for (const Field& field : fields) set |= FieldSet{1} << number_of(field);
  return set;
}

std::vector<int> QueryPlans::numbers_in(FieldSet set) const {
  std::vector<int> numbers;
  for (int f = 0; f < static_cast<int>(fields_.size()); ++f)
    if (set >> f & 1) numbers.push_back(f);
  return numbers;
}

QueryPlans::QueryPlans(Query query, const Formats& formats, const CountedTables& counted, Exactness allowed,
                       Memory memory, const Seen& seen)
    : query_(std::move(query)),
      formats_(formats),
      counted_(counted),
      memory_(memory),
      seen_(seen),
      contraction_(contraction_of(query_.expr, allowed)),
      sums_(exactness_of_regrouping(contraction_.reduction, query_.expr->type) <= allowed ? Sums::reassociated
                                                                                          : Sums::as_written) {
  fields_ = united(as_set(query_.fields), contraction_.over);
  for (const Expr& factor : contraction_.factors) fields_ = united(fields_, factor->fields);
  for (const Expr& factor : contraction_.factors) add_factor(factor);
  find_logical_plans();
  find_candidates();
}

void QueryPlans::add_factor(const Expr& expr) {
  Factor factor{expr, {}, {}, orders_itself(expr)};
  const auto is_full = [&](const Table& table) {
    const auto found = formats_.find(table.name);
    return found == formats_.end() || found->second.all_dense();
  };
  const Support support = support_of(expr, is_full);
  Source& source = factor.source;
  source.fields = set_of(expr->fields);
  source.full = support.as<Everywhere>() != nullptr;
  source.stored = source.full ? Statistics::full(expr->fields) : estimate(support, expr->fields, counted_);
  if (!factor.opaque) factor.tables = tables_in(expr);
  for (const Expr& read : factor.tables) {
    const Table& table = *read.as<Table>();
    const auto found = formats_.find(table.name);
    const format::Format format =
        found != formats_.end() ? found->second : format::Format::dense(static_cast<int>(table.fields.size()));
    factor.opaque |= format.layout != nullptr;
    if (format.layout) continue;
    Storage part;
    for (std::size_t level = 0; level < format.levels.size(); ++level)
      part.levels.push_back(
          {number_of(table.fields[format::dimension_of(format, level)]), !format::facts(format.levels[level]).dense()});
    source.entries += stored_in(table).entries;
    source.parts.push_back(std::move(part));
  }
  if (factor.opaque) source.parts.clear(), factor.tables.clear();
  for (std::size_t k = 0; k < factors_.size() && source.same_as < 0; ++k)
    if (factors_[k].expr == expr) source.same_as = static_cast<int>(k);
  factors_.push_back(std::move(factor));
}

Statistics QueryPlans::stored_in(const Table& table) const {
  const auto known = counted_.find(table.name);
  return known == counted_.end() ? Statistics::full(as_set(table.fields)) : at(known->second, table.fields);
}

double QueryPlans::share_of(int operand, std::size_t part) const {
  if (operand >= factor_count()) return 1;
  const Factor& factor = factors_[static_cast<std::size_t>(operand)];
  if (factor.tables.size() < 2) return 1;
  const double entries = stored_in(*factor.tables[part].as<Table>()).entries;
  return entries / std::max(1.0, factor.source.stored.entries);
}

std::vector<Expr> QueryPlans::tables_in(const Expr& expr) {
  std::vector<Expr> tables;
  collect_tables(expr, tables);
  return tables;
}

void QueryPlans::find_logical_plans() {
  Factors factors;
  factors.result = set_of(as_set(query_.fields));
  factors.over = set_of(contraction_.over);
  for (const Factor& factor : factors_) {
    factors.fields.push_back(factor.source.fields);
    factors.sums.push_back(!factor.opaque && factor.tables.size() > 1 && factors.over != 0);
  }
  const auto entries = [&](const LogicalPlans& plans, const Step& step) {
    // Each step that is thought of has the same number.
    forget_steps();
    logical_ = plans;
    logical_.steps.push_back(step);
    const int number = static_cast<int>(plans.steps.size());
    const Form sparse{Writes::sparse, numbers_in(step.fields)};
    return source_of(number, sparse).stored.entries;
  };
  LogicalPlans found;
  if (contraction_.free && fields_.size() <= most_fields) {
    found = logical_plans(factors, entries);
  } else {
    Step all{{}, factors.over, factors.result};
    for (int k = 0; k < factor_count(); ++k) all.operands.push_back(k);
    found = {{all}, {0}, false};
  }
  logical_ = std::move(found);
  forget_steps();
}

void QueryPlans::forget_steps() {
  nests_.clear();
  exprs_.clear();
  sources_.clear();
  canonical_.clear();
}

bool QueryPlans::associates() const {
  return contraction_.free && format::is_floating(query_.expr->type) &&
         contraction_.reduction == format::ReduceOp::sum && !operand_steps(candidates_.front().result).empty();
}

std::vector<int> QueryPlans::operand_steps(int number) const {
  std::vector<int> steps;
  for (const int operand : step(number).operands)
    if (operand >= factor_count()) steps.push_back(operand - factor_count());
  return steps;
}

void QueryPlans::collect_below(int number, std::vector<int>& into) const {
  for (const int operand : operand_steps(number)) collect_below(operand, into);
  add_once(into, number);
}

bool QueryPlans::is_opaque(int number) const {
  return std::ranges::any_of(step(number).operands, [&](int operand) {
    return operand < factor_count() && factors_[static_cast<std::size_t>(operand)].opaque;
  });
}

Expr QueryPlans::expr_of(int number) {
  if (const auto known = exprs_.find(number); known != exprs_.end()) return known->second;
  std::vector<Expr> operands;
  for (const int operand : step(number).operands)
    operands.push_back(operand < factor_count() ? factors_[static_cast<std::size_t>(operand)].expr
                                                : expr_of(operand - factor_count()));
  Fields gone;
  for (const int f : numbers_in(step(number).gone)) gone.push_back(fields_[static_cast<std::size_t>(f)]);
  const Expr inner = operands.size() > 1 ? product(*contraction_.product, operands) : operands.front();
  return exprs_[number] = agg(contraction_.reduction, gone, inner);
}

// ---- what is kept --------------------------------------------------------------------------------------------

bool QueryPlans::may_be_sparse(int number) {
  const Expr expr = expr_of(number);
  if (!fill_is_fixed(expr) || std::isnan(fill_of(expr).real)) return false;
  std::vector<int> below;
  collect_below(number, below);
  return std::ranges::any_of(below, [&](int one) {
    return std::ranges::any_of(step(one).operands, [&](int operand) {
      return operand < factor_count() && !factors_[static_cast<std::size_t>(operand)].source.full;
    });
  });
}

std::vector<Form> QueryPlans::forms_of(int number, const Candidate& candidate) {
  if (const auto settled = candidate.forms.find(number); settled != candidate.forms.end()) return {settled->second};
  std::vector<int> fields = numbers_in(step(number).fields);
  double elements = 1;
  for (const int f : fields) elements *= static_cast<double>(fields_[static_cast<std::size_t>(f)].size);
  const bool sparse = !fields.empty() && may_be_sparse(number), dense = elements <= most_dense || !sparse;
  std::vector<Form> forms;
  do {
    if (dense) forms.push_back({Writes::dense, fields});
    if (sparse) forms.push_back({Writes::sparse, fields});
  } while (fields.size() < most_permuted && std::ranges::next_permutation(fields).found);
  return forms;
}

Form QueryPlans::result_form() const {
  const format::Format format = result_format(query_, formats_);
  Form form{format.all_dense() ? Writes::dense : Writes::sparse, {}};
  for (std::size_t level = 0; level < query_.fields.size(); ++level) {
    const std::size_t d = format.layout ? level : format::dimension_of(format, level);
    form.fields.push_back(number_of(query_.fields[d]));
  }
  return form;
}

/// As it is stored in the form that it was asked for first: readers say in which order they have it.
const Source& QueryPlans::source_of(int number, const Form& form) {
  const auto key = std::pair(number, form.writes == Writes::dense);
  if (const auto known = sources_.find(key); known != sources_.end()) return known->second;
  Source source;
  source.fields = step(number).fields;
  source.full = form.writes == Writes::dense;
  source.parts = {source.full ? Storage::dense_of(form.fields) : Storage::sparse_of(form.fields)};
  if (source.full) {
    Fields fields;
    for (const int f : numbers_in(source.fields)) fields.push_back(fields_[static_cast<std::size_t>(f)]);
    source.stored = Statistics::full(fields);
  } else {
    // Of operands that are kept, that store what they need.
    std::vector<Form> operands;
    for (const int one : operand_steps(number)) {
      const bool sparse = may_be_sparse(one);
      operands.push_back({sparse ? Writes::sparse : Writes::dense, numbers_in(step(one).fields)});
    }
    source.stored = nest_of(number, operands).result();
  }
  source.entries = source.stored.entries;
  return sources_.emplace(key, std::move(source)).first->second;
}

NestCost& QueryPlans::nest_of(int number, const std::vector<Form>& operands) {
  std::vector<bool> sparse;
  for (const Form& form : operands) sparse.push_back(form.writes != Writes::dense);
  auto found = nests_.find({number, sparse});
  if (found == nests_.end()) {
    std::vector<Source> sources;
    std::size_t kept = 0;
    const std::vector<int>& all = step(number).operands;
    for (const int operand : all) {
      if (operand >= factor_count()) {
        sources.push_back(source_of(operand - factor_count(), operands[kept++]));
        continue;
      }
      Source source = factors_[static_cast<std::size_t>(operand)].source;
      const auto same = std::ranges::find(all, source.same_as);
      source.same_as = source.same_as >= 0 && same != all.end() ? static_cast<int>(same - all.begin()) : -1;
      sources.push_back(std::move(source));
    }
    found = nests_
                .emplace(std::pair(number, sparse),
                         NestCost(fields_, std::move(sources), step(number).fields, step(number).gone, memory_, sums_))
                .first;
    if (const auto known = seen_.empty() ? seen_.end() : seen_.find(canonical_name(number)); known != seen_.end())
      found->second.correct(known->second);
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < step(number).operands.size(); ++k)
    if (step(number).operands[k] >= factor_count()) {
      const Form& form = operands[kept++];
      found->second.store(
          k, form.writes == Writes::dense ? Storage::dense_of(form.fields) : Storage::sparse_of(form.fields));
    }
  return found->second;
}

Statistics QueryPlans::expected() {
  const int result = candidates_.front().result;
  std::vector<int> below;
  if (result_form().writes == Writes::dense) return Statistics::full(as_set(query_.fields));
  return source_of(result, result_form()).stored;
}

// ---- costs ---------------------------------------------------------------------------------------------------

const OrderCost& QueryPlans::kernel(int number, const Form& form, const std::vector<Form>& operands) {
  const auto key = std::tuple(number, form, operands);
  if (const auto known = kernels_.find(key); known != kernels_.end()) return known->second;
  return kernels_[key] = nest_of(number, operands).cheapest(form.fields, form.writes);
}

/// Over all forms of what it reads, each made as cheaply as it can be.
QueryPlans::Choice QueryPlans::choice(int number, const Form& form, const Candidate& candidate) {
  if (candidate.twins.contains(number)) return {};
  const bool usual = candidate.forms.empty();
  if (usual)
    if (const auto known = choices_.find({number, form}); known != choices_.end()) return known->second;
  const std::vector<int> operands = operand_steps(number);
  std::vector<std::vector<Form>> forms;
  std::vector<std::vector<double>> costs;
  for (const int operand : operands) {
    forms.push_back(forms_of(operand, candidate));
    costs.emplace_back();
    for (const Form& one : forms.back()) costs.back().push_back(choice(operand, one, candidate).cycles);
  }
  Choice best;
  best.cycles = -1;
  std::vector<std::size_t> chosen(operands.size(), 0);
  for (bool more = true; more;) {
    std::vector<Form> tried;
    double cycles = 0;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      tried.push_back(forms[k][chosen[k]]);
      cycles += costs[k][chosen[k]];
    }
    if (best.cycles < 0 || cycles < best.cycles) cycles += kernel(number, form, tried).cycles;
    if (best.cycles < 0 || cycles < best.cycles) best = {cycles, std::move(tried)};
    more = false;
    for (std::size_t k = 0; k < operands.size() && !more; ++k)
      more = ++chosen[k] < forms[k].size() || (chosen[k] = 0, false);
  }
  if (usual) choices_[{number, form}] = best;
  return best;
}

/// R(i,j) = A(i,j) * sum(k)(B(i,k) * C(k,j)) in i k j: a row of the sum at a time, then what reads it. So too where
/// that is reduced over its rows: s = sum(i,j)(A(i,j) * sum(k)(B(i,k) * C(k,j))).
std::optional<QueryPlans::Nested> QueryPlans::nested(int result) {
  const std::vector<int> kept = operand_steps(result);
  if (kept.size() != 1 || !operand_steps(kept[0]).empty() || is_opaque(result) || is_opaque(kept[0]))
    return std::nullopt;
  const Step &row = step(kept[0]), &reader = step(result);
  const Form form = result_form();
  const bool sparse = form.writes == Writes::sparse;
  const std::vector<int> fields = numbers_in(row.fields);
  if (fields.size() < 2 || row.fields != (reader.fields | reader.gone) || !row.gone || (!sparse && !reader.gone))
    return std::nullopt;
  std::optional<Nested> best;
  // What is stored sparse is written in the order of its rows.
  for (const int outermost : sparse ? std::vector<int>{form.fields[0]} : fields) {
    const std::optional<Nested> costs = nested_in_rows(result, kept[0], outermost);
    if (costs && (!best || costs->cycles() < best->cycles())) best = costs;
  }
  return best;
}

std::optional<QueryPlans::Nested> QueryPlans::nested_in_rows(int result, int reduced, int outermost) {
  const Form form = result_form();
  Nested costs;
  costs.row = nest_of(reduced, {}).cheapest(form.fields, Writes::row, {outermost});
  std::vector<int> order;
  for (const int field : costs.row.order)
    if (contains(numbers_in(step(reduced).fields), field)) order.push_back(field);
  if (order.empty()) return std::nullopt;
  NestCost& outer = nest_of(result, {Form{Writes::dense, order}});
  // One row is all there is of it.
  for (std::size_t k = 0; k < step(result).operands.size(); ++k)
    if (step(result).operands[k] >= factor_count()) outer.store(k, Storage::dense_of({order.begin() + 1, order.end()}));
  costs.result = outer.cheapest(form.fields, form.writes, order);
  if (costs.result.order.empty()) return std::nullopt;
  costs.clearing = outer.clearing(order, costs.result);
  return costs;
}

void QueryPlans::prefer(std::size_t candidate) {
  const auto first = candidates_.begin(), chosen = first + static_cast<std::ptrdiff_t>(candidate);
  std::rotate(first, chosen, chosen + 1);
}

void QueryPlans::find_candidates() {
  const bool repeats = std::ranges::any_of(factors_, [&](const Factor& a) {
    return std::ranges::any_of(factors_, [&](const Factor& b) {
      return &a != &b && !a.tables.empty() && !b.tables.empty() &&
             a.tables[0].as<Table>()->name == b.tables[0].as<Table>()->name;
    });
  });
  for (const int result : logical_.results) {
    Candidate kept{0, {}, result};
    kept.cycles = choice(result, result_form(), kept).cycles;
    if (repeats) settle_equal_steps(kept);
    candidates_.push_back(std::move(kept));
    if (const auto costs = nested(result)) candidates_.push_back({costs->cycles(), {}, result, true});
  }
  std::ranges::stable_sort(candidates_, {}, &Candidate::cycles);
}

}  // namespace trellis::lazy
