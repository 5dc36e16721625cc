#pragma once
// Which element of a tensor a place of its storage is, for what is told of a control flow's steps: its tensors have
// levels, and layouts have been applied.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/flow/interpret.hpp"
#include "engine/tensor/layout_map.hpp"

namespace trellis::explore {

class Elements {
 public:
  explicit Elements(const flow::Bindings& bindings);
  /// By dimension; of padding, and of a temporary in a program of storage, the coordinates of the levels.
  tensor::Index at(const flow::Tensor& tensor, const std::vector<std::int64_t>& coordinates) const;

 private:
  std::map<std::string, std::shared_ptr<const tensor::LayoutMap>> layouts_;
};

}  // namespace trellis::explore
