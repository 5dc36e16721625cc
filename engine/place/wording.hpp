#pragma once
// How a failure reads: the part of a tensor that a read needs, and what a loop does that makes it too late.

#include <string>

#include "engine/place/analysis.hpp"
#include "engine/place/placer.hpp"

namespace trellis::place {

/// Over all iterations of the reader's reduction: "all of column j-1", "all of x", "all of x(i+1:)", "H(i-1,j)".
std::string needed_part(const Analysis& analysis, const Fragment& reader, const Read& read);

/// "finishes row i before it starts row i+1"; "each sum is complete only after its last k"; empty when neither is so.
std::string fault_of_loop(const Analysis& analysis, const Attempt& attempt, const lang::Order& order);

/// The equation as it is written, for fixes.
std::string equation_text(const Analysis&, const lang::Equation& equation);

}  // namespace trellis::place
