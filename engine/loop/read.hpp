#pragma once
// From the syntax of `loops { … }` to loop IR: names, types and ranges are resolved here. What print.hpp shows reads back
// as the same nest, except for notes, which are comments.
//
// `for i` without a range takes that of the dimensions which i indexes alone in the loop; `t -= e` becomes `t += -(e)`, and
// `t op= e` for an operator that is no reduction becomes `t = t op e`.

#include <optional>
#include <string_view>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::loop {

/// Every problem is reported; the result is empty when there was one. It passes `verify`.
std::optional<Stmt> read(const lang::syntax::Loops& loops, const lang::Program& program, text::Diagnostics& diagnostics);

/// The same from the notation itself, statements as they stand between the braces of `loops`.
std::optional<Stmt> read(std::string_view notation, const lang::Program& program, text::Diagnostics& diagnostics);

/// The nest without its notes: what reading its print gives.
Stmt without_notes(const Stmt& stmt);

}  // namespace trellis::loop
