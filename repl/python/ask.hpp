#pragma once
// Questions about a program, for Python.

#include "repl/python/program.hpp"

namespace trellis::python {

/// By parameter; None is null. The list keeps them.
std::vector<PyObject*> pointers(const pybind11::list& objects);

void bind_questions(pybind11::class_<Program, std::shared_ptr<Program>>& type);

}  // namespace trellis::python
