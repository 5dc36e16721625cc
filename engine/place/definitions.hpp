#pragma once
// What can be wrong with definitions whatever the loop order (E0102 ill-founded, E0103 overlapping, E0104 out of
// range), each found for all sizes and shown by the smallest instance. Ill-founded cycles are looked for at small
// sizes.

#include "engine/place/analysis.hpp"
#include "engine/place/dependences.hpp"

namespace trellis::place {

/// What reads may take for granted before all sizes are known: the values of those that are, and that no tensor is
/// empty. (`A(i,0)` would otherwise be an error in every program.) Once sizes have values, ask again with those.
std::vector<math::Constraint> usual_sizes(const lang::Program& program);
void check_ranges(const Analysis& analysis, const std::vector<math::Constraint>& sizes, text::Diagnostics& diagnostics);
/// Whether an equation defines an element of the tensor at these sizes.
bool defines_any(const Analysis& analysis, const std::string& tensor, const std::vector<math::Constraint>& sizes);
void check_overlaps(const Analysis& analysis, text::Diagnostics& diagnostics);
void check_well_founded(const Analysis& analysis, text::Diagnostics& diagnostics);

}  // namespace trellis::place
