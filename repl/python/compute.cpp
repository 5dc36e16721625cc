// Lazy arrays computed, planned, and measured: what the package calls.
#include <pybind11/stl.h>

#include "engine/lazy/fills.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/lazy/support.hpp"
#include "repl/python/array.hpp"
#include "repl/python/ready.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

py::object compute(const py::list& list, const std::vector<std::string>& formats, bool exact, const std::string& tier,
                   bool isolate, double seconds, std::size_t memory) {
  const std::vector<const Lazy*> arrays = arrays_of(list);
  StructureKey key = structure_key(arrays);
  const std::shared_ptr<const Ready> ready = ready_for(arrays, key, asked_of(formats, exact, tier));
  RunOptions options;
  options.isolate = isolate;
  options.seconds = seconds;
  options.memory = memory;
  std::map<std::string, double> stored;
  options.stored = &stored;
  py::object results = call(*ready, key, options);
  learn(*ready, key, stored);
  return results;
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
  for (const lazy::Query& query : written_queries(arrays, key)) written.append(lazy::to_string(query));
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

std::vector<std::shared_ptr<Ready>> ways(const py::list& list, const std::vector<std::string>& formats, bool exact,
                                         const std::string& tier, std::size_t most) {
  return ways_to_compute(arrays_of(list), asked_of(formats, exact, tier), most);
}

py::object run_way(const std::shared_ptr<Ready>& way, const py::list& list) {
  RunOptions options;
  return call(*way, structure_key(arrays_of(list)), options);
}

void keep_way(const std::shared_ptr<Ready>& way, const py::list& list, const std::vector<std::string>& formats,
              bool exact, const std::string& tier) {
  keep(arrays_of(list), asked_of(formats, exact, tier), way);
}

std::string outline_of(const Ready& way) {
  if (way.planned.planning) return way.planned.planning->chosen.outline;
  std::string all;
  for (const lazy::Query& query : way.planned.plan.queries) all += (all.empty() ? "" : "; ") + lazy::to_string(query);
  return all;
}

/// Seconds.
std::optional<double> estimate_of(const Ready& way) {
  if (!way.planned.planning) return std::nullopt;
  return way.planned.planning->chosen.nanoseconds() / 1e9;
}

}  // namespace

void bind_compute(py::module_& module) {
  module.def("compute", compute);
  module.def("plan", plan);
  module.def("programs", count_ready);
  module.def("forget_programs", forget_ready);
  py::class_<Ready, std::shared_ptr<Ready>>(module, "Way")
      .def_property_readonly("plan", outline_of)
      .def_property_readonly("estimated", estimate_of);
  module.def("ways", ways);
  module.def("run_way", run_way);
  module.def("keep_way", keep_way);
}

}  // namespace trellis::python
