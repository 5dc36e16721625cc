#pragma once
// Concrete instances in the user's terms: a reading iteration, the element, and the iteration that writes it.

#include <map>

#include "engine/place/analysis.hpp"
#include "engine/place/dependences.hpp"

namespace trellis::place {

using Values = std::map<std::string, std::int64_t>;  ///< of variables and sizes

Values values_of(const Fragment& fragment, const std::vector<std::int64_t>& point, const math::Assignment& sizes);

std::vector<std::int64_t> element_at(const std::vector<math::Affine>& index, const Values& values);

/// Names an element for the user: of a tensor with timesteps, "D[2]" and the indices without the step.
void name_element(text::Instance& instance, const lang::Access& access, std::vector<std::int64_t> element);

/// The fragment's point with all variables around it, those that it lost included.
text::Point equation_point(const Analysis& analysis, const Fragment& fragment, const std::vector<std::int64_t>& point,
                           const math::Assignment& sizes);

text::Instance instance_of(const Analysis& analysis, const Dependences::Witness& witness, int writer, int reader);

/// The read by which `reader` reads that element; null if there is none.
const Read* read_at(const Fragment& reader, const text::Instance& instance);

/// The shape of a tensor as fragments index it: with timesteps, one dimension in front.
std::vector<math::Affine> indexed_shape(const Analysis& analysis, const std::string& tensor);

}  // namespace trellis::place
