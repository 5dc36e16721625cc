#include "engine/access/sequence.hpp"

namespace trellis::access {

using math::Affine;

Window window(const Inverse& inverse, const Inverse::Stored& stored, const Extent& loop,
              const NonNegative& non_negative) {
  const std::int64_t stride = inverse.stride, width = inverse.width;
  const auto [least, most] = inverse.range(stored);
  const auto is_less = [&](const Affine& a, const Affine& b) { return non_negative(b - a - Affine(1)); };
  Window w;
  w.low = Affine::div(least + Affine(stride - width), stride);
  w.high = Affine::div(most + Affine(stride), stride);
  // The last multiple of the stride before the low bound comes before all that is stored, and the bound comes after it.
  w.below = !loop.low || !is_less(stride * (*loop.low - Affine(1)) + Affine(width - 1), least);
  w.above = !loop.high || !is_less(most, stride * *loop.high);
  w.spans = loop.low && loop.high && non_negative(stride * *loop.low - least) &&
            non_negative(most - stride * (*loop.high - Affine(1)));
  return w;
}

std::optional<Sequence> sequence(const lang::Access& access, const lang::TensorInfo& info, int level,
                                 const format::Facts& facts, const Place& place, const Extent& loop,
                                 const NonNegative& non_negative) {
  const std::optional<Affine> form =
      place.product ? std::optional(place.product->number) : lang::affine(level_index(access, info, level));
  if (!form) return std::nullopt;
  std::optional<Inverse> back;
  if (place.inner) back = segments(place.inner->known, loop.variable, place.inner->added);
  if (!back) back = inverse(*form, loop.variable);
  if (!back || (back->stretch != 1 && !facts.unique)) return std::nullopt;
  Sequence made{access.tensor, level, facts, *back, window(*back, place.stored, loop, non_negative)};
  if (place.product) {
    if (back->stretch != 1) return std::nullopt;
    made.above = place.product->above;
    made.own = place.product->own;
  }
  return made;
}

namespace {

/// What is stored: `A.2`, of a product `8*A.1 + A.2`.
std::string stored_text(const Sequence& sequence) {
  std::string text;
  const auto part = [&](const math::DigitMap& map, int level) {
    const std::string one = math::to_string(map, level_name(sequence.tensor, level));
    return sequence.is_product() && !map.is_identity() ? "(" + one + ")" : one;
  };
  for (const Digit& digit : sequence.above)
    text += std::to_string(digit.unit) + "*" + part(digit.map, digit.level) + " + ";
  return text + part(sequence.own, sequence.level);
}

}  // namespace

std::string level_name(const std::string& tensor, int level) { return tensor + "." + std::to_string(level + 1); }

std::string coordinate_text(const Sequence& sequence) {
  const Inverse& map = sequence.inverse;
  const auto grouped = [](const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  };
  std::string text = stored_text(sequence);
  if (map.stretch != 1) text = std::to_string(map.stretch) + "*" + grouped(text);
  if (map.reversed) text = math::to_string(map.offset) + " - " + grouped(text);
  else if (const std::string offset = math::to_string(map.offset); offset.starts_with('-'))
    text += " - " + grouped(math::to_string(-map.offset));
  else if (offset != "0") text += " + " + offset;
  return map.stride == 1 ? text : grouped(text) + " / " + std::to_string(map.stride);
}

std::string to_string(const Sequence& sequence) {
  const Inverse& map = sequence.inverse;
  std::string text = stored_text(sequence);
  if (map.stretch != 1) text += " | stretch " + std::to_string(map.stretch);
  const std::string offset = math::to_string(map.offset);
  if (map.reversed) text += " | reverse " + offset;
  else if (offset != "0") text += " | shift " + offset;
  const std::string stride = std::to_string(map.stride);
  if (map.width == map.stride && map.width > 1) text += " | segments " + stride;
  else if (map.width > 1) text += " | segments " + std::to_string(map.width) + " of " + stride;
  else if (map.stride != 1) text += " | slice " + stride;
  const Window& window = sequence.window;
  if (!window.is_extent()) text += " | window " + math::to_string(window.low) + ":" + math::to_string(window.high);
  return text;
}

}  // namespace trellis::access
