#pragma once
// Questions about a program: predict what the compiler or the loops do, then see. Each is made from what the compiler
// itself computes, with its answer and the reason for it, so that it stays right whatever the program becomes
// meanwhile.
//
//   make_question(state, 1)     "May the loops run in the order i j k?"   yes, no     no: at i=0, j=2, k=1 it reads V(1,1), …

#include <optional>
#include <string>

#include "engine/session/state/state.hpp"
#include "engine/session/teach/question.hpp"

namespace trellis::session {

/// The n-th question, from 1, about the session's program; about an example when it has no kernel or nothing to ask of
/// one. The kinds take turns; what one has no question of is left to the next. The same program and number give the
/// same question.
QuizQuestion make_question(State& state, int number);

/// The choice that an answer means, by its number or its words; empty when none.
std::optional<std::size_t> choice_of(const QuizQuestion& question, const std::string& answer);

}  // namespace trellis::session
