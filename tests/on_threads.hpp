#pragma once
// Kernels of tests do too little to wake threads for.

#include <string>

#include "engine/emit/module.hpp"
#include "engine/emit/region_work.hpp"

namespace trellis::testing {

/// The same kernel, which wakes threads however little there is to do.
inline emit::Module always_on_threads(emit::Module module) {
  const std::string least = "> " + std::to_string(emit::least_work) + ";";
  for (std::size_t at = module.source.find(least); at != std::string::npos; at = module.source.find(least, at))
    module.source.replace(at, least.size(), "> -1;");
  return module;
}

}  // namespace trellis::testing
