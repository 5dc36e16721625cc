#pragma once
// From a loop program, as its user wrote it, to loop IR. What print.hpp shows reads back as the same nest, except for
// notes, which are comments.
//
//   while any(i)(F(i)) { … }   becomes   tensor any_F: bool
//                                        any_F = false
//                                        for i in 0:n { any_F ||= F(i) }
//                                        while any_F { …  any_F = false  for i in 0:n { any_F ||= F(i) } }
//
// Reductions become loops before the statement that holds them (of a `while`, also at the end of its body), under the
// conditions under which the expression reaches them.

#include <optional>
#include <string_view>

#include "engine/lang/action.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::loop {

/// What a declared tensor holds before it is written: its fill, as in users' programs, or nothing, as in loop IR.
enum class Fresh { filled, undefined };

/// It passes `verify`, and is numbered. Origins are the actions' own, in stage `source`.
Stmt read(const lang::Actions& loops, const lang::Program& program, Fresh fresh = Fresh::filled);

/// The same from the notation itself, statements as they stand between the braces of `loops`; declared tensors are
/// undefined. Every problem is reported; the result is empty when there was one.
std::optional<Stmt> read(std::string_view notation, const lang::Program& program, text::Diagnostics& diagnostics);

/// The nest without its notes: what reading its print gives.
Stmt without_notes(const Stmt& stmt);

}  // namespace trellis::loop
