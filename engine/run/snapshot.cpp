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
    const tensor::Tensor& array = bindings.arrays.at(argument.name);
    const std::size_t bytes = static_cast<std::size_t>(array.count()) * format::size_of(array.type());
    const std::size_t element = format::size_of(array.type());
    const std::size_t copied = holds_one_value(static_cast<const char*>(array.data()), bytes, element) ? element : bytes;
    auto copy = tensor::SharedArray::allocate(copied);
    if (!copy) return std::nullopt;
    std::memcpy(copy->data(), array.data(), copied);
    snapshot.all_.push_back({array.data(), bytes, std::move(copy), copied});
  }
  return snapshot;
}

void Snapshot::restore() const {
  for (const Saved& saved : all_) {
    char* const place = static_cast<char*>(saved.place);
    std::memcpy(place, saved.copy->data(), saved.copied);
    for (std::size_t done = saved.copied; done < saved.bytes; done *= 2)
      std::memcpy(place + done, place, std::min(done, saved.bytes - done));
  }
}

std::size_t Snapshot::bytes() const {
  std::size_t sum = 0;
  for (const Saved& saved : all_) sum += saved.copied;
  return sum;
}

}  // namespace trellis::run
