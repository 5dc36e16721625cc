#pragma once
// FROSTT's text format (.tns): one entry a line, 1-based indices and then the value; `#` starts a comment. Many files
// do not state their shape: it is inferred from the largest indices. Those of some dialects do, in lines before the
// first entry, and those that are saved here, in a comment.

#include <optional>

#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/file.hpp"

namespace trellis::tensor {

/// E0405: a line with another number of fields, or something that is no number. E0406: an index below 1.
std::optional<Coordinates> read_tns(const FileRequest& request, text::Diagnostics& diagnostics);
std::optional<Coordinates> parse_tns(std::string_view content, const FileRequest& request,
                                     text::Diagnostics& diagnostics);

/// The comment that states a shape.
std::string tns_header(const Index& shape);

}  // namespace trellis::tensor
