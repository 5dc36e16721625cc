#pragma once
// Reproducible contents: `random x seed 1 density 0.1`. What an element becomes depends only on the seed, the density,
// the element's index and the shape: not on the machine or the order of filling; on the format where it has regions.
//
// Draw d of element e (row-major number) of seed s is mix(mix(s + g) + g*(2*e + d + 1)), where mix is splitmix64's
// output function and g its increment 0x9E3779B97F4A7C15: a counter-based generator, so no state is carried.
//
// A format with levels of runs, blocks or single regions gets those (random_regions.hpp), so that there it says which
// elements are drawn, and which of them are equal. Of other formats: Which elements are drawn: those whose draw 0 lies
// below the density; but at densities below 1/16, where most of the work would be to find out that elements are not
// drawn, those at which geometrically distributed steps arrive.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "engine/tensor/cancelled.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

/// [low, high). Integer types always draw integers; floating types do when `integers` is set.
struct RandomRange {
  double low = 0;
  double high = 1;
  bool integers = false;
};

/// splitmix64's output function.
std::uint64_t mix(std::uint64_t z);

enum class RandomKind { general, positive_definite, normal };

struct RandomOptions {
  std::uint64_t seed = 0;
  std::optional<double> density;  ///< the chance that an element is drawn and not the fill; none: 1, for bool 1/2
  std::optional<RandomRange>
      range;  ///< none: [0, 1) for floating types, 0…9 for integers; bool draws the fill's opposite
  /// normal: floating values of mean 0 and variance 1, within 6 of it: sums of twelve that are uniform, less 6, which
  /// are the same on every machine, as logarithms are not.
  /// positive_definite: symmetric n x n of a floating type with fill 0; each diagonal element is 1 more than the
  /// absolute sum of the rest of its row.
  RandomKind kind = RandomKind::general;
  std::size_t limit_bytes = std::numeric_limits<std::size_t>::max();  ///< of a sparse tensor's entries (E0410)
  Cancelled cancelled = {};
};

/// Fills the whole tensor, or reports (E0415, and E0206, E0410 or E0411 of a sparse one) at `span` and leaves it as it
/// was. A sparse tensor stores what was drawn. Cancelled (E0506), a dense tensor is filled in part.
bool fill_random(Tensor& tensor, const RandomOptions& options, text::Span span, text::Diagnostics& diagnostics);

}  // namespace trellis::tensor
