#include "engine/tensor/inverse_lists.hpp"

#include <utility>

#include "engine/format/misfit.hpp"
#include "engine/tensor/pack.hpp"

namespace trellis::tensor {

std::optional<Tensor> inverse_lists(const Tensor& indices, std::int64_t size) {
  const auto count = static_cast<std::size_t>(indices.count());
  const std::size_t rank = indices.shape().size();
  Entries entries{count, {}, nullptr, format::ScalarType::boolean};
  IndexColumn values;
  values.data = indices.data();
  values.wide = indices.type() == format::ScalarType::i64;
  entries.indices.push_back(values);
  std::vector<std::vector<std::int64_t>> columns(rank, std::vector<std::int64_t>(count));
  std::size_t inner = count;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto extent = static_cast<std::size_t>(indices.shape()[d]);
    inner = extent ? inner / extent : 0;
    for (std::size_t e = 0; e < count; ++e) columns[d][e] = static_cast<std::int64_t>(e / inner % extent);
    entries.indices.emplace_back(std::span<const std::int64_t>(columns[d]));
  }
  Index shape = indices.shape();
  shape.insert(shape.begin(), size);
  const auto lists = format::widened(format::Format::inverse_lists(static_cast<int>(rank)), shape);
  PackFailure failure;
  return pack(format::ScalarType::boolean, shape, lists, format::Value::truth(false), entries, failure);
}

}  // namespace trellis::tensor
