#pragma once
// Loaded machine code: the entry point, and what keeps it mapped (a libtcc state or a shared object); and where another
// process finds it.

#include <memory>
#include <string>

#include "engine/run/kernel.hpp"

namespace trellis::run {

struct Kernel::Code {
  Entry entry = nullptr;  ///< null: where `file` has been loaded, which only the child that runs it does
  std::shared_ptr<void> image;
  std::shared_ptr<tensor::SharedArray> memory = {};  ///< of code at its place in the arena
  std::string file = {}, symbol = {};                ///< of a shared object
  std::shared_ptr<const void> folder = {};           ///< keeps the file where it is
};

}  // namespace trellis::run
