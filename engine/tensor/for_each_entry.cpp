#include "engine/tensor/for_each_entry.hpp"

#include <algorithm>

#include "engine/tensor/layout_map.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

class StorageVisitor {
 public:
  using Visit = std::function<void(const Index& first, const Index& last, std::int64_t place)>;
  enum class VisitRuns { whole, by_coordinate };
  StorageVisitor(const Storage& storage, VisitRuns runs, const Visit& visit)
      : storage_(storage), visit_runs_(runs), visit_(visit), first_(storage.levels.size()), last_(first_) {}

  void from(std::size_t level, std::int64_t parent) {
    if (level == storage_.levels.size()) return visit_(first_, last_, parent);
    const LevelStorage& l = storage_.levels[level];
    if (!l.facts.coordinates) {
      const auto [first, last] = l.coordinates_below(parent);
      for (std::int64_t c = first; c < last; ++c) step(level, c, c, l.product(parent, c));
    }
    const auto [begin, end] = l.fiber(parent);
    for (std::int64_t entry = begin; entry < end; ++entry) {
      if (l.facts.child == format::Child::product) {
        const std::int64_t c = l.coordinate_numbers()[entry];
        step(level, c, c, l.product(parent, c));
        continue;
      }
      const LevelStorage::Region region = l.region(entry, begin);
      if (visit_runs_ == VisitRuns::whole && l.facts.region == format::Region::run) {
        if (region.first <= region.last) step(level, region.first, region.last, region.child);
        continue;
      }
      for (std::int64_t c = region.first; c <= std::min(region.last, l.size - 1); ++c)
        step(level, c, c, l.child(region, c));
    }
  }

 private:
  void step(std::size_t level, std::int64_t first, std::int64_t last, std::int64_t child) {
    first_[level] = first;
    last_[level] = last;
    from(level + 1, child);
  }

  const Storage& storage_;
  const VisitRuns visit_runs_;
  const Visit& visit_;
  Index first_, last_;
};

}  // namespace

void for_each_run(const Tensor& tensor, const std::function<void(const Index&, const Index&, std::int64_t)>& visit) {
  if (!tensor.reserved()) StorageVisitor(tensor.storage(), StorageVisitor::VisitRuns::whole, visit).from(0, 0);
}

void for_each_place(const Tensor& tensor, const std::function<void(const Index&, std::int64_t)>& visit) {
  if (tensor.reserved()) return;
  const auto each = [&](const Index& coordinates, const Index&, std::int64_t place) { visit(coordinates, place); };
  StorageVisitor(tensor.storage(), StorageVisitor::VisitRuns::by_coordinate, each).from(0, 0);
}

void for_each_element(const Tensor& tensor, const std::function<void(const Index&, std::int64_t)>& visit) {
  if (const auto& map = tensor.layout_map()) {
    for_each_place(tensor, [&](const Index& coordinates, std::int64_t place) {
      map->elements(coordinates, [&](const Index& index) { visit(index, place); });
    });
    return;
  }
  Index index(tensor.shape().size());
  for_each_place(tensor, [&](const Index& coordinates, std::int64_t place) {
    for (std::size_t l = 0; l < index.size(); ++l)
      index[static_cast<std::size_t>(tensor.format().order[l])] = coordinates[l];
    visit(index, place);
  });
}

void for_each_entry(const Tensor& tensor, const std::function<void(const Index&, const format::Value&)>& visit) {
  for_each_element(tensor, [&](const Index& index, std::int64_t place) { visit(index, tensor.get_flat(place)); });
}

std::int64_t listed_entries(const Tensor& tensor) {
  // Of elements that share a place each is listed.
  const bool shares = tensor.format().layout && tensor.format().layout->branches.size() > 1;
  if (!format::pads(tensor.format()) && !shares) return tensor.entries();
  std::int64_t count = 0;
  for_each_listed(tensor, [&](const Index&, const format::Value&) { ++count; });
  return count;
}

void for_each_listed(const Tensor& tensor, const std::function<void(const Index&, const format::Value&)>& visit) {
  const bool padded = format::pads(tensor.format());
  for_each_entry(tensor, [&](const Index& index, const format::Value& value) {
    if (!padded || !same_value(value, tensor.fill())) visit(index, value);
  });
}

}  // namespace trellis::tensor
