// Results in sparse formats, entry by entry.

#include <limits>
#include <utility>

#include "engine/flow/store.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::flow {

Appended::Appended(const Tensor& tensor, tensor::Tensor room)
    : Arrays(tensor, std::move(room)),
      entries_(static_cast<std::size_t>(levels())),
      opened_(static_cast<std::size_t>(levels())) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t parents = 1;
  for (int level = 0; level < levels(); ++level) {
    Columns& columns = columns_[static_cast<std::size_t>(level)];
    columns.positions.count = most;  // as many as there can be, in address space that is set aside
    columns.coordinates.count = columns.starts.count = memory_.capacity();
    if (facts(level).dense()) {
      parents *= size(level);
      continue;
    }
    if (facts(level).positions) {
      opened_[static_cast<std::size_t>(level)] = parents + 1;
      entries_[static_cast<std::size_t>(level)] = number(columns.positions, parents);
    }
    parents = entries(level);
  }
  places_ = most;
}

int Appended::group(int level) const {
  while (level > 0 && facts(level).child == format::Child::parent) --level;
  return level;
}

int Appended::reach(int level) const {
  while (level + 1 < levels() && facts(level + 1).child == format::Child::parent) ++level;
  return level;
}

int Appended::last_sparse() const {
  int last = -1;
  for (int level = 0; level < levels(); ++level)
    if (!facts(level).dense()) last = level;
  return last;
}

Range Appended::fiber(int level, std::int64_t parent) {
  if (!facts(level).positions) return {parent, parent + 1};
  const std::int64_t opened = opened_[static_cast<std::size_t>(level)];
  const Numbers& positions = columns_[static_cast<std::size_t>(level)].positions;
  if (parent + 1 > opened) return {};
  return {number(positions, parent), parent + 1 == opened ? entries(level) : number(positions, parent + 1)};
}

std::int64_t Appended::reset(const format::Value&) {
  std::fill(entries_.begin(), entries_.end(), 0);
  std::fill(opened_.begin(), opened_.end(), 0);
  begun_ = true;
  appended_ = 0;
  return 1;
}

void Appended::begin() {
  if (!begun_) reset({});
}

void Appended::open_fibers(int level, std::int64_t last) {
  std::int64_t& opened = opened_[static_cast<std::size_t>(level)];
  for (; opened <= last; ++opened) put(columns_[static_cast<std::size_t>(level)].positions, opened, entries(level));
}

std::int64_t Appended::fibers() const {
  std::int64_t all = 1;
  for (int level = 0; level + 1 < levels(); ++level) all *= size(level);
  return all;
}

std::int64_t Appended::fiber_of(const std::vector<std::int64_t>& coordinates) const {
  std::int64_t fiber = 0;
  for (int level = 0; level + 1 < levels(); ++level)
    fiber = fiber * size(level) + coordinates[static_cast<std::size_t>(level)];
  return fiber;
}

void Appended::count(const std::vector<std::int64_t>& coordinates) {
  next_.resize(static_cast<std::size_t>(fibers()));
  const std::int64_t fiber = fiber_of(coordinates);
  require(0 <= fiber && fiber < fibers(), "what is counted lies outside");
  ++next_[static_cast<std::size_t>(fiber)];
}

bool Appended::begin_fibers() {
  reset({});
  next_.resize(static_cast<std::size_t>(fibers()));
  std::int64_t& end = entries(levels() - 1);
  const Numbers& positions = columns_.back().positions;
  put(positions, 0, 0);
  for (std::size_t k = 0; k < next_.size(); ++k) {
    end += std::exchange(next_[k], end);
    put(positions, static_cast<std::int64_t>(k) + 1, end);
  }
  opened_.back() = fibers() + 1;
  return end <= memory_.capacity();
}

void Appended::freeze() {
  begin();
  std::int64_t fibers = 1;
  for (int level = 0; level < levels(); ++level) {
    if (facts(level).dense()) {
      fibers *= size(level);
      continue;
    }
    if (facts(level).positions) open_fibers(level, fibers);
    fibers = entries(level);
  }
}

bool Appended::full() const {
  return begun_ && entries_[static_cast<std::size_t>(group(last_sparse()))] >= memory_.capacity();
}

// The entry for the level's coordinate in the fiber of `parent`, singletons below it included: a new one, unless an
// outer level's last one is the same. Those of runs begin alike then, and so end alike.
std::int64_t Appended::entry(int level, std::int64_t parent, const std::vector<std::int64_t>& coordinates,
                             const std::vector<std::int64_t>& through) {
  const auto first = [&](int l) {
    const Columns& columns = columns_[static_cast<std::size_t>(l)];
    return facts(l).starts ? columns.starts : columns.coordinates;
  };
  const auto wanted = [&](int l) { return coordinates[static_cast<std::size_t>(l)]; };
  if (facts(level).positions) open_fibers(level, parent);
  const int end = reach(level);
  std::int64_t& count = entries(level);
  if (end + 1 < levels()) {
    bool fresh =
        count == (facts(level).positions ? number(columns_[static_cast<std::size_t>(level)].positions, parent) : 0);
    for (int l = level; l <= end && !fresh; ++l) fresh = number(first(l), count - 1) != wanted(l);
    if (!fresh) return count - 1;
  }
  for (int l = level; l <= end; ++l) {
    put(first(l), count, wanted(l));
    put(columns_[static_cast<std::size_t>(l)].coordinates, count, through[static_cast<std::size_t>(l)]);
  }
  if (end == last_sparse()) {
    std::int64_t block = 1;
    for (int l = end + 1; l < levels(); ++l) block *= size(l);
    for (std::int64_t q = 0; q < block; ++q) set(count * block + q, tensor().fill);
  }
  return count++;
}

// Goes on with the run before it in the fiber, if that ends right there with the same value.
std::int64_t Appended::run(std::int64_t parent, std::int64_t first, std::int64_t last, const format::Value& value) {
  const int level = levels() - 1;
  const Columns& columns = columns_[static_cast<std::size_t>(level)];
  open_fibers(level, parent);
  std::int64_t& count = entries(level);
  const bool some = count > number(columns.positions, parent);
  const bool touches = some && number(columns.coordinates, count - 1) == first - 1;
  if (touches && tensor::same_value(get(count - 1), value)) {
    put(columns.coordinates, count - 1, last);
    return count - 1;
  }
  put(columns.starts, count, first);
  put(columns.coordinates, count, last);
  return count++;
}

std::vector<std::pair<std::int64_t, std::int64_t>> Appended::append(const std::vector<std::int64_t>& coordinates,
                                                                    const std::vector<std::int64_t>& through,
                                                                    const format::Value& value) {
  begin();
  std::vector<std::pair<std::int64_t, std::int64_t>> trail;
  std::int64_t position = 0;
  for (int level = 0; level < levels(); ++level) {
    const std::int64_t c = coordinates[static_cast<std::size_t>(level)];
    const std::int64_t last = through[static_cast<std::size_t>(level)];
    require(0 <= c && c <= last && last < size(level), "what is appended lies outside");
    if (facts(level).dense()) position = position * size(level) + c;
    else if (tensor().scattered) {
      std::int64_t& next = next_[static_cast<std::size_t>(position)];
      require(next < number(columns_.back().positions, position + 1), "more is appended to a fiber than was counted");
      put(columns_.back().coordinates, next, c);
      position = next++;
    } else if (facts(level).region == format::Region::run && level + 1 == levels())
      position = run(position, c, last, value);
    else if (facts(level).child != format::Child::parent || level == 0)
      position = entry(level, position, coordinates, through);
    trail.emplace_back(position, c);
  }
  set(position, value);
  ++appended_;
  return trail;
}

}  // namespace trellis::flow
