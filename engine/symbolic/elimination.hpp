#pragma once
// Patterns that are those of a factorisation, recognised by what the twin's terms relate, whatever its tensors are
// called and however they are laid out: Cholesky and LDL' (also upper, or from the last row on), LU, Crout.
// (docs/design/recurrences.md#elimination)
//
// The elements of all results together, each matrix as it is or transposed and all of them reversed or not, are those
// of one square F, each once, except on the diagonal; and F(i,j) has a term F(i,k), F(k,j) for each k < min(i,j), and
// no others. Of a symmetric one each unordered pair is there once.

#include <map>

#include "engine/symbolic/terms.hpp"

namespace trellis::symbolic {

struct Elimination {
  bool symmetric = false;
  bool reversed = false;  ///< it eliminates from the last row and column on
  math::Affine size;      ///< of the square
  struct Part {
    bool transposed = false;            ///< element (p, q) is that at (q, p) of F
    bool lower = false, upper = false;  ///< which triangles of F, as it is then, are its own
    bool diagonal = false;              ///< it has elements there
    bool fills_diagonal = false;        ///< which may come from products
  };
  std::map<std::string, Part> parts;  ///< by result
  std::vector<Term> sources;  ///< those without results among their factors: one leaf each, or on the diagonal none
};

/// Of a twin; empty when it is none. The proof holds for all sizes.
std::optional<Elimination> find_elimination(const lang::Program& program, const lang::Kernel& twin);

}  // namespace trellis::symbolic
