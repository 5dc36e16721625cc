// What NumPy calls things, on lazy arrays: the functions of engine/lazy/array.hpp, and objects that become tables.
#include "repl/python/lazy.hpp"

#include <pybind11/stl.h>

#include <unordered_map>

#include "engine/lazy/fills.hpp"
#include "engine/lazy/notation.hpp"
#include "repl/python/array.hpp"
#include "repl/python/errors.hpp"
#include "repl/python/hooks.hpp"
#include "repl/python/operand.hpp"
#include "repl/python/view.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;
using Lazies = std::vector<const Lazy*>;

/// Of all operands, each once.
std::vector<std::shared_ptr<const Table>> tables_of(const Lazies& operands) {
  std::vector<std::shared_ptr<const Table>> all = operands.front()->tables;
  for (const Lazy* one : operands)
    for (const auto& table : one->tables) {
      const auto at = std::ranges::lower_bound(all, table->name, {}, [](const auto& t) { return t->name; });
      if (at == all.end() || (*at)->name != table->name) all.insert(at, table);
    }
  return all;
}

std::vector<lazy::Array> arrays(const Lazies& operands) {
  std::vector<lazy::Array> all;
  for (const Lazy* one : operands) all.push_back(one->array);
  return all;
}

/// In the same tables.
Lazy made(lazy::Array array, const Lazies& operands) { return {std::move(array), tables_of(operands)}; }

Lazies from(const py::list& list) {
  Lazies all;
  for (const py::handle one : list) all.push_back(&py::cast<const Lazy&>(one));
  if (all.empty()) throw py::value_error("at least one array is needed");
  return all;
}

Lazy lazy_of(const py::object& object) {
  Operand operand;
  py::object lent = object;
  Viewed seen = view(object.ptr(), operand);
  if (seen == Viewed::copy) {
    const py::tuple copied = hooks().lend(object, "", false);
    lent = copied[0];
    operand = Operand();
    seen = view(lent.ptr(), operand);
  }
  if (seen == Viewed::failed) throw py::error_already_set();
  if (seen == Viewed::copy) throw py::type_error("this is no array that can be lent");
  const lazy::Sizes shape(operand.shape.begin(), operand.shape.begin() + operand.rank);
  const std::string name = std::to_string(reinterpret_cast<std::uintptr_t>(lent.ptr()));
  return {lazy::Array::of(name, operand.type, operand.fill, shape),
          {std::make_shared<const Table>(Table{name, kind_text(operand), lent})}};
}

Lazy number_of(const py::object& value) {
  if (py::isinstance<py::bool_>(value))
    return {{lazy::constant(format::Value::truth(value.cast<bool>())), {}, true}, {}};
  if (py::isinstance<py::int_>(value)) return {lazy::Array::number(value.cast<std::int64_t>()), {}};
  return {lazy::Array::number(value.cast<double>()), {}};
}

lazy::Operator operator_named(const std::string& name) {
  using format::BinaryOp;
  using format::UnaryOp;
  static const std::unordered_map<std::string, lazy::Operator> known = {{"add", BinaryOp::add},
                                                                        {"subtract", BinaryOp::subtract},
                                                                        {"multiply", BinaryOp::multiply},
                                                                        {"divide", BinaryOp::divide},
                                                                        {"modulo", BinaryOp::modulo},
                                                                        {"power", BinaryOp::power},
                                                                        {"shift_left", BinaryOp::shift_left},
                                                                        {"shift_right", BinaryOp::shift_right},
                                                                        {"bit_and", BinaryOp::bit_and},
                                                                        {"bit_or", BinaryOp::bit_or},
                                                                        {"bit_xor", BinaryOp::bit_xor},
                                                                        {"equal", BinaryOp::equal},
                                                                        {"not_equal", BinaryOp::not_equal},
                                                                        {"less", BinaryOp::less},
                                                                        {"less_equal", BinaryOp::less_equal},
                                                                        {"greater", BinaryOp::greater},
                                                                        {"greater_equal", BinaryOp::greater_equal},
                                                                        {"logical_and", BinaryOp::logical_and},
                                                                        {"logical_or", BinaryOp::logical_or},
                                                                        {"logical_not", UnaryOp::logical_not},
                                                                        {"bit_not", UnaryOp::bit_not},
                                                                        {"negative", UnaryOp::negate}};
  if (const auto found = known.find(name); found != known.end()) return found->second;
  const auto function = format::function(name);
  if (!function) throw py::value_error("there is no operator " + name);
  return *function;
}

format::ReduceOp reduction_named(const std::string& name) {
  const auto found = format::reduce_op(name);
  if (!found) throw py::value_error("there is no reduction " + name);
  return *found;
}

/// As NumPy calls it.
format::ScalarType type_named(const std::string& name) {
  for (int type = 0; type <= static_cast<int>(format::ScalarType::boolean); ++type) {
    const auto one = static_cast<format::ScalarType>(type);
    if (name == py::str(dtype_of(one).attr("name")).cast<std::string>()) return one;
  }
  throw refusal("E0703", "ours are float64, float32, int64, int32, int16, uint64, uint32, uint8, bool, not " + name);
}

Lazy apply_one(const std::string& name, const Lazy& a) {
  return {lazy::apply(operator_named(name), {a.array}), a.tables};
}

Lazy apply_two(const std::string& name, const Lazy& a, const Lazy& b) {
  return made(lazy::apply(operator_named(name), {a.array, b.array}), {&a, &b});
}

Lazy einsum(const std::string& sum, const std::string& product, const std::string& letters, const py::list& list) {
  const Lazies operands = from(list);
  return made(lazy::einsum(reduction_named(sum), operator_named(product), letters, arrays(operands)), operands);
}

std::string text_of(const Lazy& a) {
  std::string text = lazy::to_string(a.array.expr());
  for (const auto& table : a.tables)
    for (std::size_t at; (at = text.find(table->name)) != std::string::npos;)
      text.replace(at, table->name.size(), table->kind);
  return text;
}

void bind_elements(py::class_<Lazy>& type) {
  type.def_static("apply", apply_one).def_static("apply", apply_two);
  type.def_static("where", [](const Lazy& c, const Lazy& a, const Lazy& b) {
    return made(lazy::where(c.array, a.array, b.array), {&c, &a, &b});
  });
  type.def_static("maximum", [](const Lazy& a, const Lazy& b) {
    return made(lazy::maximum(a.array, b.array), {&a, &b});
  });
  type.def_static("minimum", [](const Lazy& a, const Lazy& b) {
    return made(lazy::minimum(a.array, b.array), {&a, &b});
  });
  type.def("astype", [](const Lazy& a, const std::string& to) {
    return Lazy{lazy::astype(a.array, type_named(to)), a.tables};
  });
}

void bind_reductions(py::class_<Lazy>& type) {
  type.def("reduce", [](const Lazy& a, const std::string& op, const std::vector<int>& axes, bool keep) {
    const lazy::KeepAxes kept = keep ? lazy::KeepAxes::yes : lazy::KeepAxes::no;
    return Lazy{lazy::reduce(reduction_named(op), a.array, axes, kept), a.tables};
  });
  type.def("arg_reduce", [](const Lazy& a, const std::string& op, int axis) {
    return Lazy{lazy::arg_reduce(reduction_named(op), a.array, axis), a.tables};
  });
  type.def_static("einsum", einsum);
}

void bind_shapes(py::class_<Lazy>& type) {
  type.def("permute", [](const Lazy& a, const std::vector<int>& order) {
    return Lazy{lazy::permute(a.array, order), a.tables};
  });
  type.def("expand_dims", [](const Lazy& a, int axis) { return Lazy{lazy::expand_dims(a.array, axis), a.tables}; });
  type.def("broadcast_to", [](const Lazy& a, const lazy::Sizes& shape) {
    return Lazy{lazy::broadcast_to(a.array, shape), a.tables};
  });
  type.def("diagonal", [](const Lazy& a, int axis1, int axis2) {
    return Lazy{lazy::diagonal(a.array, axis1, axis2), a.tables};
  });
  type.def("slice", [](const Lazy& a, int axis, std::int64_t first, std::int64_t count, std::int64_t step) {
    return Lazy{lazy::slice(a.array, axis, first, count, step), a.tables};
  });
  type.def("roll", [](const Lazy& a, int axis, std::int64_t by) {
    return Lazy{lazy::roll(a.array, axis, by), a.tables};
  });
  type.def("reshape", [](const Lazy& a, const lazy::Sizes& shape) {
    return Lazy{lazy::reshape(a.array, shape), a.tables};
  });
  type.def_static("concat", [](const py::list& list, int axis) {
    const Lazies parts = from(list);
    return made(lazy::concat(arrays(parts), axis), parts);
  });
  type.def_static("stack", [](const py::list& list, int axis) {
    const Lazies parts = from(list);
    return made(lazy::stack(arrays(parts), axis), parts);
  });
}

}  // namespace

void bind_lazy(py::module_& module) {
  py::class_<Lazy> type(module, "Lazy");
  type.def_static("of", lazy_of)
      .def_static("number", number_of)
      .def_property_readonly("shape", [](const Lazy& a) { return py::tuple(py::cast(a.array.shape())); })
      .def_property_readonly("ndim", [](const Lazy& a) { return a.array.rank(); })
      .def_property_readonly("dtype", [](const Lazy& a) { return dtype_of(a.array.type()); })
      .def_property_readonly("weak", [](const Lazy& a) { return a.array.weak(); })
      .def_property_readonly("fill", [](const Lazy& a) { return number(lazy::fill_of(a.array.expr())); })
      .def_property_readonly("text", text_of);
  bind_elements(type);
  bind_reductions(type);
  bind_shapes(type);
}

}  // namespace trellis::python
