#pragma once
// Index arrays that were looked at (engine/tensor/trust.hpp): once each, as long as they live. The verdict stays with
// the arrays themselves, weakly: values may change, coordinates may not change in place (SciPy's own flags ask the
// same), unless the caller asks for another look.

#include "engine/tensor/trust.hpp"
#include "repl/python/operand.hpp"

namespace trellis::python {

/// With the GIL, which is let go while an array is looked at for the first time.
tensor::Trust trust(const Operand& operand, bool again);

}  // namespace trellis::python
