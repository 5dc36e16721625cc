#pragma once
// Loops as operands of sparse formats want them, once it is settled in which order everything runs: schedules ask for
// the loops that the equations name, so this comes after them. What runs stays in its order.
//
//   1. values of sizes that indices were simplified with take the places of these everywhere
//   2. split_phases: each operand has the loops that read it
//   3. nest_digits: each digit of an index has a loop
//
// The same handle where nothing is to be done.

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop {

Stmt arrange(const Stmt& loops, const lang::Program& program, math::Solver& solver);

}  // namespace trellis::loop
