#pragma once
// Names in the order in which they come for the first time.

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trellis::lang {

class DistinctNames {
 public:
  void add(const std::string& name) {
    if (known_.insert(name).second) names_.push_back(name);
  }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::set<std::string> known_;
};

}  // namespace trellis::lang
