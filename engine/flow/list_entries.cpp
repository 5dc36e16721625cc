#include "engine/flow/list_entries.hpp"

#include "engine/flow/marks.hpp"

namespace trellis::flow {

Flow list_entries(const Flow& flow) {
  Flow result = flow;
  for (std::size_t k = 0; k < flow.tensors.size(); ++k) {
    const Tensor& tensor = flow.tensors[k];
    if (tensor.levels.empty() || !tensor.levels.back().facts.listed) continue;
    result.tensors[k].listed = adds_up(flow, tensor).has_value();
    result.tensors[k].levels.back().facts.listed = result.tensors[k].listed;
  }
  return result;
}

}  // namespace trellis::flow
