#pragma once
// Blocks that only group statements go away:  { int64_t p = 0; … } q = 1;   →   int64_t p = 0; … q = 1;
//
// The emitter opens a block wherever a name may end; most of those names meet no other one.

#include "engine/emit/c.hpp"

namespace trellis::emit::c {

/// The same statements with fewer braces: a block within a block is opened up where none of its names is declared
/// beside it or mentioned behind it. Declarations keep their order, and so their meaning.
Stmt flattened(const Stmt& stmt);

}  // namespace trellis::emit::c
