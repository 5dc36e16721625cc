#pragma once
// Small random inputs for a flow that was read from text: what it declares is all that is known of its tensors.

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "engine/flow/interpret.hpp"
#include "engine/flow/level_text.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/random.hpp"

namespace trellis::testing {

/// The format whose levels the tensor has.
inline format::Format format_of(const flow::Tensor& tensor) {
  format::Format format{"", {}, tensor.order, tensor.pattern, {}};
  for (const flow::Level& level : tensor.levels) {
    std::istringstream words(flow::level_text(level.facts));
    format::Level named{level.facts.dense() ? "dense" : "compressed", {}};
    words >> named.name;
    for (std::string word; words >> word;) named.options.push_back(word);
    format.levels.push_back(std::move(named));
  }
  return format;
}

/// The value of a level's size.
inline std::int64_t size_of(const flow::Expr& size, const flow::Bindings& bound) {
  if (const auto* c = size.as<flow::Constant>()) return c->value.integer;
  if (const auto* n = size.as<flow::Name>()) return bound.parameters.at(n->name).integer;
  const auto* b = size.as<flow::Binary>();
  REQUIRE(b);
  format::Fault fault = format::Fault::none;
  const auto value = [&](const flow::Expr& e) {
    return format::Value::of_integer(format::ScalarType::i64, size_of(e, bound));
  };
  return format::apply(b->op, value(b->left), value(b->right), fault).integer;
}

inline tensor::Tensor random_tensor(const flow::Tensor& t, const flow::Bindings& bound, std::uint64_t seed) {
  tensor::Index shape(t.levels.size());
  std::int64_t least = 9;
  for (std::size_t level = 0; level < shape.size(); ++level)
    least = std::min(least, shape[format::dimension_of(t, level)] = size_of(t.levels[level].size, bound));
  auto made = tensor::Tensor::create(t.type, shape, format_of(t), format::cast(t.type, t.fill));
  REQUIRE(made);
  if (t.storage != flow::Tensor::Storage::operand) return *made;
  // Whole numbers, so that sums are the same in any order; as indices they are in range.
  const bool numbers = !format::is_boolean(t.type);
  const double high = static_cast<double>(format::is_floating(t.type) ? 9 : std::max<std::int64_t>(1, least));
  tensor::RandomOptions options;
  options.seed = seed;
  options.density = t.sparse() ? 0.5 : 1.0;
  if (numbers) options.range = tensor::RandomRange{format::is_floating(t.type) ? 1.0 : 0.0, high, true};
  if (!numbers) options.density = 0.5;
  text::Diagnostics diagnostics;
  REQUIRE(tensor::fill_random(*made, options, {}, diagnostics));
  return *made;
}

/// Sizes are between 0 and 6, parameters small numbers.
inline flow::Bindings random_bindings(const flow::Flow& flow, std::uint64_t seed) {
  flow::Bindings bound;
  for (const std::string& size : flow.sizes)
    bound.parameters[size] = {format::ScalarType::i64, 0,
                              static_cast<std::int64_t>(tensor::mix(seed + bound.parameters.size()) % 7)};
  for (const std::string& real : flow.reals) bound.parameters[real] = {format::ScalarType::f64, 2, 0};
  for (const flow::Tensor& t : flow.tensors) {
    if (t.storage == flow::Tensor::Storage::temporary) continue;
    const auto same = bound.tensors.find(t.same_as);
    if (same == bound.tensors.end()) {
      bound.tensors[t.name] = random_tensor(t, bound, seed + bound.tensors.size());
    } else {
      auto turned = with_format(same->second, format_of(t));
      REQUIRE(turned);
      bound.tensors[t.name] = *turned;
    }
  }
  return bound;
}

}  // namespace trellis::testing
