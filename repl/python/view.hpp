#pragma once
// Python objects as operands: NumPy arrays, matrices and arrays of scipy.sparse, PyData's COO, our own arrays. What
// cannot be lent as it is (another byte order, strides, mixed indices, lists) Python copies first.

#include <vector>

#include "repl/python/operand.hpp"

namespace trellis::python {

/// taken: the operand is a view. copy: Python has to make something of it that is. failed: a Python exception is set.
enum class Viewed { taken, copy, failed };
Viewed view(PyObject* object, Operand& operand);

/// How the types of objects are told apart, asked once for each: Operand::Kind as a number, or -1.
void set_classifier(PyObject* kind_of_type);

}  // namespace trellis::python
