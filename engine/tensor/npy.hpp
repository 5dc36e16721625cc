#pragma once
// NumPy's array files (.npy), versions 1 to 3: a one-line header in Python's notation, then the elements as they lie
// in memory. Booleans, integers of 8 to 64 bits, floating values of 16 to 64; C or Fortran order, either byte order.

#include <optional>
#include <string>

#include "engine/tensor/array_contents.hpp"

namespace trellis::tensor {

/// E0403: no .npy file, or an element type that is refused. E0404: a header that makes no sense. E0407: less or more
/// data than the header announces. E0410: larger than the limit. A file that is larger than that, with numbers as they
/// lie in memory, is not read: its elements stay where they are (ArrayContents::in_place).
std::optional<ArrayContents> read_npy(const FileRequest& request, text::Diagnostics& diagnostics);
std::optional<ArrayContents> parse_npy(std::string_view content, const FileRequest& request,
                                       text::Diagnostics& diagnostics);

/// The header of version 1.0, padded so that data starts at a multiple of 64 bytes.
std::string npy_header(format::ScalarType type, const Index& shape, bool fortran_order);

}  // namespace trellis::tensor
