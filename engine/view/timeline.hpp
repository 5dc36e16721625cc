#pragma once
// An execution seen from afar: nested bands, one for each iteration of a loop, over the steps from left to right; what
// is read and written; and where reads come too early.
//
//   for i { for j { … } }      i=0      |i=1      |            depth 0
//                              j=0 j=1  |j=0 j=1  |            depth 1

#include <cstdint>
#include <string>
#include <vector>

#include "engine/explore/trace.hpp"

namespace trellis::view {

struct Timeline {
  struct Band {
    int depth = 0;
    std::string loop;
    std::int64_t value = 0;
    std::size_t first = 0, last = 0;  ///< steps, from 0
    bool operator==(const Band&) const = default;
  };
  struct Tick {
    std::size_t step = 0;
    std::string tensor;
    tensor::Index index;
    bool write = false;
    bool early = false;
    bool operator==(const Tick&) const = default;
  };
  std::size_t steps = 0;
  std::vector<Band> bands;  ///< outer before inner, in the order of their first steps
  std::vector<Tick> ticks;  ///< in the order of the steps, reads before the write
};

/// Iterations of loops that run one after the other without a step of their own show as one band.
Timeline timeline_of(const explore::Trace& trace);

}  // namespace trellis::view
