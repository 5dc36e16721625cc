#pragma once
// FASTA files (.fa, .fasta): records of a `>name description` line and lines of letters. One record is read, as a
// vector of u8 with the letters as they stand: upper and lower case, `*` `-` `.`; blanks are left out, `;` starts a
// comment line.

#include <optional>

#include "engine/tensor/array_contents.hpp"

namespace trellis::tensor {

/// The first record, or the one that the request chooses. E0403: no FASTA file. E0405: something that is no letter.
/// E0420: no such record.
std::optional<ArrayContents> read_fasta(const FileRequest& request, text::Diagnostics& diagnostics);
std::optional<ArrayContents> parse_fasta(std::string_view content, const FileRequest& request,
                                         text::Diagnostics& diagnostics);

}  // namespace trellis::tensor
