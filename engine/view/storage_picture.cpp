#include "engine/view/storage_picture.hpp"

#include <algorithm>

#include "engine/format/storage_order.hpp"
#include "engine/view/cells.hpp"
#include "engine/view/element_levels.hpp"

namespace trellis::view {
namespace {

using tensor::Index;
using tensor::Tensor;
using Holds = StoragePicture::Holds;

/// Places that are asked for at most: so many more than elements have all levels of usual layouts together.
constexpr std::int64_t most_places = 1 << 14;

class Pictured {
 public:
  Pictured(const std::string& name, const Tensor& tensor)
      : tensor_(tensor),
        levels_(tensor),
        pads_(format::pads(tensor.format())),
        grouping_(grouping_levels(tensor.format(), tensor.shape().size())) {
    p_.tensor = name;
    p_.format = format::to_string(tensor.format());
    p_.shape = tensor.shape();
    const std::size_t rank = p_.shape.size();
    p_.rows = rank < 2 ? 1 : std::min(p_.shape[rank - 2], most_pictured);
    p_.columns = std::min(p_.shape[rank - 1], most_pictured);
    p_.corner = rank > 2 || p_.columns < p_.shape[rank - 1] || (rank == 2 && p_.rows < p_.shape[0]);
    for (std::size_t l = 0; l < levels_.count(); ++l)
      p_.levels.push_back(
          {format::stored_by(tensor.format(), l), format::to_string(tensor.format().levels[l]), levels_.low(l)});
  }

  StoragePicture picture() && {
    add_grid();
    find_places();
    merge_runs();
    add_free_slots();
    sort_fibers();
    number_groups();
    return std::move(p_);
  }

 private:
  /// Where in the grid; nothing for an element that is not shown.
  std::optional<std::size_t> shown(const Index& element) const {
    const std::size_t rank = element.size();
    for (std::size_t d = 0; d + 2 < rank; ++d)
      if (element[d] != 0) return std::nullopt;
    const std::int64_t row = rank < 2 ? 0 : element[rank - 2], column = element[rank - 1];
    if (row >= p_.rows || column >= p_.columns) return std::nullopt;
    return static_cast<std::size_t>(row * p_.columns + column);
  }

  void add_grid() {
    for (std::size_t at = 0; at < static_cast<std::size_t>(p_.rows * p_.columns); ++at) {
      StoragePicture::Element one;
      if (!levels_.of(p_.index_at(at), one.levels, one.mirrored)) one = {Holds::excluded, -1, -1, false, {}};
      p_.grid.push_back(std::move(one));
    }
    const auto group = [this](std::int64_t row, std::int64_t column) {
      const Index& levels = p_.at(row, column).levels;
      return Index(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(levels.empty() ? 0 : grouping_));
    };
    p_.row_cuts = cuts_of(p_.rows, p_.columns, group);
    p_.column_cuts = cuts_of(p_.columns, p_.rows, [&](std::int64_t c, std::int64_t r) { return group(r, c); });
  }

  /// The least box of coordinates by level that has all that is shown; all there are where the tensor is small.
  void bound_levels() {
    first_.assign(levels_.count(), 0), last_ = levels_.sizes();
    std::int64_t count = 1;
    for (std::int64_t& last : last_) count = count > most_places ? count : count * last--;
    if (!p_.corner && count <= most_places) return;
    first_ = last_, last_.assign(levels_.count(), -1);
    for (const StoragePicture::Element& one : p_.grid)
      for (std::size_t l = 0; l < one.levels.size(); ++l)
        first_[l] = std::min(first_[l], one.levels[l]), last_[l] = std::max(last_[l], one.levels[l]);
  }

  void find_places() {
    bound_levels();
    for (std::size_t l = 0; l < first_.size(); ++l)
      if (first_[l] > last_[l]) return;
    std::int64_t asked = 0;
    Index at = first_;
    for (std::size_t l = at.size(); asked++ < most_places;) {
      add_place(at);
      for (l = at.size(); l > 0 && at[l - 1] == last_[l - 1]; --l) at[l - 1] = first_[l - 1];
      if (l == 0) break;
      ++at[l - 1];
    }
  }

  void add_place(const Index& levels) {
    const std::int64_t place = levels_.place(levels);
    StoragePicture::Fiber& fiber = fiber_of(levels);
    if (place < 0) return;
    StoragePicture::Cell cell{Holds::entry, levels.back(), levels.back(), place, levels, {}};
    cell.first = cell.last = levels.back() + levels_.low(levels.size() - 1);
    const std::vector<Index> elements = levels_.elements(levels);
    for (const Index& element : elements)
      if (const auto at = shown(element)) cell.elements.push_back(*at);
    if (elements.empty()) cell.holds = Holds::nobody;
    else if (cell.elements.empty()) return ++fiber.beyond, void();
    else if (pads_ && is_fill(tensor_.get_flat(place), tensor_.fill())) cell.holds = Holds::padding;
    for (const std::size_t at : cell.elements) p_.grid[at].holds = cell.holds, p_.grid[at].place = place;
    fiber.cells.push_back(std::move(cell));
  }

  StoragePicture::Fiber& fiber_of(const Index& levels) {
    const Index outer(levels.begin(), levels.end() - 1);
    if (p_.fibers.empty() || outer != outer_) {
      p_.fibers.emplace_back();
      outer_ = outer;
      for (std::size_t l = 0; l < outer.size(); ++l)
        p_.fibers.back().outer.emplace_back(outer[l] + levels_.low(l), outer[l] + levels_.low(l));
    }
    return p_.fibers.back();
  }

  /// Coordinates of one run share a place, and so do the fibers below one.
  void merge_runs() {
    for (StoragePicture::Fiber& fiber : p_.fibers) {
      std::vector<StoragePicture::Cell> merged;
      for (StoragePicture::Cell& cell : fiber.cells) {
        if (merged.empty() || merged.back().place != cell.place) {
          merged.push_back(std::move(cell));
          continue;
        }
        merged.back().last = cell.last;
        merged.back().elements.insert(merged.back().elements.end(), cell.elements.begin(), cell.elements.end());
      }
      fiber.cells = std::move(merged);
    }
    const auto same = [](const StoragePicture::Fiber& a, const StoragePicture::Fiber& b) {
      return !a.cells.empty() &&
             std::ranges::equal(a.cells, b.cells, {}, &StoragePicture::Cell::place, &StoragePicture::Cell::place);
    };
    std::vector<StoragePicture::Fiber> merged;
    for (StoragePicture::Fiber& fiber : p_.fibers) {
      if (merged.empty() || !same(merged.back(), fiber)) {
        merged.push_back(std::move(fiber));
        continue;
      }
      for (std::size_t l = 0; l < fiber.outer.size(); ++l) merged.back().outer[l].second = fiber.outer[l].second;
      for (std::size_t k = 0; k < fiber.cells.size(); ++k) {
        auto& elements = merged.back().cells[k].elements;
        elements.insert(elements.end(), fiber.cells[k].elements.begin(), fiber.cells[k].elements.end());
      }
    }
    p_.fibers = std::move(merged);
  }

  /// Of the last level, below levels that have all coordinates, and where all of its own were asked for.
  void add_free_slots() {
    const std::vector<format::Facts> facts = format::facts(tensor_.format());
    const std::size_t last = facts.size() - 1;
    const std::int64_t slots = facts[last].slots > 0                           ? facts[last].slots
                               : facts[last].single && !facts[last].covaries() ? 1
                                                                               : 0;
    const bool asked = first_[last] == 0 && last_[last] == levels_.sizes()[last] - 1;
    const bool all = std::ranges::all_of(facts.begin(), facts.end() - 1, [](const auto& f) { return f.dense(); });
    for (StoragePicture::Fiber& fiber : p_.fibers)
      if (slots > 0 && asked && (all || !fiber.cells.empty())) {
        const bool taken = !fiber.cells.empty() && facts[last].slots == 0;
        const auto used = taken ? 1 : static_cast<std::int64_t>(fiber.cells.size()) + fiber.beyond;
        fiber.free = std::max<std::int64_t>(0, slots - used);
      }
  }

  /// In the order of storage; those that have nothing to show go, and in a corner those of other elements alone.
  void sort_fibers() {
    std::erase_if(p_.fibers, [&](const StoragePicture::Fiber& fiber) {
      const auto seen = [](const StoragePicture::Cell& cell) { return !cell.elements.empty(); };
      return p_.corner ? std::ranges::none_of(fiber.cells, seen) && fiber.free == 0
                       : fiber.cells.empty() && fiber.free == 0;
    });
    const std::vector<format::Facts> facts = format::facts(tensor_.format());
    const bool listed =
        std::ranges::any_of(facts.begin(), facts.end() - 1, [](const auto& f) { return !f.ordered || f.decreasing; });
    for (StoragePicture::Fiber& fiber : p_.fibers)
      std::ranges::stable_sort(fiber.cells, {}, &StoragePicture::Cell::place);
    if (listed)
      std::ranges::stable_sort(p_.fibers, {},
                               [](const auto& fiber) { return fiber.cells.empty() ? -1 : fiber.cells.front().place; });
    for (std::size_t k = 1; k < p_.fibers.size(); ++k) {
      const auto& before = p_.fibers[k - 1].outer;
      auto& own = p_.fibers[k];
      own.news = static_cast<std::size_t>(std::ranges::mismatch(own.outer, before).in1 - own.outer.begin());
    }
  }

  void number_groups() {
    int group = 0;
    for (std::size_t k = 0; k < p_.fibers.size(); ++k) {
      StoragePicture::Fiber& fiber = p_.fibers[k];
      if (k > 0 && fiber.news < grouping_) ++group;
      fiber.group = group;
      for (const StoragePicture::Cell& cell : fiber.cells)
        for (const std::size_t at : cell.elements) {
          p_.grid[at].group = group;
          p_.grid[at].mirrored |= at != cell.elements.front();
        }
    }
  }

  const Tensor& tensor_;
  const ElementLevels levels_;
  const bool pads_;
  const std::size_t grouping_;
  StoragePicture p_;
  Index first_, last_, outer_;
};

}  // namespace

Index StoragePicture::index_at(std::size_t at) const {
  Index index(shape.size());
  index.back() = static_cast<std::int64_t>(at) % columns;
  if (index.size() > 1) index[index.size() - 2] = static_cast<std::int64_t>(at) / columns;
  return index;
}

StoragePicture storage_picture(const std::string& name, const Tensor& tensor) {
  if (tensor.rank() == 0 || tensor.reserved() || std::ranges::count(tensor.shape(), 0) > 0) return {};
  return Pictured(name, tensor).picture();
}

}  // namespace trellis::view
