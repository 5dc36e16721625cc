#pragma once
// `save T "file"`: the writer is chosen by the extension. Floating values have 17 significant digits. The file
// appears under its name only when it is complete.
//   .mtx   matrices, vectors (n x 1) and scalars (1 x 1), as array
//   .tns   anything: the elements that differ from the fill, 1-based
//   .npy   anything: all elements, in the tensor's storage order if that is row- or column-major, else row-major
//   .pgm   matrices of integers between 0 and 65535, and of bool, as grey images
// and compressed when the name ends in .gz.

#include <string>

#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

/// Whether such a file can hold tensors of this type and so many dimensions, whatever their values are: E0401, E0413.
bool can_save(format::ScalarType type, int dimensions, const std::string& path, text::Span span,
              text::Diagnostics& diagnostics);

/// E0401: another extension. E0411: no memory. E0412: cannot be written. E0413: the format cannot hold such a tensor.
bool save(const Tensor& tensor, const std::string& path, text::Span span, text::Diagnostics& diagnostics);

/// How many entries of a coordinate file hold the fill; `prune` forgets them.
std::int64_t stored_fills(const Tensor& tensor, const std::string& path);

}  // namespace trellis::tensor
