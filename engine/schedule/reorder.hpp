#pragma once
// `reorder j i`: loops that are named take each other's places, outermost first; others keep theirs. Statements that
// stand beside a loop that moves outwards get loops of their own, and bounds that depend on a loop that moved inwards
// are projected. `reorder j i k` does the same where k is inside of both before.
// Whether values still arrive in time is the certificate's question, not this one's.
//
//   for i in 0:n {                              for i in 0:n { y(i) = 0 }
//     y(i) = 0                          →       for j in 0:n {
//     for j in 0:i { y(i) += A(i,j) } }           for i in j + 1:n { y(i) += A(i,j) } }

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// What becomes of statements beside named loops that stay where they are: loops of their own as well, or nothing.
enum class Beside { stays, apart };
Transformed reorder(const loop::Stmt& loops, const std::vector<std::string>& order, math::Solver& solver,
                    Beside beside = Beside::stays);

}  // namespace trellis::schedule
