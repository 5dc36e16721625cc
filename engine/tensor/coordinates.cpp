#include "engine/tensor/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <numeric>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/bring_together.hpp"
#include "engine/tensor/pack.hpp"
#include "engine/tensor/sort_entries.hpp"
#include "engine/tensor/spill.hpp"

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

namespace {

void report_misfit(const Tensor& tensor, const Coordinates& c, std::size_t entry, const Value& value, text::Span span,
                   text::Diagnostics& diagnostics) {
  diagnostics.error("E0409", span,
                    "element " + element_text(c.index(entry)) + ", " + format::to_string(value) +
                        (c.lines.empty() ? "" : " in line " + std::to_string(c.lines[entry])) + ", does not fit " +
                        std::string(format::name_of(tensor.type())));
}

bool pack_into(Tensor& tensor, const Coordinates& c, text::Span span, text::Diagnostics& diagnostics,
               const PackOptions& options) {
  PackFailure failure;
  const auto packed =
      pack(tensor.type(), tensor.shape(), tensor.format(), tensor.fill(), entries_of(c), failure, options);
  if (packed) {
    tensor.assign(*packed);
    return true;
  }
  if (failure.kind == PackFailure::Kind::does_not_fit)
    report_misfit(tensor, c, failure.entry, failure.value, span, diagnostics);
  else
    report_pack_failure(failure, tensor, tensor.format(),
                        c.count > 0 ? c.index(failure.entry) : std::span<const std::int64_t>(), span, diagnostics);
  return false;
}

/// Of bool, whose repetitions are summed.
void make_truths(Coordinates& c) {
  if (c.field == Coordinates::Field::pattern) return;
  Column<std::int64_t> truths;
  truths.reserve(c.count);
  for (std::size_t e = 0; e < c.count; ++e) truths.push_back(c.value(e).is_true());
  c.field = Coordinates::Field::integer;
  c.integers = std::move(truths);
  c.unsigned_integers = false;
  c.reals = {};
}

/// A place of a pattern, of numbers: as often as it is listed.
void make_ones(Coordinates& c) {
  if (c.field != Coordinates::Field::pattern) return;
  c.field = Coordinates::Field::integer;
  c.integers.assign(c.count, 1);
}

bool store_into(Tensor& tensor, Coordinates& c, text::Span span, text::Diagnostics& diagnostics,
                const PackOptions& options) {
  const bool truths = format::is_boolean(tensor.type());
  if (!truths) make_ones(c);
  const bool sorts = tensor.dense() || (truths && c.field != Coordinates::Field::pattern);
  if (sorts && !sort_and_sum(c)) {
    diagnostics.error("E0410", span, "at most 2^32 entries can be sorted at once");
    return false;
  }
  if (truths) make_truths(c);
  if (!tensor.dense()) return pack_into(tensor, c, span, diagnostics, options);
  for (std::size_t e = 0; e < c.count; ++e)
    if (!convert_exactly(tensor.type(), c.value(e))) {
      report_misfit(tensor, c, e, c.value(e), span, diagnostics);
      return false;
    }
  tensor.reset();
  for (std::size_t e = 0; e < c.count; ++e) tensor.set(c.index(e), *convert_exactly(tensor.type(), c.value(e)));
  return true;
}

bool shape_agrees(const Tensor& tensor, Coordinates& c) {
  if (c.extent == Coordinates::Extent::inferred && c.count == 0) return true;
  if (!squeeze_to(c, tensor.rank())) return false;
  if (c.extent == Coordinates::Extent::stated) return c.shape == tensor.shape();
  return std::equal(c.shape.begin(), c.shape.end(), tensor.shape().begin(), std::less_equal<>());
}

}  // namespace

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

bool load_into(Tensor& tensor, Coordinates coordinates, text::Span span, text::Diagnostics& diagnostics,
               const PackOptions& options) {
  Index stated = coordinates.shape;
  if (!shape_agrees(tensor, coordinates)) {
    const char* verb = coordinates.extent == Coordinates::Extent::stated ? "is " : "needs at least ";
    diagnostics.error(
        "E0613", span,
        std::string("the file ") + verb + shape_text(stated) + ", the tensor is " + shape_text(tensor.shape()));
    return false;
  }
  try {
    if (!tensor.format().layout && !bring_together(coordinates, tensor.format().order, options.cancelled)) {
      diagnostics.error("E0506", span, "storing the entries was interrupted");
      return false;
    }
    return store_into(tensor, coordinates, span, diagnostics, options);
  } catch (const std::bad_alloc&) {
    diagnostics.error(
        "E0411", span,
        "the system refused the memory to sort " + std::to_string(coordinates.count) + " entries" + spill_note());
    return false;
  }
}

}  // namespace trellis::tensor
