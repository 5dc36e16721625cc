// Temporaries. Kernels keep tables; here a map does.

#include <algorithm>
#include <iterator>

#include "engine/flow/store.hpp"

namespace trellis::flow {

Workspace::Workspace(const Tensor& tensor, std::vector<std::int64_t> sizes)
    : Store(tensor, std::move(sizes)), levels_(static_cast<std::size_t>(levels())) {
  std::int64_t parents = 1;
  for (int level = 0; level < levels(); ++level) {
    if (mapped(level)) {
      levels_[static_cast<std::size_t>(level)].lists.resize(static_cast<std::size_t>(parents));
      levels_[static_cast<std::size_t>(level)].stored.resize(static_cast<std::size_t>(parents * size(level)));
    }
    parents = hashed(level) ? 0 : parents * size(level);
  }
  values_.assign(static_cast<std::size_t>(std::max<std::int64_t>(parents, 0)),
                 format::Value::of_integer(tensor.type, 0));
  defined_.assign(values_.size(), false);
}

void Workspace::declare() {
  empty();
  for (format::Value& value : values_) value = format::Value::of_integer(tensor().type, 0);
  std::fill(defined_.begin(), defined_.end(), false);
}

void Workspace::empty() {
  ordered_.clear();
  for (int level = 0; level < levels(); ++level) {
    Level& l = levels_[static_cast<std::size_t>(level)];
    if (hashed(level)) {
      l = {};
      values_.clear();
      defined_.clear();
    }
    for (auto& list : l.lists) list.clear();
    std::fill(l.stored.begin(), l.stored.end(), false);
  }
}

std::int64_t Workspace::reset(const format::Value& value) {
  if (!tensor().sparse()) return Store::reset(value);
  std::int64_t count = 0;  // it is cleared entry by entry
  for (const Level& level : levels_) {
    for (const auto& list : level.lists) count += std::ssize(list);
    count += std::ssize(level.entries);
  }
  empty();
  return count;
}

Range Workspace::fiber(int level, std::int64_t parent) {
  const Level& l = levels_[static_cast<std::size_t>(level)];
  const auto p = static_cast<std::size_t>(parent);
  if (mapped(level)) {
    require(p < l.lists.size(), "a fiber that there is not");
    const std::int64_t first = parent * size(level);
    return {first, first + static_cast<std::int64_t>(l.lists[p].size())};
  }
  if (p + 1 >= l.start.size()) return {};
  return {l.start[p], l.start[p + 1]};
}

std::int64_t Workspace::coordinate(int level, std::int64_t entry) const {
  const Level& l = levels_[static_cast<std::size_t>(level)];
  if (mapped(level)) {
    require(size(level) > 0 && entry >= 0, "a list of coordinates is left");
    const auto& list = l.lists.at(static_cast<std::size_t>(entry / size(level)));
    const auto k = static_cast<std::size_t>(entry % size(level));
    require(k < list.size(), "a list of coordinates is left");
    return list[k];
  }
  require(entry >= 0 && entry < static_cast<std::int64_t>(l.order.size()), "entries that are not in order are walked");
  return l.entries[static_cast<std::size_t>(l.order[static_cast<std::size_t>(entry)])].second;
}

std::int64_t Workspace::child(int level, std::int64_t parent, std::int64_t entry) const {
  if (mapped(level)) return parent * size(level) + coordinate(level, entry);
  return levels_[static_cast<std::size_t>(level)].order[static_cast<std::size_t>(entry)];
}

std::int64_t Workspace::find(int level, std::int64_t parent, Range, std::int64_t c, std::int64_t& tries) const {
  const Level& l = levels_[static_cast<std::size_t>(level)];
  ++tries;
  if (mapped(level)) {
    if (c < 0 || c >= size(level)) return -1;
    const std::int64_t place = parent * size(level) + c;
    return l.stored.at(static_cast<std::size_t>(place)) ? place : -1;
  }
  const auto found = l.numbers.find({parent, c});
  return found == l.numbers.end() ? -1 : found->second;
}

std::int64_t Workspace::insert(int level, std::int64_t parent, std::int64_t c, bool& fresh) {
  Level& l = levels_[static_cast<std::size_t>(level)];
  require(0 <= c && c < size(level), "what is inserted lies outside");
  const bool leaf = level + 1 == levels();
  std::int64_t place = 0;
  if (mapped(level)) {
    place = parent * size(level) + c;
    require(place < static_cast<std::int64_t>(l.stored.size()), "a fiber that there is not");
    fresh = !l.stored[static_cast<std::size_t>(place)];
    l.stored[static_cast<std::size_t>(place)] = true;
    if (fresh) l.lists[static_cast<std::size_t>(parent)].push_back(c);
    if (fresh && tensor().live) ordered_.insert(c);
  } else {
    const auto [found, made] = l.numbers.try_emplace({parent, c}, static_cast<std::int64_t>(l.entries.size()));
    fresh = made;
    place = found->second;
    if (fresh) l.entries.emplace_back(parent, c);
    if (fresh && leaf) values_.resize(l.entries.size()), defined_.resize(l.entries.size());
  }
  if (fresh && leaf) set(place, tensor().fill);
  return place;
}

void Workspace::arrange(int level, std::int64_t parent) {
  if (!mapped(level)) return;
  auto& list = levels_[static_cast<std::size_t>(level)].lists.at(static_cast<std::size_t>(parent));
  std::sort(list.begin(), list.end());
}

// By parent, then by coordinate.
void Workspace::freeze() {
  std::int64_t parents = 1;
  for (int level = 0; level < levels(); ++level) {
    Level& l = levels_[static_cast<std::size_t>(level)];
    if (!hashed(level)) {
      parents *= size(level);
      continue;
    }
    l.order.clear();
    l.start.assign(static_cast<std::size_t>(parents) + 1, 0);
    for (const auto& [key, number] : l.numbers) {
      require(key.first < parents, "an entry of a fiber that there is not");
      l.order.push_back(number);
      ++l.start[static_cast<std::size_t>(key.first) + 1];
    }
    for (std::size_t p = 1; p < l.start.size(); ++p) l.start[p] += l.start[p - 1];
    parents = static_cast<std::int64_t>(l.entries.size());
  }
}

format::Value Workspace::get(std::int64_t place) const {
  require(0 <= place && place < places(), "the values are left");
  return values_[static_cast<std::size_t>(place)];
}

void Workspace::set(std::int64_t place, const format::Value& value) {
  require(0 <= place && place < places(), "the values are left");
  values_[static_cast<std::size_t>(place)] = value;
  defined_[static_cast<std::size_t>(place)] = true;
}

}  // namespace trellis::flow
