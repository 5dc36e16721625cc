#pragma once
// Functions of the user, on scalars: their operands and locals become scalar temporaries of their own.

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

Function lower_function(Context& in, const lang::Function& f);

}  // namespace trellis::coiterate
