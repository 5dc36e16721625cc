#pragma once
// How work that takes long learns that nobody waits for it any more.

#include <functional>

namespace trellis::tensor {

/// Asked now and then, possibly by another thread's wish: true ends the work with the error E0506. May be empty.
using Cancelled = std::function<bool()>;

}  // namespace trellis::tensor
