#include "engine/tensor/renumber.hpp"

#include <algorithm>
#include <new>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/pack.hpp"

namespace trellis::tensor {
namespace {

using Permutations = std::vector<const std::vector<std::int64_t>*>;

void move(std::span<std::int64_t> index, const Permutations& to) {
  for (std::size_t d = 0; d < index.size(); ++d)
    if (to[d]) index[d] = (*to[d])[static_cast<std::size_t>(index[d])];
}

}  // namespace

std::optional<Tensor> renumbered(const Tensor& tensor, const Permutations& to) {
  if (std::ranges::all_of(to, [](const auto* permutation) { return !permutation; })) return tensor;
  if (tensor.dense()) {
    auto made = Tensor::create(tensor.type(), tensor.shape(), tensor.format(), tensor.fill());
    if (!made) return std::nullopt;
    for_each_entry(tensor, [&](Index index, const format::Value& value) {
      move(index, to);
      made->set(index, value);
    });
    return made;
  }
  try {
    Coordinates all = to_coordinates(tensor);
    for (std::size_t e = 0; e < all.count; ++e) move(std::span(all.indices).subspan(e * all.rank(), all.rank()), to);
    PackFailure failure;
    return pack(tensor.type(), tensor.shape(), tensor.format(), tensor.fill(), entries_of(all), failure);
  } catch (const std::bad_alloc&) { return std::nullopt; }
}

}  // namespace trellis::tensor
