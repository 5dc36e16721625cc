#pragma once
// Plans that were made before, by a key that says all that they hold for: the C++ of lazy::compute and the Python
// module keep theirs in one of these, each with the code that belongs to it.

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/lazy/seen.hpp"

namespace trellis::lazy {

/// Of so many the one that was used longest ago goes. Not for two threads at once.
template <class Made>
class PlanCache {
 public:
  explicit PlanCache(std::size_t most = 256) : most_(most) {}

  const Made* find(const std::string& key) {
    const auto found = plans_.find(key);
    if (found == plans_.end()) return nullptr;
    found->second.used = ++clock_;
    return &found->second.made;
  }
  void put(const std::string& key, Made made) {
    if (plans_.size() >= most_ && !plans_.contains(key))
      plans_.erase(std::ranges::min_element(plans_, {}, [](const auto& one) { return one.second.used; }));
    plans_[key] = {std::move(made), ++clock_};
  }
  /// Nothing is known for the key from now on, but what runs have found.
  void plan_anew(const std::string& key, Seen seen) {
    plans_.erase(key);
    if (seen_.size() >= most_) seen_.clear();
    seen_[key] = std::move(seen);
  }
  Seen seen(const std::string& key) const {
    const auto found = seen_.find(key);
    return found == seen_.end() ? Seen() : found->second;
  }
  std::size_t size() const { return plans_.size(); }
  void clear() {
    plans_.clear();
    seen_.clear();
  }

 private:
  struct One {
    Made made;
    std::uint64_t used = 0;
  };
  const std::size_t most_;
  std::unordered_map<std::string, One> plans_;
  std::unordered_map<std::string, Seen> seen_;  ///< of what was planned anew
  std::uint64_t clock_ = 0;
};

}  // namespace trellis::lazy
