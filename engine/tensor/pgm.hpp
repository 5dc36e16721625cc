#pragma once
// Netpbm's grey images (.pgm): P2 (text) and P5 (binary, one or two bytes a pixel, the larger first), `#` comments in
// the header. A matrix of rows and columns with the values as they stand, u8 when the file's maximum allows, else i32.
// In a tensor of bool the maximum is true.

#include <optional>

#include "engine/tensor/array_contents.hpp"

namespace trellis::tensor {

/// E0403: no such file. E0404: a header that makes no sense. E0405: something that is no number. E0407: less or more
/// pixels than the header announces. E0409: a value above the file's maximum. E0410: larger than the limit.
std::optional<ArrayContents> read_pgm(const FileRequest& request, text::Diagnostics& diagnostics);
std::optional<ArrayContents> parse_pgm(std::string_view content, const FileRequest& request,
                                       text::Diagnostics& diagnostics);

/// The header of a P5 file.
std::string pgm_header(const Index& shape, std::int64_t maximum);

}  // namespace trellis::tensor
