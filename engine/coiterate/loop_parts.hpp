#pragma once
// What a loop of the flow has however it goes: its condition, what its threads share, what an iteration waits for.

#include <optional>
#include <string>
#include <vector>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

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
