#pragma once
// Loops: whether they are taken apart first, walk what their operands store, or visit every coordinate.

#include <string>
#include <vector>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// What its bounds read has been found.
Stmt lower_loop(Context& in, const loop::Stmt& s, const loop::For& f);

/// The body of an iteration, which may have to wait for one of a loop around.
Stmt behind_await(Context& in, const loop::Stmt& s, const loop::For& f, const Stmt& body);

/// Does it run at all?
Expr runs(Context& in, const loop::For& f);
/// What it reduces into, as far as that is left: temporaries may have turned out to be useless where operands are
/// absent.
std::vector<std::string> reduced(Context& in, const loop::For& f);
/// What its threads get evenly.
std::optional<flow::MergePath> merge_path(Context& in, const loop::For& f);

}  // namespace trellis::coiterate
