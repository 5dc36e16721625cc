#include "engine/tensor/load.hpp"

#include <utility>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/matrix_market.hpp"
#include "engine/tensor/npy.hpp"
#include "engine/tensor/tns.hpp"

namespace trellis::tensor {

const Index& FileContents::shape() const {
  if (const auto* coordinates = std::get_if<Coordinates>(&is)) return coordinates->shape;
  return std::get<Tensor>(is).shape();
}

bool FileContents::shape_is_stated() const {
  const auto* coordinates = std::get_if<Coordinates>(&is);
  return coordinates == nullptr || coordinates->extent == Coordinates::Extent::stated;
}

std::int64_t FileContents::entries() const {
  if (const auto* coordinates = std::get_if<Coordinates>(&is)) return static_cast<std::int64_t>(coordinates->count);
  return std::get<Tensor>(is).count();
}

std::optional<FileContents> read_contents(const FileRequest& request, text::Diagnostics& diagnostics) {
  auto wrap = [](auto result) -> std::optional<FileContents> {
    if (!result) return std::nullopt;
    return FileContents{std::move(*result)};
  };
  std::string kind = extension(request.path);
  if (kind == ".mtx") return wrap(read_matrix_market(request, diagnostics));
  if (kind == ".tns") return wrap(read_tns(request, diagnostics));
  if (kind == ".npy") return wrap(read_npy(request, diagnostics));
  diagnostics.error("E0401", request.span, "cannot tell what \"" + request.path + "\" holds: its name should end in " +
                                               ".mtx, .tns or .npy, and may end in .gz after that");
  return std::nullopt;
}

namespace {

bool copy_into(Tensor& to, const Tensor& from, text::Span span, text::Diagnostics& diagnostics) {
  if (to.shape() != from.shape()) {
    diagnostics.error("E0408", span, "the file is " + shape_text(from.shape()) + ", the tensor is " + shape_text(to.shape()));
    return false;
  }
  bool fits = true;
  auto check = [&](const Index& index) {
    if (!fits || convert_exactly(to.type(), from.get(index))) return;
    fits = false;
    diagnostics.error("E0409", span, "element " + element_text(index) + ", " + format::to_string(from.get(index)) +
                                         ", does not fit " + std::string(format::name_of(to.type())));
  };
  if (to.type() != from.type()) for_each_index(from.shape(), check);
  if (!fits) return false;
  for_each_index(from.shape(), [&](const Index& index) { to.set(index, format::cast(to.type(), from.get(index))); });
  return true;
}

}  // namespace

bool load_into(Tensor& tensor, FileContents contents, text::Span span, text::Diagnostics& diagnostics) {
  if (auto* coordinates = std::get_if<Coordinates>(&contents.is))
    return load_into(tensor, std::move(*coordinates), span, diagnostics);
  return copy_into(tensor, std::get<Tensor>(contents.is), span, diagnostics);
}

std::optional<Index> shape_for_rank(const FileContents& contents, int rank) {
  if (const auto* tensor = std::get_if<Tensor>(&contents.is))
    return tensor->rank() == rank ? std::optional(tensor->shape()) : std::nullopt;
  Coordinates outline;
  outline.shape = contents.shape();
  return squeeze_to(outline, rank) ? std::optional(outline.shape) : std::nullopt;
}

}  // namespace trellis::tensor
