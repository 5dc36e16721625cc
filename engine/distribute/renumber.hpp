#pragma once
// `distribute i over p by parts A`: rows of a size have other numbers on ranks than the user gives them, one part of
// A's graph behind the other. Parts are then contiguous, as all cuts are, and nothing else of the plan knows.
//
//   y(i) += A(i,j) * x(j)      y, x, and both dimensions of A: dealt out in other numbers, and put back into the user's
//
// That may be where the kernel means the same for every numbering.

#include "engine/distribute/cuts.hpp"
#include "engine/distribute/nest.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::distribute {

/// Fills in which sizes have other numbers. E0165 where a row's number matters, or A is no matrix over that size.
bool find_renumbered(Plan& plan, const Nest& nest, const lang::Kernel& kernel, const lang::Program& program,
                     text::Diagnostics& diagnostics);

/// By dimension of the tensor where its rows are on ranks, or where those of the ranks are in the user's numbers; null
/// where they are the same.
enum class Into { ranks, user };
std::vector<const std::vector<std::int64_t>*> numbers_along(const Plan& plan, const Cuts& cuts,
                                                            const lang::TensorInfo& info, Into into);

/// The tensor with other numbers, or itself where it has the same ones. Empty when memory is refused.
std::optional<tensor::Tensor> renumbered(const Plan& plan, const Cuts& cuts, const lang::TensorInfo& info,
                                         const tensor::Tensor& tensor, Into into);

}  // namespace trellis::distribute
