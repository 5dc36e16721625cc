#pragma once
// The files that the MNIST digits come in: two zero bytes, the element type, the number of dimensions (1 to 4), the
// sizes and then the elements row-major, everything with the largest byte first. Known by their names: `x.idx`,
// `x.idx3-ubyte`,
// `x-idx3-ubyte`.

#include <optional>

#include "engine/tensor/array_contents.hpp"

namespace trellis::tensor {

bool is_idx_name(std::string_view path);

/// All of it, or the chosen record: one element of the first dimension, without that dimension. E0403: no such file.
/// E0404: a header that makes no sense. E0407: less or more data than it announces. E0420: no such record.
std::optional<ArrayContents> read_idx(const FileRequest& request, text::Diagnostics& diagnostics);
std::optional<ArrayContents> parse_idx(std::string_view content, const FileRequest& request,
                                       text::Diagnostics& diagnostics);

}  // namespace trellis::tensor
