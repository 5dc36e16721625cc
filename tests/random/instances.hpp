#pragma once
// A kernel taken apart at concrete sizes: which fragments it has, which iterations each of them runs, and which
// iteration must come before which. Written from the language's rules alone; nothing of placement or isl takes part,
// so that it can judge them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::randomised {

using Point = std::vector<std::int64_t>;
using Sizes = std::map<std::string, std::int64_t>;

/// An equation, or one of its reductions. A reduction that is the whole right side is the equation's only fragment.
struct Piece {
  std::string name;
  std::vector<std::string> variables;  ///< free ones first, then those reduced over
  int equation = 0;                    ///< its place in the kernel
};

/// Values of the writing and of the reading piece's variables.
using Pair = std::pair<Point, Point>;

struct Instances {
  std::vector<Piece> pieces;
  /// (writer, reader) to all pairs of iterations, over all sizes together.
  std::map<std::pair<int, int>, std::vector<Pair>> dependences;
  /// "overlap", "range" or "cycle" when the definitions themselves are wrong at one of the sizes.
  std::string problem;
  Sizes problem_sizes;
};

Instances expand(const lang::Program& program, const lang::Kernel& kernel, const std::vector<Sizes>& sizes);

}  // namespace trellis::randomised
