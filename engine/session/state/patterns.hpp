#pragma once
// Patterns of results (symbolic/with_patterns.hpp) in a session: found by the elimination tree where the equations are
// those of a factorisation, else by their twin as a kernel; kept while what their operands store stays in its places.

#include <optional>
#include <string>

#include "engine/session/command/commands.hpp"
#include "engine/symbolic/eliminate.hpp"

namespace trellis::session {

/// How a kernel that computes a pattern ran, without code of its own.
struct PatternRun {
  std::optional<Ran::Kernel> ran;  ///< empty: it failed, which is reported
  std::string work = {};           ///< "fill 1.9, 87 products"; "" when it did not look again
};

/// Empty when the kernel has to run like any other: it computes no pattern, or one that is no factorisation's.
std::optional<PatternRun> run_pattern(State& state, const lang::Kernel& kernel, text::Span at,
                                      text::Diagnostics& diagnostics, Exit& exit);

/// N0207, once for each pattern: how many entries the results will have, what their values take; W0211 when that is
/// more than there may be.
void tell_of_pattern(State& state, const lang::Kernel& pattern, const std::string& work,
                     text::Diagnostics& diagnostics);

/// N0208, once for each mask of the user: entries that the equations would give the result, and that the mask leaves
/// out.
void judge_masks(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics);

/// `show mask`: of each masked result its masks, how they are found, and what is known of them.
std::string mask_text(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics);

// What the two sources of these share.

/// Of what the operands store now; `program` has the twin. Empty is reported.
std::optional<symbolic::Factor> factor_of(State& state, const lang::Program& program, const symbolic::Elimination& how,
                                          text::Span at, text::Diagnostics& diagnostics);
/// `show supernodes`: how many there are, of how many columns, and how many zeros are stored for them.
std::string supernodes_text(State& state, const lang::Kernel& kernel, text::Span at, text::Diagnostics& diagnostics);

/// The mask that has this pattern; null of one that only other patterns read.
const lang::Schedule::Mask* mask_with(const lang::Kernel& masked, const std::string& pattern);
/// "32 entries, 256 bytes of values": what a result has with a pattern that the session holds.
std::string forecast(const State& state, const lang::Program& program, const std::string& result,
                     const std::string& pattern);
/// "by the elimination tree".
std::string method(const symbolic::Elimination& how);

}  // namespace trellis::session
