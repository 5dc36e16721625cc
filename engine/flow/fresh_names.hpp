#pragma once
// Names for what a pass brings into a flow: none that the flow has.

#include <set>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

class FreshNames {
 public:
  explicit FreshNames(const Flow& flow);
  /// The wish, or with the first number that makes it new: `L_value_2`.
  std::string numbered(const std::string& wish) const;
  /// The wish with as many `_` behind it as it needs.
  std::string underlined(std::string wish) const;
  /// From now on it is one of the flow's; gives it back.
  const std::string& take(const std::string& name) { return *taken_.insert(name).first; }

 private:
  std::set<std::string> taken_;
};

}  // namespace trellis::flow
