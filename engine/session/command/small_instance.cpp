#include "engine/session/command/small_instance.hpp"

#include "engine/session/running/execution.hpp"
#include "engine/session/running/unfilled.hpp"
#include "engine/tensor/keeps_promises.hpp"
#include "engine/tensor/random.hpp"

namespace trellis::session {
namespace {

/// That an example may have in its source.
constexpr std::size_t most_bytes = 32 << 10;
/// Of a size that is anybody's to choose.
constexpr std::int64_t small_size = 4;

bool of_this_kernel(const Compilation& compilation, const std::string& tensor) {
  const flow::Tensor* found = compilation.flow.tensor(tensor);
  return found && found->storage != flow::Tensor::Storage::temporary;
}

/// What the session has; nothing is said where it has none, or zeros that nobody meant.
std::optional<check::State> present(State& state, const lang::Kernel& kernel, text::Span at) {
  text::Diagnostics unsaid;
  Exit exit = Exit::success;
  auto prepared = prepare(state, kernel, at, unsaid, exit);
  if (!prepared || has_unfilled(state, kernel)) return std::nullopt;
  check::State found = prepared->before;
  for (const auto& [name, tensor] : prepared->bindings.arrays) found.tensors.try_emplace(name, tensor);
  return found;
}

std::size_t bytes_of(const check::State& found) {
  std::size_t bytes = 0;
  for (const auto& [name, tensor] : found.tensors) bytes += tensor.bytes();
  return bytes;
}

class RandomInstance {
 public:
  RandomInstance(State& state, const Compilation& compilation, text::Span at, text::Diagnostics& diagnostics)
      : state_(state), compilation_(compilation), at_(at), diagnostics_(diagnostics) {}

  std::optional<check::State> make() {
    const lang::Program& program = compilation_.program;
    for (const lang::ParameterInfo& p : program.parameters) instance_.parameters[p.name] = value(p);
    const std::vector<std::string> operands = compilation_.kernel.operands();
    for (const lang::TensorInfo& info : program.tensors) {
      if (!of_this_kernel(compilation_, info.name)) continue;
      const bool operand = std::ranges::find(operands, info.name) != operands.end();
      auto made = filled(info, operand);
      if (!made) return std::nullopt;
      instance_.tensors[info.name] = std::move(*made);
    }
    return std::move(instance_);
  }

 private:
  /// A size is small, unless the program is about certain sizes alone.
  format::Value value(const lang::ParameterInfo& p) const {
    const auto known = state_.parameter(p.name);
    if (p.real) return known ? *known : format::Value{format::ScalarType::f64, 1, 0};
    const bool kept = known && (known->as_integer() <= small_size || !compilation_.program.assumed.empty());
    return kept ? *known : format::Value{format::ScalarType::i64, 0, small_size};
  }

  std::optional<std::int64_t> number(const math::Affine& size) const {
    return size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
      const auto found = instance_.parameters.find(name);
      return found == instance_.parameters.end() ? std::nullopt : std::optional(found->second.as_integer());
    });
  }

  std::optional<tensor::Tensor> filled(const lang::TensorInfo& info, bool operand) {
    tensor::Index shape;
    for (const math::Affine& extent : info.shape)
      shape.push_back(std::max<std::int64_t>(0, number(extent).value_or(0)));
    auto made = state_.create(info, shape, at_, diagnostics_);
    if (!made || !operand) return made;
    if (info.promises.any() && info.format.all_dense()) {
      const auto end = [&](const auto& of, std::int64_t otherwise) {
        return of ? number(*of).value_or(otherwise) : otherwise;
      };
      const std::int64_t low = end(info.promises.low, 0), high = end(info.promises.high, low + made->count());
      tensor::fill_as_promised(*made, info.promises, low, high, 1);
      return made;
    }
    tensor::RandomOptions options;
    options.seed = 1;
    if (!made->dense()) options.density = 0.4;
    if (!format::is_floating(info.type)) options.range = {0, small_size, true};
    if (!tensor::fill_random(*made, options, at_, diagnostics_)) return std::nullopt;
    return made;
  }

  State& state_;
  const Compilation& compilation_;
  text::Span at_;
  text::Diagnostics& diagnostics_;
  check::State instance_;
};

}  // namespace

std::optional<check::State> small_instance(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                                           text::Span at, text::Diagnostics& diagnostics) {
  auto found = present(state, kernel, at);
  const bool derived = std::ranges::any_of(compilation.program.tensors, [&](const lang::TensorInfo& info) {
    return info.kind == lang::TensorInfo::Kind::pattern && of_this_kernel(compilation, info.name);
  });
  if (found && (derived || bytes_of(*found) <= most_bytes)) return found;
  return RandomInstance(state, compilation, at, diagnostics).make();
}

}  // namespace trellis::session
