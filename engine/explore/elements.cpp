#include "engine/explore/elements.hpp"

#include "engine/format/storage_order.hpp"

namespace trellis::explore {

Elements::Elements(const flow::Bindings& bindings) {
  for (const auto& [name, tensor] : bindings.tensors)
    if (tensor && tensor.layout_map()) layouts_.emplace(name, tensor.layout_map());
}

tensor::Index Elements::at(const flow::Tensor& tensor, const std::vector<std::int64_t>& coordinates) const {
  const auto layout = layouts_.find(tensor.name);
  if (layout == layouts_.end() || coordinates.size() < tensor.levels.size())
    return format::by_dimension(tensor, coordinates);
  tensor::Index found;
  layout->second->elements(coordinates, [&](const tensor::Index& element) {
    if (found.empty()) found = element;
  });
  return found.empty() ? coordinates : found;
}

}  // namespace trellis::explore
