#pragma once
// What stands around a nest with timesteps: several buffers start with the loaded values as step -1, and the result is
// the last step taken, which an early exit has to remember.
//
//   nest   ->   x_steps(0,:) = x(:)   nest   x(:) = x_steps(last + 1 mod m,:)

#include "engine/loop/stmt.hpp"
#include "engine/place/buffers.hpp"

namespace trellis::place {

loop::Stmt with_steps(const Analysis& analysis, const BufferPlan& buffers, loop::Stmt nest,
                      std::vector<lang::TensorInfo>& temporaries);

}  // namespace trellis::place
