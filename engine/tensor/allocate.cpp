#include "engine/tensor/allocate.hpp"

#include "engine/format/storage_order.hpp"
#include "engine/tensor/spill.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

/// The usual format of what has few entries; null for scalars.
const char* sparse_format(std::size_t rank) {
  return rank == 0 ? nullptr : rank == 1 ? "compressed" : rank == 2 ? "csr" : "csf";
}

}  // namespace

std::optional<Tensor> allocate(format::ScalarType type, const Index& shape, const format::Format& format,
                               const format::Value& fill, const AllocationRequest& request,
                               text::Diagnostics& diagnostics) {
  auto bytes = Tensor::bytes_needed(type, shape, format);
  std::string what = request.name + ", " + (format.all_dense() ? "dense" : format::to_string(format)) + " " +
                     shape_text(shape) + " of " + std::string(format::name_of(type)) + ", ";
  if (!bytes || *bytes > request.limit_bytes) {
    std::string amount = bytes ? human_bytes(*bytes) : "more memory than there are addresses";
    text::Diagnostic& d = diagnostics.error(
        "E0410", request.span, what + "needs " + amount + "; the limit is " + human_bytes(request.limit_bytes));
    d.notes.push_back(
        {{},
         "use smaller sizes, a smaller element type, a larger --memory, or --spill FOLDER for what goes beyond it"});
    if (const char* sparse = sparse_format(shape.size()); sparse && format.all_dense())
      d.notes.push_back(
          {{}, "where most elements are the fill, store the others alone: format " + request.name + " " + sparse});
    return std::nullopt;
  }
  if (const auto level = level_too_narrow(shape, format)) {
    const std::int64_t size = format::level_sizes(format, shape)[*level];
    text::Diagnostic& d = diagnostics.error(
        "E0410", request.span,
        what + "has a dimension of " + std::to_string(size) + ", which 32-bit coordinates cannot count");
    d.notes.push_back({{}, "declare the level as `" + format.levels[*level].name + "(wide)`"});
    return std::nullopt;
  }
  auto tensor = Tensor::create(type, shape, format, fill);
  if (!tensor) {
    text::Diagnostic& d = diagnostics.error(
        "E0411", request.span, what + "needs " + human_bytes(*bytes) + ", which the system refused" + spill_note());
    d.notes.push_back({{}, "use smaller sizes, or end other programs"});
  }
  return tensor;
}

std::string shape_text(const Index& shape) {
  std::string text;
  for (std::int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

Density density_of(std::size_t bytes, std::size_t operands) {
  constexpr std::size_t worth_a_word = std::size_t{1} << 20, too_much = std::size_t{64} << 20, times_the_operands = 16;
  if (bytes <= worth_a_word || bytes / times_the_operands <= operands) return Density::fair;
  return bytes > too_much ? Density::far_larger : Density::large;
}

}  // namespace trellis::tensor
