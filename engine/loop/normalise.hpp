#pragma once
// From the nest that placement certified, guards around what the ranges of its loops do not say, to the loops that a
// person would write: expressions simplified, guards moved out and, where they are implied, dropped, bounds in their
// place, loops of one iteration inlined; again until nothing changes.
//
//   for i in 0:n { for j in 0:n {              for i in 0:n {
//     if j < i { L(i,j) = … }             →      for j in 0:i { L(i,j) = … }
//     if j == i { L(i,i) = … } } }               L(i,i) = … }
//
// Every pass keeps the order of all effects, so the certificate stays valid. The statements of the result are numbered
// from 0 and their origins are the statements of the input (stage `placement`); those of a loop program keep their own,
// the source.

#include "engine/loop/inline_single_iterations.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

enum class From { placement, source };
Stmt normalise(const Stmt& stmt, const lang::Program& program, math::Solver& solver, From from = From::placement,
               Singles singles = Singles::inlined);

}  // namespace trellis::loop
