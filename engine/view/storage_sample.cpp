// A picture of a tensor that holds nothing yet: all that its layout can store is there.
#include <algorithm>

#include "engine/tensor/layout_map.hpp"
#include "engine/tensor/pack.hpp"
#include "engine/view/storage_picture.hpp"

namespace trellis::view {

using tensor::Index;

StoragePicture storage_sample(const std::string& name, const Index& shape, const format::Format& format) {
  Index small = shape;
  for (std::int64_t& size : small) size = std::min(size, most_pictured);
  if (shape.empty() || shape.size() > 2 || std::ranges::count(shape, 0) > 0) return {};
  const format::ScalarType type = format.pattern ? format::ScalarType::boolean : format::ScalarType::f64;
  const auto none = tensor::Tensor::create(type, small, format, format::Value::of_integer(type, 0));
  if (!none) return {};
  std::vector<std::int64_t> indices;
  tensor::for_each_index(small, [&](const Index& index) {
    if (!none->layout_map() || none->layout_map()->branch(index) >= 0)
      indices.insert(indices.end(), index.begin(), index.end());
  });
  const std::vector<double> ones(indices.size() / small.size(), 1);
  tensor::Entries entries{ones.size(), {}, ones.data(), format::ScalarType::f64};
  for (std::size_t d = 0; d < small.size(); ++d)
    entries.indices.emplace_back(std::span<const std::int64_t>(indices).subspan(indices.empty() ? 0 : d),
                                 static_cast<std::ptrdiff_t>(small.size()));
  tensor::PackFailure failure;
  const auto full = tensor::pack(type, small, format, none->fill(), entries, failure);
  if (!full) return {};
  StoragePicture picture = storage_picture(name, *full);
  picture.shape = shape, picture.corner = small != shape, picture.sample = true;
  return picture;
}

}  // namespace trellis::view
