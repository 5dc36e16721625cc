#pragma once
// What this machine can do at most: a triad for bytes, multiply-add chains for arithmetic, both compiled as native
// kernels are and measured when they are first asked for. Other work on the machine slows them as it slows kernels.

#include <cstddef>
#include <optional>

#include "engine/format/scalar.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::run {

struct Roof {
  double gb_per_s = 0;     ///< a(i) = b(i) + s * c(i), as many bytes as asked for, each touched once
  double gflop_per_s = 0;  ///< separate multiplications and additions: kernels are compiled without contraction
};

/// Measured once per process for each power of two of `bytes`, type (f32 or f64) and number of threads. Empty without a
/// C compiler, or when cancelled.
std::optional<Roof> measured_roof(std::size_t bytes, format::ScalarType type, int threads,
                                  const text::Cancel& cancel = {});

}  // namespace trellis::run
