#include "engine/tensor/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/tensor/sort_entries.hpp"

namespace trellis::tensor {

using format::ScalarType;
using format::Value;

Value Coordinates::value(std::size_t entry) const {
  switch (field) {
    case Field::real: return Value::of(ScalarType::f64, reals[entry]);
    case Field::integer:
      return Value::of_integer(unsigned_integers ? ScalarType::u64 : ScalarType::i64, integers[entry]);
    case Field::pattern: break;
  }
  return Value::truth(true);
}

namespace {

bool before(const Coordinates& c, std::size_t a, std::size_t b) {
  auto left = c.index(a), right = c.index(b);
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
}

bool strictly_sorted(const Coordinates& c) {
  for (std::size_t e = 1; e < c.count; ++e)
    if (!before(c, e - 1, e)) return false;
  return true;
}

void append_entry(Coordinates& to, const Coordinates& from, std::size_t entry) {
  auto index = from.index(entry);
  to.indices.insert(to.indices.end(), index.begin(), index.end());
  if (from.field == Coordinates::Field::real) to.reals.push_back(from.reals[entry]);
  if (from.field == Coordinates::Field::integer) to.integers.push_back(from.integers[entry]);
  if (!from.lines.empty()) to.lines.push_back(from.lines[entry]);
  ++to.count;
}

void add_to_last(Coordinates& to, const Coordinates& from, std::size_t entry) {
  if (from.field == Coordinates::Field::real) to.reals.back() += from.reals[entry];
  if (from.field == Coordinates::Field::integer) {
    auto sum = static_cast<std::uint64_t>(to.integers.back()) + static_cast<std::uint64_t>(from.integers[entry]);
    to.integers.back() = static_cast<std::int64_t>(sum);
  }
}

}  // namespace

bool sort_and_sum(Coordinates& c) {
  if (strictly_sorted(c)) return true;
  if (c.count > std::numeric_limits<std::uint32_t>::max()) return false;
  std::vector<SortColumn> levels;
  const Entries entries = entries_of(c);
  for (std::size_t d = 0; d < c.rank(); ++d) levels.push_back({entries.indices[d], c.shape[d], false});

  Coordinates sorted;
  sorted.shape = c.shape;
  sorted.extent = c.extent;
  sorted.field = c.field;
  sorted.unsigned_integers = c.unsigned_integers;
  sorted.indices.reserve(c.indices.size());
  sorted.reals.reserve(c.reals.size());
  sorted.integers.reserve(c.integers.size());
  sorted.lines.reserve(c.lines.size());
  sort_entries(levels, c.count, [&](std::span<const std::uint32_t> numbers) {
    for (const std::uint32_t entry : numbers) {
      const bool repeats = sorted.count > 0 && std::ranges::equal(sorted.index(sorted.count - 1), c.index(entry));
      if (repeats) add_to_last(sorted, c, entry);
      else append_entry(sorted, c, entry);
    }
    return true;
  });
  c = std::move(sorted);
  return true;
}

bool squeeze_to(Coordinates& c, int rank) {
  std::vector<std::size_t> kept(c.rank());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  for (std::size_t d = c.rank(); d-- > 0 && kept.size() > static_cast<std::size_t>(rank);)
    if (c.shape[d] == 1) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(d));
  if (kept.size() != static_cast<std::size_t>(rank)) return false;
  if (kept.size() == c.rank()) return true;

  Index shape;
  for (std::size_t d : kept) shape.push_back(c.shape[d]);
  Column<std::int64_t> indices;
  indices.reserve(c.count * kept.size());
  for (std::size_t e = 0; e < c.count; ++e)
    for (std::size_t d : kept) indices.push_back(c.index(e)[d]);
  c.shape = std::move(shape);
  c.indices = std::move(indices);
  return true;
}

std::optional<Value> convert_exactly(ScalarType type, const Value& value) {
  Value result = format::cast(type, value);
  bool exact = true;
  if (format::is_floating(type)) {  // rounding is what users expect, becoming infinite is not
    exact = std::isfinite(result.real) || !std::isfinite(value.as_double());
  } else if (format::is_boolean(type)) {
    exact = value.as_double() == 0 || value.as_double() == 1;
  } else if (format::is_floating(value.type)) {
    // The largest 64-bit integers are no doubles: they round up to a number that does not fit.
    bool fits = format::size_of(type) < 8 || value.real < format::highest(type).as_double();
    exact = fits && result.as_double() == value.real;
  } else {
    bool sign_kept = (value.as_double() < 0) == (result.as_double() < 0);
    exact = sign_kept && format::cast(value.type, result) == value;
  }
  return exact ? std::optional(result) : std::nullopt;
}

Entries entries_of(const Coordinates& c) {
  Entries entries;
  entries.count = c.count;
  const std::span<const std::int64_t> indices(c.indices);
  for (std::size_t d = 0; d < c.rank(); ++d)
    entries.indices.emplace_back(indices.subspan(std::min(d, indices.size())), static_cast<std::ptrdiff_t>(c.rank()));
  if (c.field == Coordinates::Field::real) entries.values = c.reals.data();
  if (c.field == Coordinates::Field::integer) {
    entries.values = c.integers.data();
    entries.type = c.unsigned_integers ? ScalarType::u64 : ScalarType::i64;
  }
  return entries;
}

std::string element_text(std::span<const std::int64_t> index) {
  std::string text;
  for (std::int64_t i : index) text += (text.empty() ? "" : ",") + std::to_string(i);
  return "(" + text + ")";
}

}  // namespace trellis::tensor
