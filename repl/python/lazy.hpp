#pragma once
// trellis.lazy in C++: expressions of the engine over objects that Python holds.

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/lazy/array.hpp"

namespace trellis::python {

/// An object that an expression reads. The table is called after its address, so that one object is one table.
struct Table {
  std::string name;
  std::string kind;  ///< how it is stored: "csr", "dense", a format of ours
  pybind11::object object;
};

/// Made and dropped with the GIL.
struct Lazy {
  lazy::Array array;
  std::vector<std::shared_ptr<const Table>> tables;  ///< that it reads, by name
};

void bind_lazy(pybind11::module_& module);
/// What computes them (plan.hpp).
void bind_compute(pybind11::module_& module);

}  // namespace trellis::python
