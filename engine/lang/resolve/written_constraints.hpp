#pragma once
// What the user wrote after the ':' of an equation, link by link, and which reductions each link may restrict.

#include <string>
#include <vector>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

/// A link `a < b`.
struct WrittenConstraint {
  math::Constraint constraint;
  text::Span span;
  std::vector<std::string> reduced;  ///< reductions' variables that it names
  bool placed = false;               ///< in some reduction's domain
};

/// The links of the draft's constraints, but for those that say how long a shape operator's index is, which have been
/// read. What is wrong is reported, and makes the draft unsound.
std::vector<WrittenConstraint> read_constraints(Resolution& resolution, Draft& draft);
/// E0304: no reduction binds together what the link names.
void report_unplaced(Resolution& resolution, const WrittenConstraint& constraint);

}  // namespace trellis::lang::resolving
