#pragma once
// Expressions alone: `y(2)`, `sum(i)(x(i)) / n`, `gcd(12, 18)`. Each is an equation of a kernel of its own, which is
// resolved, compiled and run as all are, in a copy of the state, and leaves nothing behind.

#include "engine/session/command/words.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

/// `print` of that expression.
lang::syntax::Command print_of(const lang::syntax::Name& name, lang::syntax::Expr value);

/// Names alone that no command has are expressions: `x` is `print x`. At a prompt where a question is open, numbers
/// answer it: `1` is `quiz 1`.
lang::syntax::File read_values(const State& state, lang::syntax::File file);

/// The name that such a `print` was, else null.
const lang::syntax::Name* name_alone(const lang::syntax::Command& command);

/// What the expression is now. Empty is reported; `exit` tells a kernel that failed while it ran.
std::optional<tensor::Tensor> evaluate(State& state, const lang::syntax::Expr& value, text::Span at,
                                       text::Diagnostics& diagnostics, Exit& exit);

}  // namespace trellis::session
