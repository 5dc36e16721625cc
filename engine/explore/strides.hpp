#pragma once
// How accesses move through memory with the innermost loops: what a suggestion gives as its reason.

#include <string>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::explore {

/// How an access moves with a loop's variable.
enum class Stride { invariant, contiguous, strided };
Stride stride_of(const lang::Access& access, const std::string& variable, const lang::Program& program);

/// An innermost loop, with what its body accesses.
struct Innermost {
  std::string variable;
  bool plain = false;  ///< neither vectorised nor unrolled already
  std::vector<lang::Access> accesses;
};
std::vector<Innermost> innermost_loops(const loop::Stmt& loops);

/// "j", "i, j".
std::string innermost_names(const loop::Stmt& loops);
/// Of the innermost loops together: "j innermost walks B, C contiguously", "k innermost strides through B".
std::string strides_in_words(const loop::Stmt& loops, const lang::Program& program);

}  // namespace trellis::explore
