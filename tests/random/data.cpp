#include "tests/random/data.hpp"

#include <cmath>
#include <stdexcept>

#include "engine/tensor/keeps_promises.hpp"
#include "tests/random/locators.hpp"
#include "tests/random/sparse_data.hpp"

namespace trellis::randomised {
namespace {

tensor::Index index_at(const tensor::Index& shape, std::int64_t number) {
  tensor::Index index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = number % shape[d];
    number /= shape[d];
  }
  return index;
}

bool same(const format::Value& a, const format::Value& b) {
  return a == b || (std::isnan(a.real) && std::isnan(b.real));
}

}  // namespace

check::State random_state(const lang::Program& program, const Sizes& sizes, Dice& dice) {
  check::State state;
  for (const auto& [name, value] : sizes)
    state.parameters[name] = format::Value::of_integer(format::ScalarType::i64, value);
  for (const lang::TensorInfo& info : program.tensors) {
    tensor::Index shape;
    for (const math::Affine& extent : info.shape) {
      shape.push_back(extent.evaluate([&](const std::string& name) { return std::optional(sizes.at(name)); }).value());
    }
    if (!info.format.all_dense()) {
      state.tensors[info.name] = random_sparse(info, shape, program.kernels.front(), dice);
      continue;
    }
    auto tensor = tensor::Tensor::create(info.type, shape, info.format, info.fill).value();
    if (info.promises.any()) {
      const auto value = [&](const std::string& name) { return std::optional(sizes.at(name)); };
      const auto high = info.promises.high ? info.promises.high->evaluate(value) : std::optional(tensor.count());
      const auto seed = static_cast<std::uint64_t>(dice.below(1 << 20));
      const bool fits = tensor::fill_as_promised(tensor, info.promises, 0, *high, seed);
      if (!fits) throw std::logic_error("no random data for " + info.name);
    }
    const bool locator = locates(program.kernels.front(), info.name);
    for (std::int64_t k = 0; k < tensor.count() && !info.promises.any(); ++k) {
      int number =
          locator ? dice.below(static_cast<int>(shape[0])) : dice.below(4) - (format::is_signed(info.type) ? 1 : 0);
      if (format::is_boolean(info.type)) number = dice.below(2);
      tensor.set(index_at(shape, k), format::Value::of_integer(info.type, number));
    }
    state.tensors[info.name] = tensor;
  }
  return state;
}

check::State clone(const check::State& state) {
  check::State copy{state.parameters, {}};
  for (const auto& [name, tensor] : state.tensors) copy.tensors[name] = tensor.clone();
  return copy;
}

std::string difference(const std::map<std::string, tensor::Tensor>& expected,
                       const std::map<std::string, tensor::Tensor>& got) {
  for (const auto& [name, reference] : expected) {
    for (std::int64_t k = 0; k < reference.count(); ++k) {
      tensor::Index index = index_at(reference.shape(), k);
      format::Value a = reference.get(index), b = got.at(name).get(index);
      if (same(a, b)) continue;
      std::string place;
      for (std::int64_t coordinate : index) place += (place.empty() ? "" : ",") + std::to_string(coordinate);
      return name + "(" + place + ") is " + format::to_string(b) + ", expected " + format::to_string(a);
    }
  }
  return "";
}

bool is_rounded(const std::map<std::string, tensor::Tensor>& results) {
  for (const auto& [name, tensor] : results) {
    if (!format::is_floating(tensor.type())) continue;
    const double limit = tensor.type() == format::ScalarType::f64 ? 0x1p40 : 0x1p12;
    for (std::int64_t k = 0; k < tensor.count(); ++k) {
      double value = std::abs(tensor.get_flat(k).real);
      if (std::isfinite(value) && value > limit) return true;
    }
  }
  return false;
}

}  // namespace trellis::randomised
