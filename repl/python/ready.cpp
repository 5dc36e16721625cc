#include "repl/python/ready.hpp"

#include <algorithm>
#include <bit>

#include "engine/lazy/compute.hpp"
#include "engine/lazy/plan_cache.hpp"
#include "repl/python/array.hpp"
#include "repl/python/formats.hpp"
#include "repl/python/view.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

/// Where a plan holds for certain sizes alone, the key without sizes has null, and with them the plan. The GIL is its
/// lock.
using Cache = lazy::PlanCache<std::shared_ptr<const Ready>>;
Cache& cache() {
  static Cache& one = *new Cache;  // Python is gone when statics end
  return one;
}

std::string with_sizes(const StructureKey& key) { return key.bytes + "|" + key.sizes; }

std::shared_ptr<const Ready> known(const StructureKey& key) {
  const auto* found = cache().find(key.bytes);
  if (found && !*found) found = cache().find(with_sizes(key));
  return found ? *found : nullptr;
}

void remember(const StructureKey& key, std::shared_ptr<const Ready> ready) {
  if (ready->planned.sized) {
    cache().put(key.bytes, nullptr);
    cache().put(with_sizes(key), std::move(ready));
  } else cache().put(key.bytes, std::move(ready));
}

}  // namespace

std::string table_name(std::size_t number) {
  const std::string letter(1, static_cast<char>('A' + number % 8));
  return number < 8 ? letter : letter + std::to_string(number / 8);
}

namespace {

lazy::Expr with_names(const lazy::Expr& e, const std::map<std::string, std::string>& names) {
  if (const auto* t = e.as<lazy::Table>()) return lazy::table(names.at(t->name), t->type, t->fill, t->fields);
  return lazy::map_children(e, [&](const lazy::Expr& child) { return with_names(child, names); });
}

std::string result_name(std::size_t number, std::size_t count) {
  return count == 1 ? "R" : "R" + std::to_string(number);
}

std::map<std::string, std::string> names_of_tables(const StructureKey& key) {
  std::map<std::string, std::string> names;
  for (std::size_t t = 0; t < key.tables.size(); ++t) names[key.tables[t]->name] = table_name(t);
  return names;
}

}  // namespace

std::vector<lazy::Query> written_queries(const std::vector<const Lazy*>& arrays, const StructureKey& key) {
  std::vector<lazy::Query> queries;
  const std::map<std::string, std::string> names = names_of_tables(key);
  for (std::size_t q = 0; q < arrays.size(); ++q) {
    const lazy::Array& array = arrays[q]->array;
    queries.push_back({result_name(q, arrays.size()), array.axes(), with_names(array.expr(), names), {}});
  }
  return queries;
}

namespace {

Wanted wanted_of(const std::vector<const Lazy*>& arrays, const StructureKey& key, const Asked& asked) {
  Wanted wanted;
  wanted.asked = asked.formats;
  wanted.tier = asked.tier;
  if (asked.exact) wanted.allowed = lazy::Exactness::exact;
  const std::map<std::string, std::string> names = names_of_tables(key);
  for (std::size_t t = 0; t < key.tables.size(); ++t) wanted.tables.push_back(table_name(t));
  wanted.queries = written_queries(arrays, key);
  for (const Table* table : key.tables) {
    Operand operand;
    if (view(table->object.ptr(), operand) != Viewed::taken) throw py::type_error("an operand has changed its type");
    wanted.formats[names.at(table->name)] = operand.kind == Operand::Kind::array
                                                ? operand.tensor->format()
                                                : format_named(format_text(operand), operand.rank);
  }
  return wanted;
}

/// How many times as long as the mean the longest row of csr is, or column of csc.
std::int64_t unevenness(const Operand& operand) {
  const bool rows = operand.kind == Operand::Kind::csr;
  if ((!rows && operand.kind != Operand::Kind::csc) || !operand.level[1].positions) return 1;
  const std::int64_t fibers = operand.shape[rows ? 0 : 1];
  const auto longest = [&](const auto* positions) {
    std::int64_t most = 0;
    for (std::int64_t f = 0; f < fibers; ++f) most = std::max<std::int64_t>(most, positions[f + 1] - positions[f]);
    return most;
  };
  const void* positions = operand.level[1].positions;
  const std::int64_t most = operand.wide ? longest(static_cast<const std::int64_t*>(positions))
                                         : longest(static_cast<const std::int32_t*>(positions));
  return most * fibers / std::max<std::int64_t>(1, operand.level[1].entries);
}

char magnitude(std::int64_t count) {
  return static_cast<char>('0' + std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(0, count))) / 2);
}

/// To powers of 4, as the plan may be another one then; so it may where a few rows have most of them.
std::string entries_of(const StructureKey& key) {
  std::string entries;
  for (const Table* table : key.tables) {
    Operand operand;
    if (view(table->object.ptr(), operand) != Viewed::taken) continue;
    std::int64_t count = 0;
    for (int l = 0; l < operand.levels; ++l)
      count = std::max(count, operand.level[static_cast<std::size_t>(l)].entries);
    entries += magnitude(count);
    entries += magnitude(unevenness(operand));
  }
  return entries;
}

void count_tables(Wanted& wanted, const StructureKey& key) {
  const std::map<std::string, std::string> names = names_of_tables(key);
  lazy::Tensors tensors;
  for (const Table* table : key.tables) {
    Operand operand;
    if (view(table->object.ptr(), operand) != Viewed::taken) continue;
    const std::string& name = names.at(table->name);
    if (auto own = to_tensor(operand, wanted.formats.at(name), table->object.ptr())) tensors[name] = std::move(*own);
  }
  wanted.counted = lazy::counted_in(tensors);
}

/// How the arrays are asked for is part of the key.
void complete(StructureKey& key, const std::vector<const Lazy*>& arrays, const Asked& asked) {
  key.bytes += asked.exact ? 'x' : 'r';
  key.bytes += static_cast<char>(asked.tier);
  for (const std::string& format : asked.formats) key.bytes += format + "\n";
  std::vector<lazy::Expr> exprs;
  for (const Lazy* one : arrays) exprs.push_back(one->array.expr());
  if (meet(exprs)) key.bytes += entries_of(key);
}

std::shared_ptr<Ready> made_ready(Wanted wanted, Planned planned) {
  auto made = std::make_shared<Ready>();
  made->wanted = std::move(wanted);
  made->planned = std::move(planned);
  made->program = std::make_shared<Program>(made->planned.options);
  for (const Parameter& parameter : made->program->definition().parameters()) {
    if (!parameter.required) continue;
    const auto at = std::ranges::find(made->wanted.tables, parameter.name);
    made->tables.push_back(static_cast<std::size_t>(at - made->wanted.tables.begin()));
  }
  return made;
}

}  // namespace

std::shared_ptr<const Ready> ready_for(const std::vector<const Lazy*>& arrays, StructureKey& key, const Asked& asked) {
  complete(key, arrays, asked);
  if (auto made = known(key)) return made;
  Wanted wanted = wanted_of(arrays, key, asked);
  wanted.seen = cache().seen(with_sizes(key));
  if (has_choices(wanted)) count_tables(wanted, key);
  Planned plan;
  {
    const WithoutGil others_run;
    plan = planned(wanted);
  }
  auto ready = made_ready(std::move(wanted), std::move(plan));
  remember(key, ready);
  return ready;
}

std::vector<std::shared_ptr<Ready>> ways_to_compute(const std::vector<const Lazy*>& arrays, const Asked& asked,
                                                    std::size_t most) {
  StructureKey key = structure_key(arrays);
  Wanted wanted = wanted_of(arrays, key, asked);
  std::vector<Planned> plans;
  if (has_choices(wanted)) count_tables(wanted, key);
  {
    const WithoutGil others_run;
    plans = has_choices(wanted) ? all_planned(wanted, most) : std::vector<Planned>{planned(wanted)};
  }
  std::vector<std::shared_ptr<Ready>> ways;
  for (Planned& one : plans) ways.push_back(made_ready(wanted, std::move(one)));
  return ways;
}

void keep(const std::vector<const Lazy*>& arrays, const Asked& asked, const std::shared_ptr<Ready>& way) {
  StructureKey key = structure_key(arrays);
  complete(key, arrays, asked);
  way->measured = true;
  remember(key, way);
}

py::object call(const Ready& ready, const StructureKey& key, RunOptions& options) {
  std::vector<PyObject*> arguments;
  for (const std::size_t table : ready.tables) arguments.push_back(key.tables[table]->object.ptr());
  return py::reinterpret_steal<py::object>(ready.program->call(arguments, options));
}

void learn(const Ready& ready, const StructureKey& key, const std::map<std::string, double>& stored) {
  if (!ready.planned.planning || ready.measured) return;
  auto seen = lazy::corrected(ready.planned.planning->chosen, stored, ready.wanted.seen);
  if (!seen) return;
  cache().plan_anew(key.bytes, {});
  cache().plan_anew(with_sizes(key), std::move(*seen));
}

std::vector<const Lazy*> arrays_of(const py::list& list) {
  std::vector<const Lazy*> arrays;
  for (const py::handle one : list) arrays.push_back(&py::cast<const Lazy&>(one));
  return arrays;
}

Asked asked_of(const std::vector<std::string>& formats, bool exact, const std::string& tier) {
  return {formats, exact, tier == "native" ? Tier::native : tier == "jit" ? Tier::jit : Tier::automatic};
}

std::size_t count_ready() { return cache().size(); }

void forget_ready() { cache().clear(); }

}  // namespace trellis::python
