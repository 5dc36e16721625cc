// Lazy arrays computed: programs by structure, each called with the objects that the expressions read.
#include <pybind11/stl.h>

#include <bit>
#include <unordered_map>

#include "engine/lazy/compute.hpp"
#include "engine/lazy/fills.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/lazy/support.hpp"
#include "repl/python/array.hpp"
#include "repl/python/formats.hpp"
#include "repl/python/lazy.hpp"
#include "repl/python/plan.hpp"
#include "repl/python/program.hpp"
#include "repl/python/structure_key.hpp"
#include "repl/python/view.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

constexpr std::size_t most_programs = 256;

/// How it is to be computed.
struct Asked {
  std::vector<std::string> formats;  ///< by result, "" where the structure decides
  bool exact = false;
  Tier tier = Tier::automatic;
};

struct Ready {
  Wanted wanted;
  Planned planned;
  std::shared_ptr<Program> program;
  std::vector<std::size_t> tables;  ///< by parameter, as the key counts them
};

struct Cached {
  std::shared_ptr<const Ready> ready;  ///< null: there is one for each sizes
  std::uint64_t used = 0;
};

/// The GIL is its lock.
class Cache {
 public:
  std::shared_ptr<const Ready> find(const StructureKey& key) {
    auto found = programs_.find(key.bytes);
    if (found != programs_.end() && !found->second.ready) found = programs_.find(key.bytes + "|" + key.sizes);
    if (found == programs_.end()) return nullptr;
    found->second.used = ++clock_;
    return found->second.ready;
  }
  void put(const StructureKey& key, std::shared_ptr<const Ready> ready) {
    if (programs_.size() >= most_programs)
      programs_.erase(std::ranges::min_element(programs_, {}, [](const auto& one) { return one.second.used; }));
    if (ready->planned.sized) {
      programs_[key.bytes] = {nullptr, ++clock_};
      programs_[key.bytes + "|" + key.sizes] = {std::move(ready), ++clock_};
    } else programs_[key.bytes] = {std::move(ready), ++clock_};
  }
  std::size_t size() const { return programs_.size(); }
  void clear() { programs_.clear(); }

 private:
  std::unordered_map<std::string, Cached> programs_;
  std::uint64_t clock_ = 0;
};
Cache& cache() {
  static Cache& one = *new Cache;  // Python is gone when statics end
  return one;
}

/// A, B, …, H, then A1, …: no name that fields, results or temporaries have.
std::string table_name(std::size_t number) {
  const std::string letter(1, static_cast<char>('A' + number % 8));
  return number < 8 ? letter : letter + std::to_string(number / 8);
}

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

Wanted wanted_of(const std::vector<const Lazy*>& arrays, const StructureKey& key, const Asked& asked) {
  Wanted wanted;
  wanted.asked = asked.formats;
  wanted.tier = asked.tier;
  if (asked.exact) wanted.allowed = lazy::Exactness::exact;
  const std::map<std::string, std::string> names = names_of_tables(key);
  for (std::size_t t = 0; t < key.tables.size(); ++t) wanted.tables.push_back(table_name(t));
  for (std::size_t q = 0; q < arrays.size(); ++q) {
    const lazy::Array& array = arrays[q]->array;
    wanted.queries.push_back({result_name(q, arrays.size()), array.axes(), with_names(array.expr(), names), {}});
  }
  for (const Table* table : key.tables) {
    Operand operand;
    if (view(table->object.ptr(), operand) != Viewed::taken) throw py::type_error("an operand has changed its type");
    wanted.formats[names.at(table->name)] = operand.kind == Operand::Kind::array
                                                ? operand.tensor->format()
                                                : format_named(format_text(operand), operand.rank);
  }
  return wanted;
}

/// To powers of 4, as the plan may be another one then.
std::string entries_of(const StructureKey& key) {
  std::string entries;
  for (const Table* table : key.tables) {
    Operand operand;
    if (view(table->object.ptr(), operand) != Viewed::taken) continue;
    std::int64_t count = 0;
    for (int l = 0; l < operand.levels; ++l)
      count = std::max(count, operand.level[static_cast<std::size_t>(l)].entries);
    entries += static_cast<char>('0' + std::bit_width(static_cast<std::uint64_t>(count)) / 2);
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

std::shared_ptr<const Ready> ready_for(const std::vector<const Lazy*>& arrays, StructureKey& key, const Asked& asked) {
  key.bytes += asked.exact ? 'x' : 'r';
  key.bytes += static_cast<char>(asked.tier);
  for (const std::string& format : asked.formats) key.bytes += format + "\n";
  std::vector<lazy::Expr> exprs;
  for (const Lazy* one : arrays) exprs.push_back(one->array.expr());
  if (meet(exprs)) key.bytes += entries_of(key);
  if (auto known = cache().find(key)) return known;
  auto made = std::make_shared<Ready>();
  Wanted& wanted = made->wanted = wanted_of(arrays, key, asked);
  if (has_choices(wanted)) count_tables(wanted, key);
  {
    const WithoutGil others_run;
    made->planned = planned(wanted);
  }
  made->program = std::make_shared<Program>(made->planned.options);
  for (const Parameter& parameter : made->program->definition().parameters()) {
    if (!parameter.required) continue;
    const auto at = std::ranges::find(wanted.tables, parameter.name);
    made->tables.push_back(static_cast<std::size_t>(at - wanted.tables.begin()));
  }
  cache().put(key, made);
  return made;
}

std::vector<const Lazy*> arrays_of(const py::list& list) {
  std::vector<const Lazy*> arrays;
  for (const py::handle one : list) arrays.push_back(&py::cast<const Lazy&>(one));
  return arrays;
}

Asked asked_of(const std::vector<std::string>& formats, bool exact, const std::string& tier) {
  return {formats, exact, tier == "native" ? Tier::native : tier == "jit" ? Tier::jit : Tier::automatic};
}

/// The results in the order of the arrays: one alone as it is, several as a named tuple.
py::object compute(const py::list& list, const std::vector<std::string>& formats, bool exact, const std::string& tier,
                   bool isolate, double seconds, std::size_t memory) {
  const std::vector<const Lazy*> arrays = arrays_of(list);
  StructureKey key = structure_key(arrays);
  const std::shared_ptr<const Ready> ready = ready_for(arrays, key, asked_of(formats, exact, tier));
  std::vector<PyObject*> arguments;
  for (const std::size_t table : ready->tables) arguments.push_back(key.tables[table]->object.ptr());
  RunOptions options;
  options.isolate = isolate;
  options.seconds = seconds;
  options.memory = memory;
  return py::reinterpret_steal<py::object>(ready->program->call(arguments, options));
}

/// What is known of a plan without running it.
py::dict plan(const py::list& list, const std::vector<std::string>& formats, bool exact, const std::string& tier) {
  const std::vector<const Lazy*> arrays = arrays_of(list);
  StructureKey key = structure_key(arrays);
  const std::shared_ptr<const Ready> ready = ready_for(arrays, key, asked_of(formats, exact, tier));
  py::list queries, tables, written;
  for (std::size_t q = 0; q < ready->planned.plan.queries.size(); ++q) {
    const lazy::Query& query = ready->planned.plan.queries[q];
    const Produced& made = ready->planned.options.produced[q];
    py::dict row;
    row["name"] = query.name;
    row["query"] = lazy::to_string(query);
    row["dtype"] = dtype_of(query.expr->type);
    row["fill"] = number(made.fill);
    row["sparse"] = made.sparse;
    row["format"] = made.format;
    row["temporary"] = made.temporary;
    row["stored"] = lazy::to_string(lazy::support_of(query.expr));
    queries.append(row);
  }
  for (std::size_t t = 0; t < key.tables.size(); ++t)
    tables.append(py::make_tuple(table_name(t), key.tables[t]->kind, key.tables[t]->object));
  const std::map<std::string, std::string> names = names_of_tables(key);
  for (std::size_t q = 0; q < arrays.size(); ++q) {
    const lazy::Array& array = arrays[q]->array;
    written.append(
        lazy::to_string(lazy::Query{result_name(q, arrays.size()), array.axes(), with_names(array.expr(), names), {}}));
  }
  py::dict answer;
  answer["queries"] = queries;
  answer["tables"] = tables;
  answer["written"] = written;
  answer["steps"] = ready->planned.steps;
  answer["sized"] = ready->planned.sized;
  if (ready->planned.planning) {
    std::string why;
    {
      const WithoutGil others_run;
      why = lazy::to_string(python::why(ready->wanted, *ready->planned.planning));
    }
    answer["choice"] = why;
  }
  answer["text"] = ready->planned.options.text;
  answer["program"] = ready->program;
  return answer;
}

}  // namespace

void bind_compute(py::module_& module) {
  module.def("compute", compute);
  module.def("plan", plan);
  module.def("programs", [] { return cache().size(); });
  module.def("forget_programs", [] { cache().clear(); });
}

}  // namespace trellis::python
