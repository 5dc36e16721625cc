#include "engine/run/snapshot.hpp"

#include <cstring>

namespace trellis::run {

std::optional<Snapshot> Snapshot::take(const emit::Module& module, const Bindings& bindings) {
  Snapshot snapshot;
  for (const emit::Argument& argument : module.arguments) {
    if (argument.kind != emit::Argument::Kind::array || !argument.written) continue;
    const tensor::Tensor& array = bindings.arrays.at(argument.name);
    const std::size_t bytes = static_cast<std::size_t>(array.count()) * format::size_of(array.type());
    auto copy = tensor::SharedArray::allocate(bytes);
    if (!copy) return std::nullopt;
    std::memcpy(copy->data(), array.data(), bytes);
    snapshot.all_.push_back({array.data(), bytes, std::move(copy)});
  }
  return snapshot;
}

void Snapshot::restore() const {
  for (const Saved& saved : all_) std::memcpy(saved.place, saved.copy->data(), saved.bytes);
}

}  // namespace trellis::run
