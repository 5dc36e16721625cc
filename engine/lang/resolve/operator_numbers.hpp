#pragma once
// The numbers of shape operators: where a slice begins and ends and its step, how far roll goes, how much pad adds.

#include "engine/lang/resolve/operators.hpp"

namespace trellis::lang::resolving {

/// slice: low, high, step; pad: before, after; roll: how far, twice (see `rolled`). Empty where one is no affine form
/// in parameters or makes no sense, which is reported, if so wanted, and makes the equation unsound.
std::optional<std::vector<math::Affine>> read_numbers(Resolution& resolution, const OperatorForm& form, Measuring how,
                                                      bool& sound);

/// How many elements low, high and step take.
math::Affine slice_length(const std::vector<math::Affine>& numbers);

/// c mod n: a form where c or c + n lies between 0 and n, as it does for the values that the sizes have.
math::Affine rolled(Resolution& resolution, const math::Affine& c, const math::Affine& n, Measuring how);

/// E0244: numbers that lie outside whatever the other sizes are; those that may are found where the reads are checked.
void check_slice(Resolution& resolution, const OperatorForm& form, const MeasuredOperator& slice, bool& sound);

}  // namespace trellis::lang::resolving
