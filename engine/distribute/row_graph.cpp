#include "engine/distribute/row_graph.hpp"

namespace trellis::distribute {

const Pattern& RowGraph::pattern() {
  if (!pattern_) pattern_ = pattern_of(of_, along_);
  return *pattern_;
}

const std::vector<std::int64_t>& RowGraph::weights() {
  if (weights_.empty()) weights_ = weights_of(pattern());
  return weights_;
}

std::shared_ptr<const GraphParts> RowGraph::parts(std::int64_t parts) {
  constexpr std::size_t most = 8;
  if (const auto known = parts_.find(parts); known != parts_.end()) return known->second;
  auto part = parts_of(pattern(), parts);
  if (!part) return nullptr;
  GraphParts made{{}, std::make_shared<const Numbering>(numbering_of(*part, parts)), places_of(*part, parts)};
  made.part = std::move(*part);
  if (parts_.size() == most) parts_.clear();
  return parts_[parts] = std::make_shared<const GraphParts>(std::move(made));
}

}  // namespace trellis::distribute
