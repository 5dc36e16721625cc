#pragma once
// Whose entries stand still while a kernel runs, and when two positions are the same there.

#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// The operand that has the tensor's entries, which may be itself; empty: they come and go.
std::string entries_of(const Flow& flow, const std::string& tensor);

/// In two tensors that have the same entries.
bool is_same(const Position& a, const Position& b);

/// A dense level above points in order, as in csr and csc.
bool stores_fibers(const Tensor& tensor);

/// Both store fibers, of the same elements; one by the dimension that is inside in the other.
bool are_transposed(const Tensor& a, const Tensor& b);

/// A look-up of entries that stand still, at a coordinate that is there or not, without a question or a check before.
bool is_plain(const Flow& flow, const Locate& look_up);

}  // namespace trellis::flow
