#pragma once
// trellis.Array in C++: a tensor of the engine that Python holds.

#include <pybind11/pybind11.h>

#include "engine/tensor/tensor.hpp"
#include "repl/python/numpy.hpp"

namespace trellis::python {

struct Array {
  tensor::Tensor tensor;
};

/// The object is an Array, or of a class derived from it.
const tensor::Tensor& array_of(PyObject* object);

/// A new object of Python's class Array. Throws what Python raises.
pybind11::object to_python(tensor::Tensor tensor);

/// The tensor's elements as an ndarray, which shares its memory when it is dense; throws std::bad_alloc.
pybind11::object to_ndarray(const tensor::Tensor& tensor);

/// As Python's number or truth value.
pybind11::object number(const format::Value& value);
/// NumPy's dtype.
pybind11::object dtype_of(format::ScalarType type);

void bind_array(pybind11::module_& module);

}  // namespace trellis::python
