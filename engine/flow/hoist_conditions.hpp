#pragma once
// Asks before a loop what its iterations would ask again and again: conditions that nothing in it changes.
//
//   loop k in 0:n { if F[j] && A[j][k] { N[k] = true } }     →     if F[j] { loop k in 0:n { if A[j][k] { N[k] = true } } }
//
// The loop must do all that it does under the condition, and what the condition reads be in range where the loop has no
// iterations, too. Of several conditions joined by `&&` the first ones: those behind may count on them.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

Flow hoist_conditions(const Flow& flow);

}  // namespace trellis::flow
