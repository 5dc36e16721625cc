#pragma once
// What is known of a tensor's rows, found when first asked for: where they have entries, how much they weigh, parts of
// their graph. It stays right while the tensor's arrays stay, since nobody changes those in place.

#include <map>
#include <memory>

#include "engine/distribute/graph_parts.hpp"

namespace trellis::distribute {

/// Parts of a graph, and the numbers that rows get by them.
struct GraphParts {
  std::vector<std::int64_t> part;  ///< by row of the user
  std::shared_ptr<const Numbering> numbering;
  std::vector<std::int64_t> places;
};

class RowGraph {
 public:
  RowGraph(tensor::Tensor of, std::size_t along) : of_(std::move(of)), along_(along) {}
  /// Of these very arrays, along that dimension.
  bool is_of(const tensor::Tensor& tensor, std::size_t along) const {
    return along == along_ && &of_.storage() == &tensor.storage();
  }

  const Pattern& pattern();
  const std::vector<std::int64_t>& weights();
  /// Null as `parts_of` is empty.
  std::shared_ptr<const GraphParts> parts(std::int64_t parts);

 private:
  const tensor::Tensor of_;
  const std::size_t along_;
  std::optional<Pattern> pattern_;
  std::vector<std::int64_t> weights_;
  std::map<std::int64_t, std::shared_ptr<const GraphParts>> parts_;  ///< by how many
};

}  // namespace trellis::distribute
