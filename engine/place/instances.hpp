#pragma once
// Concrete instances in the user's terms: a reading iteration, the element, and the iteration that writes it.

#include <map>

#include "engine/place/dependences.hpp"
#include "engine/place/place.hpp"

namespace trellis::place {

using Values = std::map<std::string, std::int64_t>;  ///< of variables and sizes

Values values_of(const Fragment& fragment, const std::vector<std::int64_t>& point, const math::Assignment& sizes);

std::vector<std::int64_t> element_at(const std::vector<math::Affine>& index, const Values& values);

/// The fragment's point with all variables around it, those that it lost included.
text::Point equation_point(const Analysis& analysis, const Fragment& fragment, const std::vector<std::int64_t>& point,
                           const math::Assignment& sizes);

text::Instance instance_of(const Analysis& analysis, const Dependences::Witness& witness, int writer, int reader);

/// The read by which `reader` depends on that element; null if there is none.
const Read* read_at(const Fragment& reader, const std::string& tensor, const text::Instance& instance);

}  // namespace trellis::place
