#pragma once
// After a run: results that are no numbers although nothing that the kernel read was such, and sums of so many terms
// that their type is not good for them.

#include "engine/session/state/state.hpp"

namespace trellis::session {

/// An element that is no number.
struct OddElement {
  std::string tensor;
  tensor::Index index;
  format::Value value;
};
/// "x(0) is nan".
std::string to_string(const OddElement& odd);

/// What W0605 is about.
std::optional<OddElement> odd_element(const lang::Kernel& kernel, const FinishedRun& finished);
/// The first not-a-number among the elements, whatever made it.
std::optional<OddElement> first_nan(const std::string& name, const tensor::Tensor& tensor);

/// W0605, with the first place: not where the program says `inf`, where a result's fill is one, or where an empty `min`
/// or
/// `max` may be meant. Of steps that end with `until`, they diverged.
void warn_of_odd_values(const lang::Kernel& kernel, const FinishedRun& finished, text::Span at,
                        text::Diagnostics& diagnostics);

/// W0606, with the first place: results that did not hold their values, being narrow integers. `terms`: so many
/// operations to find out.
void warn_of_wraps(const lang::Program& program, const lang::Kernel& kernel, const FinishedRun& finished, double terms,
                   text::Span at, text::Diagnostics& diagnostics);

/// N0607: how far a sum of f32 can be off where it has very many terms, at the present sizes.
void note_coarse_sums(const State& state, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::session
