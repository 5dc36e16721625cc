#pragma once
// Python's and NumPy's C APIs. One file fills NumPy's table of functions (numpy.cpp); all others share it.

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL trellis_numpy_api
#ifndef TRELLIS_FILLS_NUMPY_API
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <memory>
#include <optional>
#include <utility>

#include "engine/format/scalar.hpp"

namespace trellis::python {

/// NumPy's table, once in a process; false with a Python exception.
bool import_numpy();

/// Empty for a type of elements that is not ours, such as complex numbers or another byte order.
std::optional<format::ScalarType> scalar_type_of(PyArrayObject* array);
int numpy_type(format::ScalarType type);

/// A reference that is given back at the end of its scope, which holds the GIL.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}  ///< takes a new reference
  static Ref borrowed(PyObject* object) {
    Py_XINCREF(object);
    return Ref(object);
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// Keeps a Python object for whoever has no GIL: the last holder takes it to let go.
std::shared_ptr<const void> keep_alive(PyObject* object);

/// A view of memory that `owner` keeps; C order. Empty with a Python exception.
Ref array_view(format::ScalarType type, int rank, const npy_intp* shape, void* data, std::shared_ptr<const void> owner);

/// Python code runs meanwhile.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() { PyEval_RestoreThread(state_); }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace trellis::python
