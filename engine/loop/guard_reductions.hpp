#pragma once
// Computes a reduction only where somebody reads it. Placement computes each one into a temporary, whatever is asked:
//
//   for i in 0:n {                                        for i in 0:n {
//     tensor t                                              tensor t
//     t = 0                                        →        if m(i) {
//     for j in 0:n { t += A(i,j)*x(j) }                       t = 0
//     y(i) = m(i) ? t : 0 }                                   for j in 0:n { t += A(i,j)*x(j) } }
//                                                           y(i) = m(i) ? t : 0 }
//
// The guard is what all reads of the temporary have in common of conditions: of `if`, `?`, and the left sides of && and
// ||, in the order in which they are asked. Of an array, each element is guarded by what is asked where that element is
// read:
//
//   for j { for i { t(i) += A(i,j)*x(j) } }; for i { y(i) = m(i) ? t(i) : 0 }      →      … if m(i) { t(i) += … } …
//
// A loop that computes other things as well is split for it where neither part then reads again what both need; else
// the guard stands inside. A guard that only saves one update stays out where its condition would have to be searched
// for in a sparse tensor. Nothing that a condition reads is written between the guard and the last read, and a
// condition that may fault or reads a temporary is asked only where it would be asked anyway, so that the order of
// effects is kept. For nests of placement, before other passes; loop programs compute what they say.

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

Stmt guard_reductions(const Stmt& stmt, const lang::Program& program);

}  // namespace trellis::loop
