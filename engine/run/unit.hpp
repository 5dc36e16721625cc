#pragma once
// Joins modules into one translation unit:
//
//   #define f f_KEY1            every function that module 1 defines
//   …source of module 1…
//   #undef f
//   #define f f_KEY2            …

#include <string>
#include <vector>

#include "engine/emit/module.hpp"

namespace trellis::run {

/// Names of the functions that a C source defines at file scope (not those it only declares), in order.
std::vector<std::string> defined_functions(const std::string& source);

/// The module's source with `key` appended to the names of its functions.
std::string keyed_source(const emit::Module& module, const std::string& key);
std::string keyed_entry(const emit::Module& module, const std::string& key);

}  // namespace trellis::run
