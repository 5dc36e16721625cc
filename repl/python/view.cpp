#include "repl/python/view.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "repl/python/array.hpp"

namespace trellis::python {
namespace {

/// Names of attributes, made once.
struct Names {
  PyObject* const data = PyUnicode_InternFromString("data");
  PyObject* const indices = PyUnicode_InternFromString("indices");
  PyObject* const indptr = PyUnicode_InternFromString("indptr");
  PyObject* const row = PyUnicode_InternFromString("row");
  PyObject* const col = PyUnicode_InternFromString("col");
  PyObject* const coords = PyUnicode_InternFromString("coords");
  PyObject* const offsets = PyUnicode_InternFromString("offsets");
  PyObject* const shape = PyUnicode_InternFromString("shape");
  PyObject* const own_shape = PyUnicode_InternFromString("_shape");  // SciPy's property `shape` is made of it
  PyObject* const fill_value = PyUnicode_InternFromString("fill_value");
};
const Names& names() {
  static const Names all;
  return all;
}

PyObject* classifier = nullptr;

/// Of a type that is not NumPy's; -1: unknown, -2: a Python exception.
int kind_of(PyTypeObject* type) {
  static std::unordered_map<PyTypeObject*, int> known;
  if (const auto found = known.find(type); found != known.end()) return found->second;
  const Ref answer(PyObject_CallOneArg(classifier, reinterpret_cast<PyObject*>(type)));
  const long kind = answer ? PyLong_AsLong(answer.get()) : -1;
  if (PyErr_Occurred()) return -2;
  Py_INCREF(type);
  return known[type] = static_cast<int>(kind);
}

PyArrayObject* as_array(const Ref& object) { return reinterpret_cast<PyArrayObject*>(object.get()); }

/// An attribute that is an array of so many dimensions, in C order; null: it is no such array.
PyArrayObject* plain(const Ref& object, int rank) {
  if (!object || !PyArray_Check(object.get())) return nullptr;
  PyArrayObject* const array = as_array(object);
  const bool plain = PyArray_NDIM(array) == rank && PyArray_IS_C_CONTIGUOUS(array) && PyArray_ISALIGNED(array);
  return plain ? array : nullptr;
}

/// 4 or 8 bytes; 0: not our indices.
int index_bytes(PyArrayObject* array) {
  const auto type = scalar_type_of(array);
  if (type == format::ScalarType::i32) return 4;
  return type == format::ScalarType::i64 ? 8 : 0;
}

Viewed view_dense(PyArrayObject* array, Operand& operand) {
  const auto type = scalar_type_of(array);
  operand.rank = PyArray_NDIM(array);
  if (!type || operand.rank > most_dimensions || !PyArray_ISALIGNED(array)) return Viewed::copy;
  operand.type = *type;
  operand.fill = {*type, 0, 0};
  operand.levels = operand.rank;
  operand.values = PyArray_DATA(array);
  std::copy_n(PyArray_DIMS(array), operand.rank, operand.shape.begin());
  std::iota(operand.order.begin(), operand.order.end(), std::uint8_t{0});
  if (PyArray_IS_C_CONTIGUOUS(array)) return Viewed::taken;

  const npy_intp* const strides = PyArray_STRIDES(array);
  std::stable_sort(operand.order.begin(), operand.order.begin() + operand.rank,
                   [&](std::uint8_t a, std::uint8_t b) { return strides[a] > strides[b]; });
  npy_intp step = PyArray_ITEMSIZE(array);
  for (int level = operand.rank; level-- > 0;) {
    const auto dimension = operand.order[static_cast<std::size_t>(level)];
    if (operand.shape[dimension] != 1 && strides[dimension] != step) return Viewed::copy;
    step *= operand.shape[dimension];
  }
  return Viewed::taken;
}

bool take_shape(PyObject* object, int rank, Operand& operand) {
  Ref shape(PyObject_GetAttr(object, names().own_shape));
  if (!shape) {
    PyErr_Clear();
    shape = Ref(PyObject_GetAttr(object, names().shape));
  }
  if (!shape || !PyTuple_Check(shape.get()) || PyTuple_GET_SIZE(shape.get()) > most_dimensions) return false;
  operand.rank = static_cast<int>(PyTuple_GET_SIZE(shape.get()));
  for (int d = 0; d < operand.rank; ++d)
    operand.shape[static_cast<std::size_t>(d)] = PyLong_AsLongLong(PyTuple_GET_ITEM(shape.get(), d));
  return !PyErr_Occurred() && (rank < 0 || rank == operand.rank);
}

bool take_values(PyArrayObject* data, Operand& operand) {
  const auto type = data ? scalar_type_of(data) : std::nullopt;
  if (!type) return false;
  operand.type = *type;
  operand.fill = {*type, 0, 0};
  operand.values = PyArray_DATA(data);
  return true;
}

std::int64_t number_at(PyArrayObject* array, std::int64_t k, bool wide) {
  const void* const data = PyArray_DATA(array);
  return wide ? static_cast<const std::int64_t*>(data)[k] : static_cast<const std::int32_t*>(data)[k];
}

/// csr, csc, bsr.
Viewed view_compressed(PyObject* object, Operand& operand) {
  operand.held = {Ref(PyObject_GetAttr(object, names().data)), Ref(PyObject_GetAttr(object, names().indices)),
                  Ref(PyObject_GetAttr(object, names().indptr)), Ref()};
  if (!operand.held[2] || !take_shape(object, 2, operand)) return PyErr_Occurred() ? Viewed::failed : Viewed::copy;
  const bool blocks = operand.kind == Operand::Kind::bsr;
  PyArrayObject* const data = plain(operand.held[0], blocks ? 3 : 1);
  PyArrayObject* const indices = plain(operand.held[1], 1);
  PyArrayObject* const indptr = plain(operand.held[2], 1);
  const int width = indices ? index_bytes(indices) : 0;
  if (!take_values(data, operand) || !indptr || width == 0 || index_bytes(indptr) != width) return Viewed::copy;
  operand.wide = width == 8;
  if (blocks) operand.block = {PyArray_DIM(data, 1), PyArray_DIM(data, 2)};
  const bool by_columns = operand.kind == Operand::Kind::csc;
  const std::int64_t outer = operand.shape[by_columns ? 1 : 0] / (blocks ? operand.block[0] : 1);
  if (PyArray_DIM(indptr, 0) != outer + 1) return Viewed::copy;
  const std::int64_t entries = number_at(indptr, outer, operand.wide);
  if (entries < 0 || PyArray_DIM(indices, 0) < entries || PyArray_DIM(data, 0) < entries) return Viewed::copy;
  operand.order = {static_cast<std::uint8_t>(by_columns), static_cast<std::uint8_t>(!by_columns)};
  operand.levels = blocks ? 4 : 2;
  operand.level[1] = {.positions = PyArray_DATA(indptr), .coordinates = PyArray_DATA(indices), .entries = entries};
  operand.index_arrays = {operand.held[2].get(), operand.held[1].get()};
  return Viewed::taken;
}

/// Positions of the one fiber at the root: {0, entries}, at a place that lives as long as the index arrays.
const void* root_positions(std::int64_t entries, Operand& operand) {
  const npy_intp two = 2;
  Ref positions(PyArray_SimpleNew(1, &two, operand.wide ? NPY_INT64 : NPY_INT32));
  if (!positions) return nullptr;
  void* const data = PyArray_DATA(as_array(positions));
  if (operand.wide) static_cast<std::int64_t*>(data)[0] = 0, static_cast<std::int64_t*>(data)[1] = entries;
  else
    static_cast<std::int32_t*>(data)[0] = 0, static_cast<std::int32_t*>(data)[1] = static_cast<std::int32_t>(entries);
  operand.held[3] = std::move(positions);
  return data;
}

/// The levels of a list of tuples, an array of coordinates for each dimension.
Viewed put_tuples(const std::array<const void*, most_dimensions>& coordinates, std::int64_t entries, Operand& operand) {
  const void* const root = root_positions(entries, operand);
  if (!root) return Viewed::failed;
  operand.levels = operand.rank;
  std::iota(operand.order.begin(), operand.order.end(), std::uint8_t{0});
  for (std::size_t d = 0; d < static_cast<std::size_t>(operand.rank); ++d)
    operand.level[d] = {.coordinates = coordinates[d], .entries = entries};
  operand.level[0].positions = root;
  return Viewed::taken;
}

Viewed view_scipy_coo(PyObject* object, Operand& operand) {
  operand.held[0] = Ref(PyObject_GetAttr(object, names().data));
  operand.held[1] = Ref(PyObject_GetAttr(object, names().row));
  operand.held[2] = Ref(PyObject_GetAttr(object, names().col));
  if (!operand.held[2] || !take_shape(object, 2, operand)) return PyErr_Occurred() ? Viewed::failed : Viewed::copy;
  PyArrayObject* const data = plain(operand.held[0], 1);
  PyArrayObject* const row = plain(operand.held[1], 1);
  PyArrayObject* const col = plain(operand.held[2], 1);
  const int width = row ? index_bytes(row) : 0;
  if (!take_values(data, operand) || !col || width == 0 || index_bytes(col) != width) return Viewed::copy;
  const std::int64_t entries = PyArray_DIM(data, 0);
  if (PyArray_DIM(row, 0) != entries || PyArray_DIM(col, 0) != entries) return Viewed::copy;
  operand.wide = width == 8;
  operand.index_arrays = {operand.held[1].get(), operand.held[2].get()};
  return put_tuples({PyArray_DATA(row), PyArray_DATA(col)}, entries, operand);
}

/// PyData's: one array of coordinates, a row for each dimension, and a fill.
Viewed view_pydata_coo(PyObject* object, Operand& operand) {
  operand.held[0] = Ref(PyObject_GetAttr(object, names().data));
  operand.held[1] = Ref(PyObject_GetAttr(object, names().coords));
  const Ref fill(PyObject_GetAttr(object, names().fill_value));
  if (!operand.held[1] || !fill || !take_shape(object, -1, operand))
    return PyErr_Occurred() ? Viewed::failed : Viewed::copy;
  PyArrayObject* const data = plain(operand.held[0], 1);
  PyArrayObject* const coords = plain(operand.held[1], 2);
  if (!take_values(data, operand) || !coords || index_bytes(coords) == 0 || operand.rank == 0) return Viewed::copy;
  const double number = PyFloat_AsDouble(fill.get());
  if (PyErr_Occurred()) return Viewed::failed;
  operand.fill = format::Value::of(operand.type, number);
  operand.wide = index_bytes(coords) == 8;
  const std::int64_t entries = PyArray_DIM(coords, 1);
  if (PyArray_DIM(coords, 0) != operand.rank || PyArray_DIM(data, 0) != entries) return Viewed::copy;
  std::array<const void*, most_dimensions> coordinates{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(operand.rank); ++d)
    coordinates[d] =
        static_cast<const char*>(PyArray_DATA(coords)) + static_cast<std::int64_t>(d) * entries * index_bytes(coords);
  operand.index_arrays = {operand.held[1].get(), operand.held[1].get()};
  return put_tuples(coordinates, entries, operand);
}

/// Offsets rise, and each diagonal is as long as a row: then ours are those less what format::level_ranges counts from,
/// which is -n.
Viewed view_dia(PyObject* object, Operand& operand) {
  operand.held[0] = Ref(PyObject_GetAttr(object, names().data));
  operand.held[1] = Ref(PyObject_GetAttr(object, names().offsets));
  if (!operand.held[1] || !take_shape(object, 2, operand)) return PyErr_Occurred() ? Viewed::failed : Viewed::copy;
  PyArrayObject* const data = plain(operand.held[0], 2);
  PyArrayObject* const offsets = plain(operand.held[1], 1);
  const int width = offsets ? index_bytes(offsets) : 0;
  if (!take_values(data, operand) || width == 0 || PyArray_DIM(data, 1) != operand.shape[1]) return Viewed::copy;
  operand.wide = width == 8;
  const std::int64_t count = PyArray_DIM(offsets, 0), rows = operand.shape[0], columns = operand.shape[1];
  if (PyArray_DIM(data, 0) != count) return Viewed::copy;
  const npy_intp length = count;
  Ref ours(PyArray_SimpleNew(1, &length, operand.wide ? NPY_INT64 : NPY_INT32));
  if (!ours) return Viewed::failed;
  std::int64_t before = -rows;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t offset = number_at(offsets, k, operand.wide);
    if (offset <= before || offset >= columns) return Viewed::copy;
    before = offset;
    void* const to = PyArray_DATA(as_array(ours));
    if (operand.wide) static_cast<std::int64_t*>(to)[k] = offset + rows;
    else static_cast<std::int32_t*>(to)[k] = static_cast<std::int32_t>(offset + rows);
  }
  operand.levels = 2;
  operand.level[0] = {.coordinates = PyArray_DATA(as_array(ours)), .entries = count};
  operand.held[2] = std::move(ours);
  if (!(operand.level[0].positions = root_positions(count, operand))) return Viewed::failed;
  return Viewed::taken;
}

Viewed view_array(PyObject* object, Operand& operand) {
  const tensor::Tensor& tensor = array_of(object);
  if (tensor.rank() > most_dimensions || tensor.levels() > most_levels) return Viewed::copy;
  operand.tensor = &tensor;
  operand.type = tensor.type();
  operand.fill = tensor.fill();
  operand.rank = tensor.rank();
  std::copy(tensor.shape().begin(), tensor.shape().end(), operand.shape.begin());
  operand.levels = tensor.levels();
  for (int l = 0; l < operand.levels; ++l) {
    using format::Array;
    const auto array = [&](Array which) { return tensor.array(l, which); };
    operand.level[static_cast<std::size_t>(l)] = {.positions = array(Array::positions),
                                                  .coordinates = array(Array::coordinates),
                                                  .starts = array(Array::starts),
                                                  .offsets = array(Array::offsets)};
  }
  operand.values = tensor.data();
  return Viewed::taken;
}

}  // namespace

void set_classifier(PyObject* kind_of_type) {
  Py_XINCREF(kind_of_type);
  Py_XDECREF(std::exchange(classifier, kind_of_type));
}

Viewed view(PyObject* object, Operand& operand) {
  if (PyArray_Check(object)) return view_dense(reinterpret_cast<PyArrayObject*>(object), operand);
  const int kind = kind_of(Py_TYPE(object));
  if (kind == -2) return Viewed::failed;
  constexpr int pydata = 7;  // the number after those of Operand::Kind
  operand.kind = kind == pydata ? Operand::Kind::coo : static_cast<Operand::Kind>(std::max(kind, 0));
  switch (kind) {
    case static_cast<int>(Operand::Kind::csr):
    case static_cast<int>(Operand::Kind::csc):
    case static_cast<int>(Operand::Kind::bsr): return view_compressed(object, operand);
    case static_cast<int>(Operand::Kind::coo): return view_scipy_coo(object, operand);
    case static_cast<int>(Operand::Kind::dia): return view_dia(object, operand);
    case static_cast<int>(Operand::Kind::array): return view_array(object, operand);
    case pydata: return view_pydata_coo(object, operand);
    default: return Viewed::copy;
  }
}

}  // namespace trellis::python
