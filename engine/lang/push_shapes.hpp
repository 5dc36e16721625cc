#pragma once
// Shape operators, from values to values: what they read is read at other indices instead.
//
//   y(k) = collapse(A(i,j), (i,j)->k)     becomes   y(k) = A(k/m, k%m)
//   z(l) = concat(a(i), b(k), (i,k)->l)   becomes   z(l) = l < n ? a(l) : b(l - n)
//
// Digits cancel where they can (math/index_map.hpp). Where products or quotients of sizes are left, isl cannot follow:
// then the sizes' values are put in their place, if they have some, and what is proven holds for these.

#include <optional>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/lang/push_index.hpp"

namespace trellis::lang {

struct Pushed {
  Kernel kernel;
  std::vector<math::Constraint> assumed;  ///< `n = 64`, for each value that was used
};

/// The kernel without shape operators; the same one where it has none. Reports what cannot be written so. Without
/// values, what multiplies or divides by sizes stays as it is: that is no affine form, but holds for all sizes.
std::optional<Pushed> push_shapes(const Program& program, const Kernel& kernel, text::Diagnostics& diagnostics,
                                  SizeValues use = SizeValues::used);

/// The program with what such a kernel assumes.
Program assuming(Program program, const std::vector<math::Constraint>& assumed);

/// Whether values of sizes decide something here, so that one who learns of a value resolves again.
bool asks_for_values(const Program& program);

}  // namespace trellis::lang
