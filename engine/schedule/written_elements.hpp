#pragma once
// The elements of a result that equations compute, and whether any other is read.

#include <string>
#include <vector>

#include "engine/math/solver.hpp"
#include "engine/place/fragment.hpp"

namespace trellis::schedule {

/// The elements `index` for all values of the variables, each from 0 to its size, under the constraints.
struct WrittenElements {
  std::vector<std::string> variables;
  std::vector<math::Affine> sizes;
  std::vector<math::Constraint> constraints;
  std::vector<math::Affine> index;
};

/// One for each fragment that defines some. Each variable is itself an index.
std::vector<WrittenElements> written_elements(const place::Fragments& fragments, const lang::TensorInfo& tensor);

/// Is each element that they read one that they compute? Then it is computed before. False where an index does not say
/// which elements it is about, or one that is written is no variable.
bool reads_only_computed(const place::Fragments& fragments, const std::string& tensor, math::Solver& solver);

}  // namespace trellis::schedule
