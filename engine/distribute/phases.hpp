#pragma once
// Who runs a statement: which iterations of it are a rank's own (docs/design/distributed.md#who-computes).

#include "engine/distribute/nest.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::distribute {

/// The phase of a site: the outermost dealt-out loop around it, the one over its blocks in a pipeline, or the statement
/// itself; by number.
int phase_of(const Plan& plan, const Nest& nest, const schedule::Site& site);

/// The dimension of a tensor that is cut along these ranks.
std::optional<std::size_t> dimension_along(const Plan& plan, const Tensor& tensor, const std::string& ranks);

/// Along a dimension of ranks: what of the site, in its variables, is compared with the ends of parts, and of which
/// partition. Empty: all ranks along it run the same.
struct Place {
  int partition = 0;
  math::Affine coordinate;
};
std::optional<Place> place_of(const Plan& plan, const Nest& nest, const schedule::Site& site, const std::string& ranks);

/// Whether the site touches the element where it lives along these ranks.
bool is_at_home(const Plan& plan, const Nest& nest, const schedule::Site& site, const schedule::Touch& touch,
                const std::string& ranks);

/// What holds of the site's variables where a rank runs it.
std::vector<math::Constraint> own_iterations(const Plan& plan, const Nest& nest, const schedule::Site& site);

/// Fills in the statements that only owners run. False when loops or conditions around phases test what is cut (E0153),
/// or nobody knows who computes an element, which is reported.
bool find_guards(Plan& plan, const Nest& nest, text::Span asked, text::Diagnostics& diagnostics);

}  // namespace trellis::distribute
