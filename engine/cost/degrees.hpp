#pragma once
// How many entries tensors have at each coordinate of a dimension, their degrees: where a loop goes from entry to entry
// of one tensor, and another one's fibers are walked inside, long fibers are come to more often than short ones where
// both are crowded at the same coordinates (docs/design/arrays.md#statistics).

#include <map>
#include <memory>
#include <vector>

namespace trellis::cost {

class Degrees {
 public:
  /// Of one dimension of a tensor: by what they are asked for.
  using Key = std::shared_ptr<const std::vector<double>>;

  /// Σ over coordinates of Π shares, a share being a degree over the sum of all. 1 for one, and for none.
  double together(std::vector<Key> of);

 private:
  std::map<std::vector<Key>, double> known_;  ///< by keys in rising order
};

}  // namespace trellis::cost
