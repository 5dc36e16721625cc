#include "engine/run/snapshot.hpp"

#include <algorithm>
#include <cstring>

namespace trellis::run {
namespace {

// Compares the bytes with themselves, one element further on.
bool holds_one_value(const char* data, std::size_t bytes, std::size_t element) {
  return bytes > element && std::memcmp(data, data + element, bytes - element) == 0;
}

}  // namespace

std::optional<Snapshot> Snapshot::take(const emit::Module& module, const Bindings& bindings) {
  Snapshot snapshot;
  for (const emit::Argument& argument : module.arguments) {
    if (argument.kind != emit::Argument::Kind::array || !argument.written) continue;
    const tensor::Tensor& tensor = bindings.arrays.at(argument.name);
    if (tensor.reserved()) continue;
    void* const array = tensor.array(argument.level, argument.array);
    const std::size_t bytes = tensor.array_bytes(argument.level, argument.array);
    const std::size_t element = format::size_of(argument.type);
    const std::size_t copied = holds_one_value(static_cast<const char*>(array), bytes, element) ? element : bytes;
    auto copy = tensor::SharedArray::allocate(copied, tensor::Writer::child_process);
    if (!copy) return std::nullopt;
    std::memcpy(copy->data(), array, copied);
    snapshot.kept_.push_back({array, bytes, copy->data(), copied});
    snapshot.copies_.push_back(std::move(copy));
  }
  return snapshot;
}

std::size_t Snapshot::bytes() const {
  std::size_t sum = 0;
  for (const Kept& kept : kept_) sum += kept.copied;
  return sum;
}

void put_back(std::span<const Kept> all) {
  for (const Kept& kept : all) {
    char* const place = static_cast<char*>(kept.place);
    std::memcpy(place, kept.copy, kept.copied);
    for (std::size_t done = kept.copied; done < kept.bytes; done *= 2)
      std::memcpy(place + done, place, std::min(done, kept.bytes - done));
  }
}

}  // namespace trellis::run
