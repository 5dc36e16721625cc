#pragma once
// Tables of text: values between commas (.csv, or semicolons), tabs (.tsv) or blanks (.txt, .dat), a row a line. `#`
// starts a comment. A first line without a number holds the columns' names, which are skipped.
//
// Where rows and columns are named by single letters, as in the matrices that score alignments, the letters are the
// indices, by their bytes as in FASTA files:
//
//      A  C  G            S('A','A') = 5, S('C','A') = -4, …
//   A  5 -4 -4
//   C -4  5 -4

#include <optional>
#include <variant>

#include "engine/tensor/array_contents.hpp"
#include "engine/tensor/coordinates.hpp"

namespace trellis::tensor {

/// ".csv", ".tsv", ".txt", ".dat".
bool is_table_name(const std::string& extension);

/// All elements, or what letters name.
using Table = std::variant<Coordinates, ArrayContents>;

/// E0403: no rows. E0405: a line with another number of fields, or something that is no number.
std::optional<Table> read_table(const FileRequest& request, text::Diagnostics& diagnostics);
/// `kind`: the extension.
std::optional<Table> parse_table(std::string_view content, const std::string& kind, const FileRequest& request,
                                 text::Diagnostics& diagnostics);

/// What stands between the fields of a row that is saved.
char table_separator(const std::string& kind);

}  // namespace trellis::tensor
