#pragma once
// The matrix that somebody zooms into, put in the order for that (view/z_order.hpp) while the window goes on.

#include <optional>

#include "engine/session/live/aside.hpp"
#include "engine/view/z_order.hpp"

namespace trellis::session {

/// A tensor of a snapshot, which nothing changes any more.
struct Held {
  tensor::Tensor tensor;
  bool operator==(const Held& other) const { return &tensor.storage() == &other.tensor.storage(); }
};

struct ZoomedInto {
  std::optional<view::ZOrder> order;  ///< none: it has too many entries for that
  view::Cells coarse;                 ///< all of it, where there is no order
  view::Bandwidth band;
};
ZoomedInto zoomed_into(const Held& matrix, const text::Cancel& cancel);

using Zooming = Aside<Held, ZoomedInto>;

}  // namespace trellis::session
