#include "engine/run/backends.hpp"

#include <utility>

#include "engine/run/jit.hpp"
#include "engine/run/native.hpp"

namespace trellis::run {

std::variant<Kernel, CompileError> compile(const emit::Module& module, Backend backend, const Limits& limits) {
  if (backend == Backend::jit) return compile_jit(module);
  return std::move(compile_native({module}, limits).front());
}

std::vector<std::variant<Kernel, CompileError>> compile_batch(const std::vector<emit::Module>& modules, Backend backend,
                                                              const Limits& limits) {
  if (backend == Backend::native) return compile_native(modules, limits);
  std::vector<std::variant<Kernel, CompileError>> kernels;
  for (const emit::Module& module : modules) kernels.push_back(compile_jit(module));
  return kernels;
}

}  // namespace trellis::run
