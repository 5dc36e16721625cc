#pragma once
// The equations of a twin as terms: an element is stored where one of its terms has all of its factors stored.
//
//   L_mask(i,j) = A_entries(i,j) || any(k)(L_mask(i,k) && L_mask(j,k)) : k < j < i
//     L_mask(i,j)  <-  A_entries(i,j)                 : j < i
//     L_mask(i,j)  <-  L_mask(i,k), L_mask(j,k)       : k < j < i

#include "engine/lang/program.hpp"

namespace trellis::symbolic {

struct Term {
  lang::Access head;
  math::Domain domain;                ///< over the variables of the equation and of the reductions
  std::vector<lang::Access> results;  ///< factors that the kernel defines
  std::vector<lang::Access> leaves;   ///< all others
  bool exact = true;                  ///< no factor was left out, such as a condition on values
};

/// Empty when there would be very many, or when indices are not affine.
std::optional<std::vector<Term>> terms_of(const lang::Kernel& twin);

}  // namespace trellis::symbolic
