#pragma once
// The tensors of the flow: those of the program as they turn out to be used, and the temporaries as they are declared.

#include <optional>
#include <string>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Of the program, or declared so far; null: neither.
const lang::TensorInfo* info(const Context& in, const std::string& name);
/// As the flow knows it, with its levels. A tensor of the program, or a temporary that is in scope.
const Tensor& tensor(Context& in, const std::string& name);
/// Its declaration, if it is one, is around.
bool is_in_scope(const Context& in, const std::string& name);
/// In scope, with a level that is not dense.
bool is_sparse(Context& in, const std::string& name);

/// Brings a temporary into scope: what it is called in the flow.
std::string declare(Context& in, const lang::TensorInfo& info);

/// A temporary in scope is walked while it grows.
void grow_live(Context& in, const std::string& name);

/// What the algebra of a loop asks about the statements' tensors.
Surroundings surroundings(const Context& in);

}  // namespace trellis::coiterate
