#pragma once
// The one place where a kernel is entered in this process: a table of pointers as engine/emit/module.hpp describes it,
// out of what slots lend. Nothing is protected here: what a kernel may believe was looked at before.

#include <array>
#include <cstdint>
#include <vector>

#include "engine/run/kernel.hpp"
#include "repl/python/operand.hpp"

namespace trellis::python {

/// Where a tensor of the program has its arrays during one call.
struct Slot {
  std::array<std::array<void*, 6>, most_levels> arrays{};  ///< by level and format::Array
  void* values = nullptr;
  std::int64_t capacity = 0;
};

/// An argument of the kernel's entry, resolved once.
struct ArgumentSource {
  emit::Argument::Kind kind;
  int number = 0;  ///< of the size, the real or the slot
  int level = -1;
  format::Array array = format::Array::values;
};

struct CallData {
  std::vector<std::int64_t> sizes;
  std::vector<double> reals;
  std::vector<Slot> slots;
};

/// Runs the kernel once; 1 when memory for temporaries was refused. `fault`: its kind and its site, zero before. Any
/// number of threads may be in here, each with data of its own.
int enter(run::Kernel::Entry entry, const std::vector<ArgumentSource>& arguments, CallData& data, std::int32_t* fault);

}  // namespace trellis::python
