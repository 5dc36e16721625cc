#pragma once
// A nest each of whose iterations is about an element of its own may run in any order, and so in the one in which the
// tensor stores its elements, if nothing else that it reads is stored otherwise.
//
//   for i { for j { C(i,j) += A(i,j) } }     C, A: csc      →   for j { for i { C(i,j) += A(i,j) } }

#include "engine/loop/stmt.hpp"

namespace trellis::results {

/// `loops`, a Block, with such nests of the tensor turned; the very same when there are none.
loop::Stmt along_storage(const loop::Stmt& loops, const lang::TensorInfo& tensor, const lang::Program& program);

}  // namespace trellis::results
