#pragma once
// Loaded machine code: the entry point, and what keeps it mapped (a libtcc state or a shared object); and where another
// process finds it.

#include <memory>
#include <string>

#include "engine/run/kernel.hpp"

namespace trellis::run {

struct Kernel::Code {
  Entry entry = nullptr;
  std::shared_ptr<void> image;
  std::shared_ptr<tensor::SharedArray> memory = {};  ///< of code at its place in the arena
  std::string file = {}, symbol = {};                ///< of a shared object that is kept
};

}  // namespace trellis::run
