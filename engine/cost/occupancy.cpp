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
  const bool collects = !cursor.is_product() && inserted_.contains({t.name, cursor.level});
  const Collected own = collects ? collected(t, level) : Collected();
  const double fiber = collects ? own.entries / std::max(1.0, own.fibers) : stored;
  const double within = cursor.below || cursor.above ? std::min(1.0, range / keys) : 1;
  const double all = fiber * within * static_cast<double>(cursor.stretch) / static_cast<double>(cursor.stride);
  return cursor.takes_segments() ? std::min(range, all * static_cast<double>(cursor.width)) : all;
}

double Occupancy::storing_fibers(const std::string& tensor, int level) const {
  const flow::Tensor& t = *flow_.tensor(tensor);
  const auto own = static_cast<std::size_t>(level);
  return fiber_of(t, own, data_) * size_of(t, own - 1, data_) / std::max(1.0, size_of(t, own, data_));
}

double Occupancy::fibers(const flow::Tensor& workspace, std::size_t level) const {
  if (level == 0) return 1;
  const std::size_t above = level - 1;
  return workspace.levels[above].facts.dense() ? fibers(workspace, above) * size_of(workspace, above, data_)
                                               : collected(workspace, above).entries;
}

/// What is inserted between two resets hits the same coordinates now and then.
Collected Occupancy::collected(const flow::Tensor& workspace, std::size_t level) const {
  const auto inserted = inserted_.find({workspace.name, static_cast<int>(level)});
  const auto resets = resets_.find(workspace.name);
  const double times = inserted == inserted_.end() ? 0 : inserted->second;
  Collected all{workspace.levels[level].facts, 0, fibers(workspace, level), size_of(workspace, level, data_)};
  all.inserted = times / (resets == resets_.end() ? 1 : std::max(1.0, resets->second));
  const double places = all.fibers * all.size;
  all.entries = places > 0 ? places * -std::expm1(-all.inserted / places) : 0;
  all.outermost = level == 0;
  return all;
}

double Occupancy::fresh_pages(const flow::Tensor& temporary) const {
  double elements = 1;
  for (std::size_t level = 0; level < temporary.levels.size(); ++level) {
    if (temporary.levels[level].facts.locate != format::Locate::direct) return 0;
    elements *= size_of(temporary, level, data_);
  }
  const double pages = elements * static_cast<double>(format::size_of(temporary.type)) / page_bytes;
  if (pages < few_pages) return 0;
  const auto inserted = inserted_.find({temporary.name, static_cast<int>(temporary.levels.size()) - 1});
  return inserted == inserted_.end() ? pages : std::min(pages, inserted->second);
}

Data Occupancy::with_collected() const {
  Data data = data_;
  for (const auto& [of, times] : inserted_) {
    const flow::Tensor& t = *flow_.tensor(of.first);
    if (t.storage != flow::Tensor::Storage::temporary || data.regions.contains(t.name)) continue;
    std::vector<double>& regions = data.regions[t.name];
    for (std::size_t level = 0; level < t.levels.size(); ++level)
      regions.push_back(t.levels[level].facts.dense() ? fibers(t, level) * size_of(t, level, data_)
                                                      : collected(t, level).entries);
  }
  return data;
}

}  // namespace trellis::cost
