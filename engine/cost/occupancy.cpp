#include "engine/cost/occupancy.hpp"

#include <algorithm>
#include <cmath>

#include "engine/cost/nest.hpp"

namespace trellis::cost {

double Occupancy::entries(const flow::Cursor& cursor, const std::string& variable, double range) const {
  const flow::Tensor& t = *flow_.tensor(cursor.tensor);
  const auto level = static_cast<std::size_t>(cursor.level);
  if (cursor.full && t.levels[level].facts.points()) return range;
  if (const auto loop = data_.walked.find(variable); loop != data_.walked.end())
    if (const auto found = loop->second.find(cursor.tensor); found != loop->second.end())
      return std::min(range, found->second);
  double keys = 1, stored = 1;  // of one level, coordinates and entries
  for (auto k = static_cast<std::size_t>(cursor.first_level()); k <= level; ++k) {
    keys *= size_of(t, k, data_);
    stored *= fiber_of(t, k, data_);
  }
  const double fiber = !cursor.is_product() && inserted_.contains(t.name) ? inserted(t, level) : stored;
  const double within = cursor.below || cursor.above ? std::min(1.0, range / keys) : 1;
  const double all = fiber * within * static_cast<double>(cursor.stretch) / static_cast<double>(cursor.stride);
  return cursor.takes_segments() ? std::min(range, all * static_cast<double>(cursor.width)) : all;
}

double Occupancy::storing_fibers(const std::string& tensor, int level) const {
  const flow::Tensor& t = *flow_.tensor(tensor);
  const auto own = static_cast<std::size_t>(level);
  return fiber_of(t, own, data_) * size_of(t, own - 1, data_) / std::max(1.0, size_of(t, own, data_));
}

/// What is inserted between two resets hits the same coordinates now and then.
double Occupancy::inserted(const flow::Tensor& workspace, std::size_t level) const {
  double parents = 1;
  for (std::size_t k = 0; k < level; ++k) parents *= size_of(workspace, k, data_);
  const auto resets = resets_.find(workspace.name);
  const double times =
      inserted_.at(workspace.name) / (resets == resets_.end() ? 1 : std::max(1.0, resets->second)) / parents;
  const double size = size_of(workspace, level, data_);
  return size * -std::expm1(-times / size);
}

}  // namespace trellis::cost
