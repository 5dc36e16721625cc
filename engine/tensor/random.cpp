#include "engine/tensor/random.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/column.hpp"
#include "engine/tensor/layout_map.hpp"
#include "engine/tensor/pack.hpp"
#include "engine/tensor/random_regions.hpp"
#include "engine/tensor/region_builder.hpp"

namespace trellis::tensor {

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

namespace {

using format::ScalarType;
using format::Value;

constexpr std::uint64_t increment = 0x9E3779B97F4A7C15u;

class Generator {
 public:
  Generator(const RandomOptions& options, ScalarType type, const Value& fill)
      : key_(mix(options.seed + increment)), type_(type), fill_(fill), cancelled_(options.cancelled) {
    density_ = options.density.value_or(format::is_boolean(type) ? 0.5 : 1);
    bool integral = format::is_integer(type);
    range_ = options.range.value_or(integral ? RandomRange{0, 10, true} : RandomRange{});
    range_.integers = range_.integers || integral;
    normal_ = options.kind == RandomKind::normal;
    // Chances that 1, 2, 4, 8, … elements in a row are not drawn. Multiplication alone, so that every machine agrees.
    for (double none = 1 - density_; none > 0x1p-60 && none < 1 && none_of_.size() < 62; none *= none)
      none_of_.push_back(none);
  }

  /// Calls `take(e)` with the numbers of the elements, of `count` < 2^63, that are drawn, in rising order. False when
  /// cancelled.
  template <class Take>
  bool each_drawn(std::uint64_t count, const Take& take) const {
    if (density_ < 0x1p-53) return true;
    const bool steps = density_ < 1.0 / 16;
    std::uint64_t drawn = 0, rounds = 0;
    for (std::uint64_t e = steps ? gap(drawn) : 0; e < count; e += 1 + (steps ? gap(++drawn) : 0)) {
      if (steps || unit(bits(e, 0)) < density_) take(e);
      if ((++rounds & 0xFFFF) == 0 && cancelled_ && cancelled_()) return false;
    }
    return true;
  }

  double density() const { return density_; }
  std::uint64_t key() const { return key_; }

  /// What a drawn element becomes.
  Value draw(std::uint64_t element) const {
    if (format::is_boolean(type_)) return Value::truth(!fill_.is_true());
    std::uint64_t random = bits(element, 1);
    if (range_.integers) {
      auto low = static_cast<std::int64_t>(range_.low);
      auto width = static_cast<std::uint64_t>(static_cast<std::int64_t>(range_.high) - low);
      std::int64_t number = low + static_cast<std::int64_t>(random % width);
      return Value::of_integer(type_, number);
    }
    if (normal_) {
      double sum = -6;
      for (std::uint64_t k = 0; k < 12; ++k) sum += unit(mix(random + k * increment));
      return Value::of(type_, sum);
    }
    // fma by name: left to the compiler, some machines would contract and others not.
    double u = type_ == ScalarType::f32 ? static_cast<double>(random >> 40) * 0x1p-24 : unit(random);
    return Value::of(type_, std::fma(u, range_.high - range_.low, range_.low));
  }

 private:
  /// Elements that are passed over before the next drawn one: the most g of which a chance u lies below (1 -
  /// density)^g.
  std::uint64_t gap(std::uint64_t number) const {
    const double u = unit(mix(mix(key_) + increment * (number + 1)));
    std::uint64_t g = 0;
    double none = 1;
    for (std::size_t k = none_of_.size(); k-- > 0;)
      if (u < none * none_of_[k]) {
        none *= none_of_[k];
        g += std::uint64_t{1} << k;
      }
    return g;
  }

  std::uint64_t bits(std::uint64_t element, std::uint64_t draw) const {
    return mix(key_ + increment * (2 * element + draw + 1));
  }
  static double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

  std::uint64_t key_;
  ScalarType type_;
  Value fill_;
  double density_;
  RandomRange range_;
  bool normal_ = false;
  std::vector<double> none_of_;
  Cancelled cancelled_;
};

/// Elements by their indices, to be packed.
struct Drawn {
  std::vector<Column<std::int64_t>> columns;
  Column<double> reals;
  Column<std::int64_t> integers;

  void add(const Index& index, const Value& value) {
    for (std::size_t d = 0; d < index.size(); ++d) columns[d].push_back(index[d]);
    if (format::is_floating(value.type)) reals.push_back(value.real);
    else integers.push_back(value.integer);
  }
};

/// Hands on each element of a drawing to whatever stores it.
using Put = std::function<void(const Index& index, const Value& value)>;

void find_index(std::uint64_t element, const Index& shape, Index& index) {
  for (std::size_t d = shape.size(); d-- > 0; element /= static_cast<std::uint64_t>(shape[d]))
    index[d] = static_cast<std::int64_t>(element % static_cast<std::uint64_t>(shape[d]));
}

bool draw_general(const Tensor& tensor, const Generator& generator, const Put& put) {
  Index index(tensor.shape().size());
  return generator.each_drawn(static_cast<std::uint64_t>(tensor.count()), [&](std::uint64_t element) {
    find_index(element, tensor.shape(), index);
    put(index, generator.draw(element));
  });
}

bool draw_positive_definite(const Tensor& tensor, const Generator& generator, const Put& put) {
  const std::int64_t n = tensor.shape()[0];
  std::vector<double> row_sums(static_cast<std::size_t>(n), 0.0);
  Index at(2);
  const bool complete = generator.each_drawn(static_cast<std::uint64_t>(tensor.count()), [&](std::uint64_t element) {
    find_index(element, tensor.shape(), at);
    if (at[1] >= at[0]) return;
    const Value value = generator.draw(element);
    put(at, value);
    put(Index{at[1], at[0]}, value);
    for (const std::int64_t i : at) row_sums[static_cast<std::size_t>(i)] += std::fabs(value.real);
  });
  for (std::int64_t i = 0; i < n && complete; ++i)
    put(Index{i, i}, Value::of(tensor.type(), 1 + row_sums[static_cast<std::size_t>(i)]));
  return complete;
}

/// What is wrong with the request; empty if nothing is.
std::string objection(const Tensor& tensor, const RandomOptions& options) {
  if (tensor.count() == std::numeric_limits<std::int64_t>::max())
    return "a tensor of more than 2^63 elements cannot be drawn";
  if (options.density && !(*options.density >= 0 && *options.density <= 1))
    return "the density must lie between 0 and 1";
  if (options.kind == RandomKind::normal && !format::is_floating(tensor.type()))
    return "normal numbers are floating, and these elements are " + std::string(format::name_of(tensor.type()));
  if (options.kind == RandomKind::normal && options.range) return "normal numbers have no range";
  if (options.range) {
    const RandomRange& range = *options.range;
    if (!std::isfinite(range.low) || !std::isfinite(range.high)) return "the range must be finite";
    if (!(range.low < range.high)) return "the range is empty: its upper end is exclusive and must exceed the lower";
    bool integers = range.integers || format::is_integer(tensor.type());
    if (integers && (std::fabs(range.low) > 0x1p53 || std::fabs(range.high) > 0x1p53))
      return "integer ranges reach from -2^53 to 2^53";
    if (integers && std::trunc(range.low) >= std::trunc(range.high)) return "the range contains no integer";
    if (format::is_integer(tensor.type()) && (range.low < format::lowest(tensor.type()).as_double() ||
                                              range.high - 1 > format::highest(tensor.type()).as_double()))
      return "the range leaves the element type, " + std::string(format::name_of(tensor.type()));
  }
  if (options.kind == RandomKind::positive_definite) {
    if (tensor.rank() != 2 || tensor.shape()[0] != tensor.shape()[1]) return "spd needs a square matrix";
    if (!format::is_floating(tensor.type())) return "spd needs element type f64 or f32";
    if (tensor.fill().real != 0) return "spd needs fill 0";
  }
  return {};
}

bool store(Tensor& tensor, const Drawn& drawn, std::size_t limit_bytes, text::Span span,
           text::Diagnostics& diagnostics) {
  const bool floating = format::is_floating(tensor.type());
  Entries entries;
  entries.count = floating ? drawn.reals.size() : drawn.integers.size();
  for (const auto& column : drawn.columns) entries.indices.emplace_back(std::span<const std::int64_t>(column));
  entries.values = floating ? static_cast<const void*>(drawn.reals.data()) : drawn.integers.data();
  entries.type = floating ? ScalarType::f64 : tensor.type() == ScalarType::u64 ? ScalarType::u64 : ScalarType::i64;
  PackFailure failure;
  PackOptions packing;
  packing.limit_bytes = limit_bytes;
  const auto packed = pack(tensor.type(), tensor.shape(), tensor.format(), tensor.fill(), entries, failure, packing);
  if (packed) {
    tensor.assign(*packed);
    return true;
  }
  Index index;
  for (const auto& column : drawn.columns) index.push_back(failure.entry < column.size() ? column[failure.entry] : 0);
  report_pack_failure(failure, tensor, tensor.format(), index, span, diagnostics);
  return false;
}

}  // namespace

bool fill_random(Tensor& tensor, const RandomOptions& options, text::Span span, text::Diagnostics& diagnostics) {
  std::string wrong = objection(tensor, options);
  if (!wrong.empty()) {
    diagnostics.error("E0415", span, wrong);
    return false;
  }
  const Generator generator(options, tensor.type(), tensor.fill());
  const bool regions =
      options.kind == RandomKind::general && !tensor.format().layout && RegionBuilder::builds(tensor.format());
  const auto draw = [&](const Put& put) {
    const RegionDrawing by_regions{generator.key(), generator.density(),
                                   [&](std::uint64_t number) { return generator.draw(number); }, put,
                                   options.cancelled};
    const bool complete = options.kind == RandomKind::positive_definite ? draw_positive_definite(tensor, generator, put)
                          : regions                                     ? draw_regions(tensor, by_regions)
                                                                        : draw_general(tensor, generator, put);
    if (!complete) diagnostics.error("E0506", span, "drawing the elements was interrupted");
    return complete;
  };
  if (tensor.dense()) {
    tensor.reset();
    return draw([&](const Index& index, const Value& value) { tensor.set(index, value); });
  }
  // Columns while they are packed, and then the arrays.
  const bool diagonal = options.kind == RandomKind::positive_definite;
  const double expected = (regions ? expected_entries(tensor, generator.density())
                                   : generator.density() * static_cast<double>(tensor.count())) +
                          (diagonal ? static_cast<double>(tensor.shape()[0]) : 0);
  const double bytes = expected * static_cast<double>(12 * (tensor.shape().size() + 1));
  if (bytes > static_cast<double>(options.limit_bytes)) {
    diagnostics
        .error("E0410", span,
               "about " + format::to_string(Value::of(ScalarType::f64, std::round(expected))) + " entries of " +
                   shape_text(tensor.shape()) + " would be drawn, which needs about " +
                   human_bytes(static_cast<std::size_t>(std::min(bytes, 0x1p62))) + "; the limit is " +
                   human_bytes(options.limit_bytes))
        .notes.push_back({{}, "give a smaller `density`, or a larger --memory"});
    return false;
  }
  Drawn drawn;
  drawn.columns.resize(tensor.shape().size());
  const auto& map = tensor.layout_map();
  // Elements that share a place are drawn once, and have one value.
  const auto put = [&](const Index& index, const Value& value) {
    if (!map) return drawn.add(index, value);
    if (map->branch(index) != 0) return;
    for (const Index& other : map->sharing(index)) drawn.add(other, value);
  };
  if (!draw(put)) return false;
  return store(tensor, drawn, options.limit_bytes, span, diagnostics);
}

}  // namespace trellis::tensor
