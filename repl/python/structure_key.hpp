#pragma once
// What code of lazy arrays is compiled for, as bytes: expressions with fields and tables numbered as they appear,
// types, kinds of storage, fills, and sizes to powers of 4, as rewrites compare them. Sizes themselves are a second
// part, for what says one.

#include <string>
#include <vector>

#include "repl/python/lazy.hpp"

namespace trellis::python {

struct StructureKey {
  std::string bytes, sizes;
  std::vector<const Table*> tables;  ///< as they appear
};

StructureKey structure_key(const std::vector<const Lazy*>& wanted);

}  // namespace trellis::python
