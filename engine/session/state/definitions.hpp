#pragma once
// What a statement defines, so that another one can take its place.

#include <cstddef>
#include <string>
#include <vector>

#include "engine/lang/syntax.hpp"

namespace trellis::session {

/// Kind and name: "tensor A", the left side of an equation; empty when nothing can take its place.
std::string subject(const lang::syntax::Statement& statement);

/// Equations, loops, kernels.
bool computes(const lang::syntax::Statement& statement);

/// Equations with the same left side; parameters, tensors, layouts, functions and kernels of the same name.
bool defines_the_same(const lang::syntax::Statement& one, const lang::syntax::Statement& other);

/// What the statements of a file define, so that the one that defines a subject is found at once in a long file.
class Subjects {
 public:
  /// The first of the statements that defines the same; their number when there is none.
  std::size_t find(const std::vector<lang::syntax::Statement>& statements, const lang::syntax::Statement& like);
  /// The statements are others, and not only more.
  void forget() { hashes_.clear(); }

 private:
  std::vector<std::size_t> hashes_;  ///< of the subjects of the first statements
};

}  // namespace trellis::session
