#define TRELLIS_FILLS_NUMPY_API
#include "repl/python/numpy.hpp"

namespace trellis::python {

using format::ScalarType;

bool import_numpy() { return _import_array() >= 0; }

std::optional<ScalarType> scalar_type_of(PyArrayObject* array) {
  const PyArray_Descr* const descr = PyArray_DESCR(array);
  if (!PyArray_ISNBO(descr->byteorder)) return std::nullopt;
  switch (descr->type_num) {
    case NPY_DOUBLE: return ScalarType::f64;
    case NPY_FLOAT: return ScalarType::f32;
    case NPY_SHORT: return ScalarType::i16;
    case NPY_INT: return ScalarType::i32;
    case NPY_LONG:
    case NPY_LONGLONG: return ScalarType::i64;
    case NPY_UINT: return ScalarType::u32;
    case NPY_ULONG:
    case NPY_ULONGLONG: return ScalarType::u64;
    case NPY_UBYTE: return ScalarType::u8;
    case NPY_BOOL: return ScalarType::boolean;
    default: return std::nullopt;
  }
}

int numpy_type(ScalarType type) {
  switch (type) {
    case ScalarType::f64: return NPY_DOUBLE;
    case ScalarType::f32: return NPY_FLOAT;
    case ScalarType::i64: return NPY_INT64;
    case ScalarType::i32: return NPY_INT32;
    case ScalarType::i16: return NPY_INT16;
    case ScalarType::u64: return NPY_UINT64;
    case ScalarType::u32: return NPY_UINT32;
    case ScalarType::u8: return NPY_UINT8;
    case ScalarType::boolean: return NPY_BOOL;
  }
  return NPY_DOUBLE;
}

std::shared_ptr<const void> keep_alive(PyObject* object) {
  Py_INCREF(object);
  return std::shared_ptr<const void>(object, [](PyObject* kept) {
    if (!Py_IsInitialized()) return;
    const PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(kept);
    PyGILState_Release(state);
  });
}

Ref array_view(ScalarType type, int rank, const npy_intp* shape, void* data, std::shared_ptr<const void> owner) {
  Ref view(PyArray_SimpleNewFromData(rank, shape, numpy_type(type), data));
  if (!view) return view;
  auto* const held = new std::shared_ptr<const void>(std::move(owner));
  PyObject* const capsule = PyCapsule_New(held, nullptr, [](PyObject* dying) {
    delete static_cast<std::shared_ptr<const void>*>(PyCapsule_GetPointer(dying, nullptr));
  });
  if (!capsule) {
    delete held;
    return Ref();
  }
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(view.get()), capsule) < 0) return Ref();
  return view;
}

}  // namespace trellis::python
