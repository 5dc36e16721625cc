#pragma once
// Entries that a kernel walks once, row after row, come from memory before it needs them:
//
//   coiterate j in 0:m carried                      coiterate j in 0:m carried streams crd vals
//     lead pA at A.2 below [i]              →         lead pA at A.2 below [i]
//
// A processor would fetch them by itself, were it not for what is gathered between them: a product of a large matrix
// with a vector takes half of the time. Up to half a million entries, the check of how many there are is all that is
// done. Loops whose end has to be computed, such as n - 1, stay as they are.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// After carry_positions.
Flow stream_entries(const Flow& flow);

}  // namespace trellis::flow
