#pragma once
// Loaded machine code: the entry point, and what keeps it mapped (a libtcc state or a shared object).

#include <memory>

#include "engine/run/kernel.hpp"

namespace trellis::run {

struct Kernel::Code {
  Entry entry = nullptr;
  std::shared_ptr<void> image;
};

}  // namespace trellis::run
