#pragma once
// What C code cannot be named, and why: the one place that every choice of a name asks.

#include <set>
#include <string>

namespace trellis::emit {

/// Taken wherever C is written: keywords, macros and types of the headers that a kernel, the OpenMP runtime or the
/// program around an exported kernel includes, words of pragmas, and the helpers of the prelude.
const std::set<std::string>& reserved_names();

/// Names of this form belong to the implementation (C99, 7.1.3), as `__LINE__` and `_OPENMP` do, or to the interface
/// for tensors (abi/trellis_tensor.h).
bool belongs_to_implementation(const std::string& name);

/// No function of ours may be called that besides: functions of the library that compilers know under a type of their
/// own, or that a header declares.
const std::set<std::string>& library_functions();

}  // namespace trellis::emit
