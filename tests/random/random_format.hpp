#pragma once
// Storage formats at random: every combination of levels that can be stored, with options, storage orders, fills and
// patterns.

#include <string>

#include "tests/random/generate.hpp"

namespace trellis::randomised {

/// What the values of a program are like, which decides what fills make sense.
enum class Values { numbers, distances, truths };

struct FormatWishes {
  int rank = 2;
  Values values = Values::numbers;
  bool result = false;   ///< computed, hence neither a pattern nor with repetitions
  int sparse = 80;       ///< chance, in percent, of anything but dense
  bool tuples = true;    ///< with nonunique levels, such as those of coo
  bool layouts = false;  ///< `bcsr(2, 3)`, `dia`, …, of matrices
  int regions = 0;       ///< chance, in percent, that the last level holds blocks, runs or one region
};

/// What follows the element type in a declaration: ` {compressed, hashed} @ (1, 0) fill 2`; empty for an ordinary dense
/// tensor.
std::string random_attributes(Dice& dice, const FormatWishes& wishes);

/// Chances, in percent, of formats for operands and for what is computed.
struct SparseWishes {
  int operands = 85;
  int results = 0;
  bool tuples = true;
  int endings = 0;     ///< truth values and u8, whose reductions come to an end before their loops do
  int undeclared = 0;  ///< of results that the program can leave so
};

/// The draft with formats on what it declares.
Draft with_formats(Draft draft, Dice& dice, const SparseWishes& wishes);

/// The draft with most of what it declares in rows of runs.
Draft with_runs(Draft draft, Dice& dice);

/// The drafts that have a simpler declaration somewhere: dense, without an option, in the plain order.
std::vector<Draft> with_simpler_formats(const Draft& draft);

}  // namespace trellis::randomised
