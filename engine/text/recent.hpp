#pragma once
// What was asked for last, and no more than so many: caches of values that are found by comparison.

#include <algorithm>
#include <cstddef>
#include <list>

namespace trellis::text {

/// A value stays where it is until `most` others have been asked for since.
template <class Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  /// The value that `matches`, or null.
  template <class Matches>
  Value* find(Matches&& matches) {
    const auto found = std::find_if(values_.begin(), values_.end(), matches);
    if (found == values_.end()) return nullptr;
    values_.splice(values_.begin(), values_, found);
    return &values_.front();
  }
  Value& add(Value value) {
    values_.push_front(std::move(value));
    if (values_.size() > most_) values_.pop_back();
    return values_.front();
  }
  template <class Matches>
  const Value* peek(Matches&& matches) const {
    const auto found = std::find_if(values_.begin(), values_.end(), matches);
    return found == values_.end() ? nullptr : &*found;
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::size_t most_;
  std::list<Value> values_;
};

}  // namespace trellis::text
