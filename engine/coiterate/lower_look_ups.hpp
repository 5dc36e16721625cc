#pragma once
// Entries that no cursor stands at are looked up: as early as possible, where all indices are known and nothing in the
// statement changes the tensor, or else right at the statement that reads them.
//
//   s += A(i)*B(i), A leads      locate pB in B.1 at i
//                                  if pB >= 0: s += A[pA] * B[pB]         nothing is done where B has no entry
//   y(i) = A(i) + B(i)           locate pB in B.1 at i
//                                  y[i] = A[pA] + (pB >= 0 ? B[pB] : 0)

#include <optional>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

struct LookUp {
  Read read;
  int level;  ///< of its access
};

/// What is to be looked up before the statement; empty: nothing, or nothing can be yet.
std::optional<LookUp> next_look_up(Context& in, const loop::Stmt& s);
/// The look-up, and in it the statement.
Stmt look_up(Context& in, const loop::Stmt& s, const LookUp& what);

/// An entry that was looked up and may be missing, in which case the loop does nothing.
std::optional<access::LevelKey> deciding_entry(Context& in, const loop::Stmt& s);
/// The loop, where the entry is there.
Stmt where_found(Context& in, const loop::Stmt& s, const access::LevelKey& key);

}  // namespace trellis::coiterate
