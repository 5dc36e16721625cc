#pragma once
// Factors of sparse matrices that nobody declared: results with two dimensions that an elimination makes of themselves
// and of a sparse operand (elimination.hpp). Dense they would take n² places and n³ steps; they are stored in csc, with
// `mask L auto`, as one would write it.
//
//   tensor A(n, n): csr
//   L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k))) / L(j,j) : k < j < i        format L csc
//   L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))           : k < i            mask L auto

#include <set>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::symbolic {

struct SparseFactors {
  std::string kernel;
  std::vector<std::string> results;
};

/// Of kernels about whose loops and masks nothing is said. `given`: tensors that a command gave a format; `kernels`:
/// those to look at, none: all.
std::vector<SparseFactors> sparse_factors(const lang::Program& program, const std::set<std::string>& given,
                                          const std::set<std::string>& kernels);

}  // namespace trellis::symbolic
