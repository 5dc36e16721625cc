#include "engine/session/live/zoomed.hpp"

namespace trellis::session {
namespace {

constexpr std::int64_t most_ordered = 1 << 23;  ///< 128 MB in order
constexpr int coarse_cells = 96;                ///< in each direction

}  // namespace

ZoomedInto zoomed_into(const Held& matrix, const text::Cancel& cancel) try {
  const text::CancelScope scope(cancel);
  ZoomedInto made;
  made.order = view::ZOrder::of(matrix.tensor, most_ordered);
  if (!made.order) made.coarse = view::cells_of(matrix.tensor, coarse_cells, coarse_cells);
  made.band = made.order ? made.order->bandwidth() : view::bandwidth_of(matrix.tensor);
  return made;
} catch (const text::Cancelled&) {
  return {};  // nobody looks at it any more
}

}  // namespace trellis::session
