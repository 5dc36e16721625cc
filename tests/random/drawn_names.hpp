#pragma once
// Other names for what a random program names: those that C, its libraries and the generated code use themselves.

#include "tests/random/data.hpp"
#include "tests/random/draft.hpp"
#include "tests/random/program_case.hpp"

namespace trellis::randomised {

/// The same program with some of its tensors and indices called like something of the C that it becomes: identifiers of
/// the golden files' C, C's keywords and macros, and what names of the program's own would be joined to. The dice are
/// its own, so that seeds of programs keep their meaning; now and then nothing is renamed. A name that the language
/// refuses is not drawn.
Draft with_drawn_names(const Draft& draft, const Case& program, std::uint64_t seed);

}  // namespace trellis::randomised
