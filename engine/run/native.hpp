#pragma once
// The fast-running back end: the system compiler ($CC, or cc) makes shared objects, which are kept by content (cache.hpp).
// Modules that are not cached yet are compiled as one translation unit by one compiler process. So that they do not clash
// there, each module's functions are renamed with the module's key (unit.hpp).

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run {

std::vector<std::variant<Kernel, CompileError>> compile_native(const std::vector<emit::Module>& modules,
                                                               const Limits& limits);

/// Null when there is no such shared object, or no such entry in it.
std::shared_ptr<Kernel::Code> load_code(const std::string& file, const std::string& entry);

}  // namespace trellis::run
