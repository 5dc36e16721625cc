#pragma once
// What stands above the statements of a printed flow: a line for each tensor, and the first one of a function.

#include "engine/flow/flow.hpp"
#include "engine/text/text.hpp"

namespace trellis::flow {

void declare(text::TextBuilder& out, const Tensor& tensor);
/// Without the end of the line: what the function computes follows below it.
void signature(text::TextBuilder& out, const Function& function);

}  // namespace trellis::flow
