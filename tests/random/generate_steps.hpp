#pragma once
// Random programs with timesteps: one or two coupled step tensors and a scalar, boundaries, parities, sweeps that read
// the step under way, initial equations, steps that range over a dimension or up to a constant, `until`.

#include "tests/random/generate.hpp"

namespace trellis::randomised {

Draft generate_steps(Dice& dice);

}  // namespace trellis::randomised
