#pragma once
// What is placed with values for sizes, without them: the equations are the same, and so are their fragments, but for
// indices that multiply or divide by sizes (`k/m` for `k/2`), whose elements are tuples then (element_tuples.hpp).

#include <memory>

#include "engine/place/analysis.hpp"

namespace trellis::place {

/// Fragment for fragment what `with_values` has, for a proof that holds whatever the sizes are; empty where the kernel
/// cannot be written so, or where two of its equations may define one element.
std::shared_ptr<const Analysis> for_all_sizes(const lang::Program& program, const lang::Kernel& kernel,
                                              const Analysis& with_values);

}  // namespace trellis::place
