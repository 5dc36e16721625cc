#pragma once
// The iteration algebra of a loop: a superset of the coordinates at which its body does something, derived from fill
// values, properties of operations and what updates leave alone. (docs/design/coiteration.md#support)
//
//   y(i) += A(i,j)*x(j)         A(i,j)                    0 annihilates, and += 0 changes nothing
//   C(i,j) = A(i,j) + B(i,j)    A(i,j) ∪ B(i,j)           C is appended to, so that zeros need no place
//   C(i,j) = S(i,j)*t           S(i,j)                    whatever t is

#include "engine/coiterate/algebra.hpp"
#include "engine/coiterate/offers.hpp"

namespace trellis::coiterate {

/// What a statement's meaning depends on beside its text.
struct Surroundings {
  const lang::Program& program;
  TensorOf tensor;
  std::set<std::string>
      appended;          ///< results and temporaries whose elements are at the fill until their single assignment
  std::set<int> starts;  ///< assignments to temporaries that are written otherwise too, of elements at the fill
  std::set<std::string> results;  ///< those of them that are results: their entries come in the order of storage
};

/// Is the element at its fill until then, so that assigning the fill changes nothing?
bool assigns_first(const loop::Stmt& assign, const Surroundings& around);

/// Of one loop's body.
Algebra support(const loop::Stmt& body, const Offers& offers, const Surroundings& around);
/// Where that is everywhere: what asks for it, for people: "d(i) is dense", "exp(A(i)) is 1 where nothing is stored, not 0".
std::string why_everywhere(const loop::Stmt& body, const std::string& variable, const Offers& offers,
                           const Surroundings& around);

}  // namespace trellis::coiterate
