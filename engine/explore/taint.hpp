#pragma once
// What undefined elements spoil, when an illegal order is run all the same: a read of an element that nothing has
// written has no value, one of an element that is not complete has the wrong one, and so has all that is computed of
// them.
//
//   V(0,2) = V(1,1) * …       V(1,1) is not written yet: V(0,2) is undefined, and what reads it later as well
//
// A condition on such a value spoils what it decides about, whether it holds or not: the result of an argmax is spoiled
// when one of those that it chose among is.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/explore/trace.hpp"

namespace trellis::explore {

/// The worse one is the greater.
enum class Taint : unsigned char { none, stale, undefined };
const char* name_of(Taint taint);

struct Taints {
  std::vector<Taint> steps;  ///< of the value that each gives: of its write, or, where something begins afresh, `none`
  /// An element whose value a condition decided about.
  struct Chosen {
    std::size_t step = 0;  ///< so many steps were taken before
    std::string tensor;
    tensor::Index element;
    Taint taint = Taint::none;  ///< that it has from then on
  };
  std::vector<Chosen> chosen;  ///< in the order of the steps
};
/// `defined`: tensors whose elements have values before anything is written.
Taints taints(const Trace& trace, const std::set<std::string>& defined);

}  // namespace trellis::explore
