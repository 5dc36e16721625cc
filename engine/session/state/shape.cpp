#include "engine/session/state/shape.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/math/sizes.hpp"
#include "engine/tensor/allocate.hpp"

namespace trellis::session {
namespace {

std::string declared(const lang::TensorInfo& info) {
  std::string out;
  for (const math::Affine& size : info.shape) out += (out.empty() ? "(" : ", ") + math::to_string(size);
  return info.name + (out.empty() ? "" : out + ")");
}

}  // namespace

bool bind_shape(State& state, const lang::TensorInfo& info, const tensor::Index& shape, ShapeClaim claim,
                const std::string& what, text::Span at, text::Diagnostics& diagnostics) {
  if (shape.size() != info.shape.size()) {
    diagnostics.error("E0613", at,
                      what + " has " + std::to_string(shape.size()) + " dimensions, " + declared(info) + " has " +
                          std::to_string(info.shape.size()),
                      tensor::shape_text(shape));
    return false;
  }
  std::map<std::string, std::int64_t> found;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const math::Affine& size = info.shape[d];
    const auto value_of = [&](const std::string& name) -> std::optional<std::int64_t> {
      if (const auto known = state.parameter(name)) return known->as_integer();
      const auto bound = found.find(name);
      return bound == found.end() ? std::nullopt : std::optional(bound->second);
    };
    if (const auto value = size.evaluate(value_of)) {
      if (claim == ShapeClaim::at_least ? *value >= shape[d] : *value == shape[d]) continue;
      text::Diagnostic& e =
          diagnostics.error("E0613", at,
                            what + " is " + tensor::shape_text(shape) + ", but dimension " + std::to_string(d) +
                                " of " + declared(info) + " is " + std::to_string(*value),
                            "");
      if (const auto name = size.as_name())
        e.notes.push_back({{},
                           state.data.sizes().count(*name)
                               ? *name + " has its value from a tensor that was loaded before"
                               : "without a value for " + *name + " the size is taken from the data"});
      return false;
    }
    // Sizes such as n+1 are solved for their one unknown name.
    std::string unknown;
    math::Affine rest = size;
    for (const auto& [name, coefficient] : size.terms)
      if (!math::Affine::name(name).evaluate(value_of)) {
        if (!unknown.empty() || coefficient != 1 || math::is_product(name)) unknown = "?";
        else unknown = name;
        rest = rest - math::Affine::name(name, coefficient);
      }
    std::set<std::string> names;
    math::collect_factors(size, names);
    if (std::ranges::all_of(names, [&](const std::string& name) { return value_of(name).has_value(); })) {
      report_size_overflow(info, size, at, diagnostics);
      return false;
    }
    const auto others = rest.evaluate(value_of);
    if (unknown == "?" || !others) {
      diagnostics.error("E0602", at, "the sizes in " + math::to_string(size) + " cannot be told from " + what, "")
          .notes.push_back({{}, "give them values with `param`"});
      return false;
    }
    found[unknown] = shape[d] - *others;
  }
  for (const auto& [name, value] : found) state.bind(name, value);
  return true;
}

void report_size_overflow(const lang::TensorInfo& info, const math::Affine& size, text::Span at,
                          text::Diagnostics& diagnostics) {
  diagnostics
      .error("E0606", at,
             info.name + " would have the size " + math::to_string(size) + ", which is more than 64 bits hold", "")
      .notes.push_back({{}, "use smaller sizes"});
}

}  // namespace trellis::session
