#pragma once
// Names for what nobody wrote.

#include <string>

#include "engine/lang/program.hpp"

namespace trellis::lang {

/// The name, with as many underscores as it takes to be none of the program and no index of the kernel.
std::string fresh_name(const Program& program, const Kernel& kernel, std::string name);

}  // namespace trellis::lang
