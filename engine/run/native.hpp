#pragma once
// The fast-running back end: the system compiler ($CC, or cc) makes shared objects, which are kept by content
// (cache.hpp). Modules that are not cached yet are compiled as one translation unit by one compiler process. So that
// they do not clash there, each module's functions are renamed with the module's key (unit.hpp).

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run {

std::vector<std::variant<Kernel, CompileError>> compile_native(const std::vector<emit::Module>& modules,
                                                               const Limits& limits);

class ScratchFolder;

/// The file of a shared object of that module alone, in `scratch`: what compile_native makes of it, with a table of
/// lines besides. Its functions bear the key, and it is not kept in the cache.
std::variant<std::string, CompileError> compile_with_lines(const emit::Module& module, const std::string& key,
                                                           const ScratchFolder& scratch, const Limits& limits);

/// The entry of a shared object, loaded into this process for good; null when there is no such object, or no such entry
/// in it. What is compiled is loaded in the child that runs it, so that an object that is damaged ends that alone.
Kernel::Entry load_entry(const char* file, const char* symbol);

}  // namespace trellis::run
