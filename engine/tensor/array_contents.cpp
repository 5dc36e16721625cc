#include "engine/tensor/array_contents.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/tensor/allocate.hpp"

namespace trellis::tensor {

using format::ScalarType;
using format::Value;

std::string ArrayContents::place(std::int64_t flat) const {
  if (element_bytes > 0) return "byte " + std::to_string(data_begin + static_cast<std::size_t>(flat) * element_bytes);
  const auto after =
      std::upper_bound(lines.begin(), lines.end(), flat, [](std::int64_t f, const LineStart& l) { return f < l.flat; });
  return "line " + std::to_string(after == lines.begin() ? 1 : (after - 1)->line);
}

std::optional<ScalarType> type_for(const ElementCoding& coding) {
  using Kind = ElementCoding::Kind;
  switch (coding.kind) {
    case Kind::boolean:
      if (coding.bytes == 1) return ScalarType::boolean;
      break;
    case Kind::signed_integer:
      if (coding.bytes == 1 || coding.bytes == 2) return ScalarType::i16;
      if (coding.bytes == 4) return ScalarType::i32;
      if (coding.bytes == 8) return ScalarType::i64;
      break;
    case Kind::unsigned_integer:
      if (coding.bytes == 1) return ScalarType::u8;
      if (coding.bytes == 2) return ScalarType::i32;
      if (coding.bytes == 4) return ScalarType::u32;
      if (coding.bytes == 8) return ScalarType::u64;
      break;
    case Kind::floating:
      if (coding.bytes == 2 || coding.bytes == 4) return ScalarType::f32;
      if (coding.bytes == 8) return ScalarType::f64;
      break;
  }
  return std::nullopt;
}

namespace {

/// IEEE 754's binary16: a sign, 5 bits of exponent, 10 of fraction.
double half(std::uint64_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

Value decode(const unsigned char* at, const ElementCoding& coding, ScalarType type) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < coding.bytes; ++k) {
    const std::size_t weight = coding.order == std::endian::little ? k : coding.bytes - 1 - k;
    bits |= static_cast<std::uint64_t>(at[k]) << (8 * weight);
  }
  switch (coding.kind) {
    case ElementCoding::Kind::boolean: return Value::truth(bits != 0);
    case ElementCoding::Kind::unsigned_integer: return Value::of_integer(type, static_cast<std::int64_t>(bits));
    case ElementCoding::Kind::signed_integer: {
      const int unused = static_cast<int>(64 - 8 * coding.bytes);
      return Value::of_integer(type, static_cast<std::int64_t>(bits << unused) >> unused);
    }
    case ElementCoding::Kind::floating: break;
  }
  if (coding.bytes == 2) return Value::of(type, half(bits));
  if (coding.bytes == 4)
    return Value::of(type, static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  return Value::of(type, std::bit_cast<double>(bits));
}

}  // namespace

std::optional<ArrayContents> decode_elements(std::string_view data, const ElementCoding& coding, const Index& shape,
                                             const format::Format& format, const FileRequest& request,
                                             text::Diagnostics& diagnostics) {
  const auto type = type_for(coding);
  std::optional<std::size_t> elements = Tensor::bytes_needed(ScalarType::u8, shape);
  std::size_t bytes = 0;
  if (elements && __builtin_mul_overflow(*elements, coding.bytes, &bytes)) elements = std::nullopt;
  if (!elements || bytes != data.size()) {
    diagnostics.error("E0407", request.span,
                      "\"" + request.path + "\": the header announces " + shape_text(shape) + " elements" +
                          (elements ? ", " + human_bytes(bytes) : "") + ", but " + human_bytes(data.size()) +
                          " follow");
    return std::nullopt;
  }
  auto tensor = allocate(*type, shape, format, Value::of_integer(*type, 0),
                         {request.path, request.span, request.limit_bytes}, diagnostics);
  if (!tensor) return std::nullopt;
  // Any nonzero byte may stand for true in a file, but not in memory.
  const bool as_it_lies = coding.order == std::endian::native && coding.bytes == format::size_of(*type) &&
                          coding.kind != ElementCoding::Kind::boolean;
  if (as_it_lies) std::memcpy(tensor->data(), data.data(), data.size());
  const auto* at = reinterpret_cast<const unsigned char*>(data.data());
  for (std::int64_t flat = 0; !as_it_lies && flat < static_cast<std::int64_t>(*elements); ++flat, at += coding.bytes)
    tensor->set_flat(flat, decode(at, coding, *type));
  return ArrayContents{std::move(*tensor), 1, 0, coding.bytes, {}};
}

}  // namespace trellis::tensor
