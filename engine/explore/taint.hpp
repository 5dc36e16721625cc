#pragma once
// What undefined elements spoil, when an illegal order is run all the same: a read of an element that nothing has
// written has no value, one of an element that is not complete has the wrong one, and so has all that is computed of
// them.
//
//   V(0,2) = V(1,1) * …       V(1,1) is not written yet: V(0,2) is undefined, and what reads it later as well

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

/// Of the value that each step gives: of its write, or, where something begins afresh, `none`. `defined`: tensors whose
/// elements have values before anything is written.
std::vector<Taint> taints(const Trace& trace, const std::set<std::string>& defined);

}  // namespace trellis::explore
