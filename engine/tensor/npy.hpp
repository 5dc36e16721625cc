#pragma once
// NumPy's array files (.npy), versions 1 to 3: a one-line header in Python's notation, then the elements as they lie
// in memory. All element types of the language, C or Fortran order; little-endian only.

#include <optional>
#include <string>

#include "engine/tensor/file.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// E0403: no .npy file, or an element type that is refused. E0404: a header that makes no sense. E0407: less or more
/// data than the header announces. E0410: larger than the limit.
std::optional<Tensor> read_npy(const FileRequest& request, text::Diagnostics& diagnostics);
std::optional<Tensor> parse_npy(std::string_view content, const FileRequest& request, text::Diagnostics& diagnostics);

/// The header of version 1.0, padded so that data starts at a multiple of 64 bytes.
std::string npy_header(format::ScalarType type, const Index& shape, bool fortran_order);

}  // namespace trellis::tensor
