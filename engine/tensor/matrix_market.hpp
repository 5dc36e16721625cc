#pragma once
// Matrix Market files (.mtx): banner, comments, size line, then one entry a line (coordinate) or one value a line,
// column by column (array). Reads real, integer and pattern; general, symmetric and skew-symmetric, which come back
// with both triangles, whichever of the two the file lists. The header is never trusted: memory grows with what the
// file really holds.

#include <optional>

#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/file.hpp"

namespace trellis::tensor {

/// E0403: no such banner, or a kind that is refused (complex, a pattern that is skew-symmetric). E0404: the size line.
/// E0405: a line.
/// E0406: an index outside the matrix, or in the other triangle than those before. E0407: too few or many entries.
std::optional<Coordinates> read_matrix_market(const FileRequest& request, text::Diagnostics& diagnostics);

/// As above, on a file's contents; `request` names it in errors.
std::optional<Coordinates> parse_matrix_market(std::string_view content, const FileRequest& request,
                                               text::Diagnostics& diagnostics);

}  // namespace trellis::tensor
