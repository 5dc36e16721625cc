#pragma once
// Loops over logical arrays to control flow over positions in storage. A dense level's position is computed; what a
// sparse level offers is walked, together with what the others offer at that loop, or looked up
// (docs/design/coiteration.md#the-loop-of-a-lattice).
//
//   for i in 0:n { for j in 0:n { y(i) += A(i,j)*x(j) } }   →   loop i in 0:n
//   (A csr)                                                       coiterate j in 0:n
//                                                                   lead pA at A.2 below [i]
//                                                                   while pA
//                                                                     since pA here
//                                                                       y[i] += A[pA] * x[j]
//
// Placement, or loop::check_indices, has proven affine indices to be in range; all others are checked when they run.

#include <map>
#include <string>

#include "engine/coiterate/lattice.hpp"
#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::coiterate {

struct Lowered {
  flow::Flow flow;                ///< numbered
  std::vector<Lattice> lattices;  ///< of its loops, outer ones before inner ones: what the flow was made from
};

/// Results, and the operands whose entries they have.
using Masked = std::map<std::string, std::string>;
/// And what a schedule wants.
struct Wishes {
  Masked masked = {};
  std::set<std::string> scattered = {};         ///< results whose entries come fiber by fiber in turn
  std::set<std::string> found_as_told = {};     ///< operands: how they are found is said, so that none is copied
  std::set<std::string> starting_at_fill = {};  ///< those of them that need no write where the value is the fill
};

/// The control flow of one kernel. `loops` must satisfy loop::verify, hold no timestep, and write tensors with sparse
/// levels only by appending (results/…), where a mask has entries, or as temporaries with bytemap and hashed levels.
Lowered lower(const loop::Stmt& loops, const lang::Program& program, const std::string& kernel,
              const Wishes& wishes = {});

}  // namespace trellis::coiterate
