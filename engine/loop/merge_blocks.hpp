#pragma once
// Makes nests as flat as they can be.
//
//   { A { B } }                                →   { A B }
//   if c { A } if c { B }                      →   if c { A B }          unless A writes what c reads
//   if c { if d { A } }                        →   if c && d { A }
//   if c { } else { A }                        →   if !c { A }
//   for i in 0:n { }      if c { }             →   (nothing)             unless bounds or c may fault
//   x(i) += 0             b min= inf           →   (nothing)             unless an index may fault
//
// After: a block stands only as a body. A temporary of a dissolved block is renamed when another one has its name.

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

Stmt merge_blocks(const Stmt& stmt);

}  // namespace trellis::loop
