#pragma once
// What C++ asks of the package's Python code, set once when the package is imported.

#include <pybind11/pybind11.h>

namespace trellis::python {

struct Hooks {
  pybind11::object error;    ///< (diagnostics, text, fault): an exception of ours to be raised
  pybind11::object lend;     ///< (object, sorts): (what can be lent, what was copied for it)
  pybind11::object array;    ///< (_core.Array): an object of class Array
  pybind11::object result;   ///< (Array, like, made): the result in the class of `like`
  pybind11::object several;  ///< (names, values): several results as one named tuple
  pybind11::object warn;     ///< (code, message)
};
Hooks& hooks();

}  // namespace trellis::python
