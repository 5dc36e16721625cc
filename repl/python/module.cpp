// The module trellis._core: classes by pybind11, calls by METH_FASTCALL.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/storage.hpp"
#include "repl/python/array.hpp"
#include "repl/python/ask.hpp"
#include "repl/python/formats.hpp"
#include "repl/python/hooks.hpp"
#include "repl/python/lazy.hpp"
#include "repl/python/view.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

/// Whatever is thrown becomes a Python exception; null then.
template <class Work>
PyObject* guarded(Work&& work) {
  try {
    return work();
  } catch (const Refused& refused) { raise(refused); } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) { error.set_error(); } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) { PyErr_SetString(PyExc_SystemError, error.what()); }
  return nullptr;
}

/// call(program, *operands): the way that every call takes which says nothing but its operands.
PyObject* call(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&]() -> PyObject* {
    if (count < 1) throw py::type_error("call(program, *operands)");
    static const RunOptions& usual = *new RunOptions;  // Python is gone when statics end
    return py::cast<Program&>(py::handle(arguments[0]))
        .call({arguments + 1, static_cast<std::size_t>(count - 1)}, usual);
  });
}

PyMethodDef call_method = {"call", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)), METH_FASTCALL,
                           "call(program, *operands): runs it on them, in the order of `parameters`"};

py::object run(Program& program, const py::list& objects, const py::dict& out, bool isolate, double seconds,
               std::size_t memory, bool check, const py::dict& parameters) {
  RunOptions options;
  options.isolate = isolate;
  options.seconds = seconds;
  options.memory = memory;
  options.check = check;
  options.out = out;
  for (const auto& [name, value] : parameters) {
    const auto key = name.cast<std::string>();
    if (py::isinstance<py::int_>(value))
      options.integers[key] = format::Value::of_integer(format::ScalarType::i64, value.cast<std::int64_t>());
    else if (PyNumber_Check(value.ptr()) && !PySequence_Check(value.ptr())) options.reals[key] = value.cast<double>();
    else throw py::type_error("the program has no operand " + key + ", and a parameter is a number");
  }
  const std::vector<PyObject*> arguments = pointers(objects);
  return py::reinterpret_steal<py::object>(program.call(arguments, options));
}

/// A dense array has every element, so it may be said to have any fill.
tensor::Tensor with_fill(tensor::Tensor tensor, const format::Value& fill) {
  if (tensor.fill() == fill) return tensor;
  if (!tensor.dense())
    throw refusal("E0704", "what a sparse array does not store is " + format::to_string(tensor.fill()) +
                               "; it cannot be made " + format::to_string(fill));
  const std::shared_ptr<tensor::Storage> storage(&tensor.storage(), [kept = tensor](tensor::Storage*) {});
  return tensor::Tensor::of(tensor.type(), tensor.shape(), tensor.format(), fill, storage);
}

/// The object as a tensor, in its own format or another one.
Array as_tensor(const py::object& object, const std::string& format) {
  Operand operand;
  Ref owner = Ref::borrowed(object.ptr());
  switch (view(object.ptr(), operand)) {
    case Viewed::taken: break;
    case Viewed::failed: throw py::error_already_set();
    case Viewed::copy: {
      const py::tuple made = hooks().lend(object, "", false);
      owner = Ref::borrowed(py::object(made[0]).ptr());
      operand = Operand();
      if (view(owner.get(), operand) != Viewed::taken) throw py::type_error("this is no array that can be lent");
      break;
    }
  }
  auto tensor = to_tensor(operand, format_named(format_text(operand), operand.rank), owner.get());
  if (!tensor) throw std::bad_alloc();
  if (format.empty() || is_stored_as(operand, format)) return {std::move(*tensor)};
  const std::string type = says_type(format) ? "" : std::string(format::name_of(operand.type)) + " ";
  const Declared wanted = declared(type + format, operand.rank);
  if (wanted.fill) tensor = with_fill(std::move(*tensor), format::cast(operand.type, *wanted.fill));
  std::optional<tensor::Tensor> made;
  {
    const WithoutGil others_run;
    made = tensor::convert(*tensor, wanted.format,
                           tensor->dense() ? tensor::ExplicitFills::dropped : tensor::ExplicitFills::kept);
  }
  if (!made) throw refusal("E0411", "it cannot be laid out as " + format);
  return {std::move(*made)};
}

/// The same entries around another fill.
Array with_background(const Array& array, const py::object& fill) {
  const tensor::Tensor& tensor = array.tensor;
  const format::Value value = py::isinstance<py::float_>(fill)
                                  ? format::Value::of(tensor.type(), fill.cast<double>())
                                  : format::Value::of_integer(tensor.type(), fill.cast<std::int64_t>());
  const std::shared_ptr<tensor::Storage> storage(&tensor.storage(), [kept = tensor](tensor::Storage*) {});
  return {tensor::Tensor::of(tensor.type(), tensor.shape(), tensor.format(), value, storage)};
}

py::list names(const std::vector<Parameter>& parameters, bool required) {
  py::list found;
  for (const Parameter& p : parameters)
    if (p.required == required) found.append(p.name);
  return found;
}

Options options_of(const std::string& text, const std::string& functions, const std::string& schedule,
                   const std::string& order, const std::map<std::string, std::string>& formats, const std::string& tier,
                   int threads) {
  const Tier chosen = tier == "native" ? Tier::native : tier == "jit" ? Tier::jit : Tier::automatic;
  return {text, schedule, functions, order, formats, chosen, threads};
}

void bind_functions(py::module_& module) {
  module.def("set_hooks", [](py::object error, py::object lend, py::object array, py::object result, py::object several,
                             py::object warn, const py::object& classify) {
    hooks() = {std::move(error),  std::move(lend),    std::move(array),
               std::move(result), std::move(several), std::move(warn)};
    set_classifier(classify.ptr());
  });
  module.def("as_tensor", as_tensor);
  module.def("with_background", with_background);
  module.def("stop", [] {
    const py::gil_scoped_release others_run;
    Tiers::stop_all();
  });
  const py::object function = py::reinterpret_steal<py::object>(PyCFunction_New(&call_method, nullptr));
  module.attr("call") = function;
}

}  // namespace

void bind_program(py::module_& module) {
  py::class_<Program, std::shared_ptr<Program>> type(module, "Program");
  type.def(py::init([](const std::string& text, const std::string& functions, const std::string& schedule,
                       const std::string& order, const std::map<std::string, std::string>& formats,
                       const std::string& tier, int threads) {
    return std::make_shared<Program>(options_of(text, functions, schedule, order, formats, tier, threads));
  }));
  type.def("run", run)
      .def_property_readonly("operands", [](Program& p) { return names(p.definition().parameters(), true); })
      .def_property_readonly("optional", [](Program& p) { return names(p.definition().parameters(), false); })
      .def_property_readonly("results", [](Program& p) { return p.definition().names().results; })
      .def_property_readonly("declared", [](Program& p) { return p.definition().names().declared; })
      .def_property_readonly("copies", [](Program& p) { return py::tuple(p.copies()); })
      .def("prepare", [](Program& p, const py::list& objects) { p.specialised(pointers(objects)); })
      .def("compile", [](Program& p) { p.last(); });
  bind_questions(type);
}

}  // namespace trellis::python

PYBIND11_MODULE(_core, module) {
  using namespace trellis::python;
  module.doc() = "The engine of Trellis, for the package trellis.";
  if (!import_numpy()) throw pybind11::error_already_set();
  pybind11::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Refused& refused) { raise(refused); }
  });
  bind_array(module);
  bind_program(module);
  bind_functions(module);
  bind_lazy(module);
  bind_compute(module);
}
