#include "engine/tensor/random.hpp"

#include <cmath>

namespace trellis::tensor {

namespace {

using format::ScalarType;
using format::Value;

constexpr std::uint64_t increment = 0x9E3779B97F4A7C15u;

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

class Generator {
 public:
  Generator(const RandomOptions& options, ScalarType type, const Value& fill)
      : key_(mix(options.seed + increment)), type_(type), fill_(fill) {
    density_ = options.density.value_or(format::is_boolean(type) ? 0.5 : 1);
    bool integral = format::is_integer(type);
    range_ = options.range.value_or(integral ? RandomRange{0, 10, true} : RandomRange{});
    range_.integers = range_.integers || integral;
  }

  /// Empty: the element is the fill.
  std::optional<Value> draw(std::uint64_t element) const {
    if (unit(bits(element, 0)) >= density_) return std::nullopt;
    if (format::is_boolean(type_)) return Value::truth(!fill_.is_true());
    std::uint64_t random = bits(element, 1);
    if (range_.integers) {
      auto low = static_cast<std::int64_t>(range_.low);
      auto width = static_cast<std::uint64_t>(static_cast<std::int64_t>(range_.high) - low);
      std::int64_t number = low + static_cast<std::int64_t>(random % width);
      return Value::of_integer(type_, number);
    }
    // fma by name: left to the compiler, some machines would contract and others not.
    double u = type_ == ScalarType::f32 ? static_cast<double>(random >> 40) * 0x1p-24 : unit(random);
    return Value::of(type_, std::fma(u, range_.high - range_.low, range_.low));
  }

 private:
  std::uint64_t bits(std::uint64_t element, std::uint64_t draw) const {
    return mix(key_ + increment * (2 * element + draw + 1));
  }
  static double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

  std::uint64_t key_;
  ScalarType type_;
  Value fill_;
  double density_;
  RandomRange range_;
};

void fill_general(Tensor& tensor, const Generator& generator) {
  std::uint64_t element = 0;
  for_each_index(tensor.shape(), [&](const Index& index) {
    tensor.set(index, generator.draw(element++).value_or(tensor.fill()));
  });
}

void fill_positive_definite(Tensor& tensor, const Generator& generator) {
  std::int64_t n = tensor.shape()[0];
  std::vector<double> row_sums(static_cast<std::size_t>(n), 0.0);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      Value value = generator.draw(static_cast<std::uint64_t>(i * n + j)).value_or(tensor.fill());
      tensor.set(Index{i, j}, value);
      tensor.set(Index{j, i}, value);
      row_sums[i] += std::fabs(value.real);
      row_sums[j] += std::fabs(value.real);
    }
  }
  for (std::int64_t i = 0; i < n; ++i) tensor.set(Index{i, i}, Value::of(tensor.type(), 1 + row_sums[i]));
}

/// What is wrong with the request; empty if nothing is.
std::string objection(const Tensor& tensor, const RandomOptions& options) {
  if (options.density && !(*options.density >= 0 && *options.density <= 1)) return "the density must lie between 0 and 1";
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

}  // namespace

bool fill_random(Tensor& tensor, const RandomOptions& options, text::Span span, text::Diagnostics& diagnostics) {
  std::string wrong = objection(tensor, options);
  if (!wrong.empty()) {
    diagnostics.error("E0415", span, wrong);
    return false;
  }
  Generator generator(options, tensor.type(), tensor.fill());
  if (options.kind == RandomKind::positive_definite) fill_positive_definite(tensor, generator);
  else fill_general(tensor, generator);
  return true;
}

}  // namespace trellis::tensor
