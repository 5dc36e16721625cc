#pragma once
// What a step of a plan makes of a kernel, before it is placed (docs/design/overview.md#plans).

#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::plan {

/// An index tensor all of whose values are read, whichever of them the equations as written come to.
struct Within {
  std::string tensor;
  math::Affine size;  ///< each value has to be at least 0 and less
};

struct Made {
  lang::Program program;  ///< with the tensors that the kernel needs
  lang::Kernel kernel;
  std::vector<std::string> laid_out;  ///< tensors that nobody writes: TensorInfo::derived_from
  std::vector<Within> within = {};
};

}  // namespace trellis::plan
