// Results on their way to Python, and what is said of them.
#include <pybind11/stl.h>

#include "engine/run/execute.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/text/sequence.hpp"
#include "repl/python/array.hpp"
#include "repl/python/hooks.hpp"
#include "repl/python/program.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

double bytes_of(const Operand& operand) {
  const auto value = static_cast<double>(format::size_of(operand.type));
  if (operand.kind == Operand::Kind::array) return static_cast<double>(operand.tensor->bytes());
  double count = 1;
  if (!operand.sparse()) {
    for (int d = 0; d < operand.rank; ++d) count *= static_cast<double>(operand.shape[static_cast<std::size_t>(d)]);
    return count * value;
  }
  double bytes = 0;
  const double width = operand.wide ? 8 : 4;
  for (const tensor::BorrowedLevel& level : operand.level)
    if (level.coordinates)
      bytes += static_cast<double>(level.entries) * width, count = static_cast<double>(level.entries);
  if (operand.kind == Operand::Kind::bsr) count *= static_cast<double>(operand.block[0] * operand.block[1]);
  if (operand.kind == Operand::Kind::dia) count *= static_cast<double>(operand.shape[1]);
  return bytes + count * value;
}

}  // namespace

void mind_density(const Compiled& compiled, const Template& program, const Lent& lent,
                  const std::vector<std::int64_t>& sizes) {
  bool some_sparse = false;
  double operands = 0;
  for (const Operand* one : lent.given)
    if (one) operands += bytes_of(*one), some_sparse = some_sparse || one->sparse();
  if (!some_sparse) return;
  for (const int slot : compiled.results) {
    const Compiled::Tensor& tensor = compiled.tensors[static_cast<std::size_t>(slot)];
    const std::string& name = tensor.info.name;
    const bool asked_for = program.options().formats.contains(name) || program.names().is_declared(name);
    if (!tensor.info.format.all_dense() || asked_for) continue;
    auto bytes = static_cast<double>(format::size_of(tensor.info.type));
    std::string shape;
    for (const Form& form : tensor.shape) {
      const std::int64_t size = compiled.sizes.value(form, sizes);
      bytes *= static_cast<double>(size);
      shape += (shape.empty() ? "" : " x ") + std::to_string(size);
    }
    const auto density =
        tensor::density_of(static_cast<std::size_t>(std::min(bytes, 0x1p62)), static_cast<std::size_t>(operands));
    if (density == tensor::Density::fair) continue;
    const std::string what = "result " + name + " is dense, " + shape + ", " +
                             tensor::human_bytes(static_cast<std::size_t>(bytes)) + ", and its operands are " +
                             tensor::human_bytes(static_cast<std::size_t>(operands));
    const bool lazy = !program.options().produced.empty();
    if (density == tensor::Density::far_larger) throw refusal("E0702", what, (lazy ? "format" : name) + "=\"dense\"");
    hooks().warn("W0702", what);
  }
}

PyObject* hand_over(std::vector<py::object> results, const std::vector<std::string>& names, const Lent& lent) {
  PyObject* like = Py_None;
  for (std::size_t p = 0; p < lent.given.size() && like == Py_None; ++p)
    if (lent.given[p] && lent.given[p]->sparse()) like = lent.objects[p];
  for (py::object& one : results)
    if (!PyArray_Check(one.ptr()) && !PyArray_CheckScalar(one.ptr()))
      one = hooks().result(one, py::handle(like), lent.copies);
  if (results.size() == 1) return results.front().release().ptr();
  py::tuple all(results.size());
  for (std::size_t k = 0; k < results.size(); ++k) all[k] = std::move(results[k]);
  return hooks().several(py::tuple(py::cast(names)), all).release().ptr();
}

Refused fault(const run::Outcome& outcome, const Compiled& compiled, const Compilation& compilation) {
  Refused refused{{}, compiled.session->sources(), true};
  const std::string name = "kernel " + compilation.kernel.name;
  if (outcome.status == run::Outcome::Status::out_of_memory) {
    refused.diagnostics.error("E0503", compilation.kernel.span, name + " ran out of memory");
    return refused;
  }
  if (outcome.fault == emit::FaultKind::none) {  // what the kernel takes was broken since it was looked at
    refused.diagnostics.error("E0502", compilation.kernel.span, name + " was not entered: " + outcome.message);
    return refused;
  }
  const auto& sites = compilation.module.sites;
  const bool known = outcome.site >= 0 && static_cast<std::size_t>(outcome.site) < sites.size();
  const text::Span site = known ? sites[static_cast<std::size_t>(outcome.site)].span : text::Span();
  refused.diagnostics
      .error("E0502", site.known() ? site : compilation.kernel.span,
             name + " stopped: " + run::fault_message(compilation.module, outcome.fault, outcome.site))
      .notes.push_back({{}, "nothing was changed"});
  return refused;
}

}  // namespace trellis::python
