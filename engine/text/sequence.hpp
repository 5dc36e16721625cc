#pragma once
// Vectors as the small ordered sets that most lists of names are: a search from the front is faster than a tree, and
// the order stays.

#include <algorithm>
#include <utility>

namespace trellis::text {

template <class Sequence, class Value>
bool contains(const Sequence& sequence, const Value& value) {
  return std::find(sequence.begin(), sequence.end(), value) != sequence.end();
}

/// Appends what the sequence does not yet contain.
template <class Sequence, class Value>
void add_once(Sequence& sequence, Value&& value) {
  if (!contains(sequence, value)) sequence.emplace_back(std::forward<Value>(value));
}

}  // namespace trellis::text

namespace trellis {

using text::add_once;
using text::contains;

}  // namespace trellis
