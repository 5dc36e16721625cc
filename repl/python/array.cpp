#include "repl/python/array.hpp"

#include <pybind11/stl.h>

#include <new>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/tensor/convert.hpp"
#include "repl/python/hooks.hpp"

namespace trellis::python {
namespace py = pybind11;

py::object number(const format::Value& value) {
  if (format::is_floating(value.type)) return py::float_(value.real);
  if (format::is_boolean(value.type)) return py::bool_(value.integer != 0);
  if (value.type == format::ScalarType::u64) return py::int_(static_cast<std::uint64_t>(value.integer));
  return py::int_(value.integer);
}

py::object dtype_of(format::ScalarType type) {
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyArray_DescrFromType(numpy_type(type))));
}

namespace {

py::object view_of(const tensor::Tensor& tensor, format::ScalarType type, std::size_t count, void* data) {
  const auto length = static_cast<npy_intp>(count);
  auto owner = std::make_shared<tensor::Tensor>(tensor);
  Ref view = array_view(type, 1, &length, data, std::move(owner));
  if (!view) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(view.release());
}

/// {"level": "compressed", "size": 3, "positions": …}: what a level stores, as views.
py::dict level_of(const tensor::Tensor& tensor, int l) {
  using format::Array;
  const format::Level& level = tensor.format().levels[static_cast<std::size_t>(l)];
  const format::Facts facts = format::facts(level);
  py::dict found;
  found["level"] = format::to_string(level);
  found["stores"] = format::stored_by(tensor.format(), static_cast<std::size_t>(l));
  found["size"] = format::level_sizes(tensor.format(), tensor.shape())[static_cast<std::size_t>(l)];
  const std::pair<const char*, Array> arrays[] = {{"positions", Array::positions},
                                                  {"coordinates", Array::coordinates},
                                                  {"table", Array::table},
                                                  {"starts", Array::starts},
                                                  {"offsets", Array::offsets}};
  for (const auto& [name, which] : arrays) {
    void* const data = tensor.array(l, which);
    if (!data) continue;
    const bool bytes = which == Array::table && facts.locate == format::Locate::direct;
    const auto type = bytes ? format::ScalarType::u8 : facts.wide ? format::ScalarType::i64 : format::ScalarType::i32;
    found[name] = view_of(tensor, type, tensor.array_bytes(l, which) / format::size_of(type), data);
  }
  return found;
}

py::object values_of(const Array& array) {
  const tensor::Tensor& tensor = array.tensor;
  if (!tensor.data()) return py::none();
  const std::size_t count = tensor.array_bytes(-1, format::Array::values) / format::size_of(tensor.type());
  return view_of(tensor, tensor.type(), count, tensor.data());
}

}  // namespace

const tensor::Tensor& array_of(PyObject* object) { return py::cast<const Array&>(py::handle(object)).tensor; }

py::object to_python(tensor::Tensor tensor) { return hooks().array(py::cast(Array{std::move(tensor)})); }

py::object to_ndarray(const tensor::Tensor& tensor) {
  auto dense = std::make_shared<tensor::Tensor>(tensor);
  if (!tensor.dense() || !format::is_row_major(tensor.format())) {
    auto made = tensor::convert(tensor, format::Format::dense(tensor.rank()), tensor::ExplicitFills::kept);
    if (!made) throw std::bad_alloc();
    *dense = std::move(*made);
  }
  std::array<npy_intp, NPY_MAXDIMS> shape{};
  for (std::size_t d = 0; d < dense->shape().size(); ++d) shape[d] = dense->shape()[d];
  void* const data = dense->data();
  const int rank = dense->rank();
  const format::ScalarType type = dense->type();
  Ref view = array_view(type, rank, shape.data(), data, std::move(dense));
  if (!view) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(view.release());
}

void bind_array(py::module_& module) {
  py::class_<Array>(module, "Array")
      .def(py::init<const Array&>())
      .def_property_readonly("shape", [](const Array& a) { return py::tuple(py::cast(a.tensor.shape())); })
      .def_property_readonly("dtype", [](const Array& a) { return dtype_of(a.tensor.type()); })
      .def_property_readonly("fill", [](const Array& a) { return number(a.tensor.fill()); })
      .def_property_readonly("format", [](const Array& a) { return format::to_string(a.tensor.format()); })
      .def_property_readonly("entries", [](const Array& a) { return a.tensor.entries(); })
      .def_property_readonly("nbytes", [](const Array& a) { return a.tensor.bytes(); })
      .def_property_readonly("is_dense", [](const Array& a) { return a.tensor.format().all_known(); })
      .def_property_readonly("has_layout", [](const Array& a) { return a.tensor.format().layout != nullptr; })
      .def_property_readonly("order",
                             [](const Array& a) {
                               std::vector<std::size_t> order;
                               for (std::size_t l = 0; l < a.tensor.format().levels.size(); ++l)
                                 order.push_back(format::dimension_of(a.tensor.format(), l));
                               return py::tuple(py::cast(order));
                             })
      .def_property_readonly("values", values_of)
      .def_property_readonly("levels",
                             [](const Array& a) {
                               py::list levels;
                               for (int l = 0; l < a.tensor.levels(); ++l) levels.append(level_of(a.tensor, l));
                               return py::tuple(levels);
                             })
      .def("todense", [](const Array& a) { return to_ndarray(a.tensor); });
}

}  // namespace trellis::python
