#pragma once
// The values that a kernel may overwrite, kept so that they can be put back. What a kernel appends to starts empty each
// time and counts for nothing until it is settled, so there is nothing to keep of it.
//
// A kernel runs on the caller's arrays, which it shares with the child. The other way, running on copies and copying
// the results back, reads and writes everything once more on each success; this way costs one copy, and the way back is
// taken only on failure. The copy lies in a shared mapping too, since fork copies page tables of private memory.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run {

/// One array, and what was in it. Readable in a child as well.
struct Kept {
  void* place;
  std::size_t bytes;
  const void* copy;    ///< of the whole array, or of its first element
  std::size_t copied;  ///< bytes
};

void put_back(std::span<const Kept> all);

class Snapshot {
 public:
  /// Of the arrays that the module writes. Empty when memory is refused.
  static std::optional<Snapshot> take(const emit::Module& module, const Bindings& bindings);
  void restore() const { put_back(kept_); }
  std::span<const Kept> kept() const { return kept_; }
  std::size_t bytes() const;  ///< that the copies take

 private:
  std::vector<Kept> kept_;
  std::vector<std::shared_ptr<tensor::SharedArray>> copies_;
};

}  // namespace trellis::run
