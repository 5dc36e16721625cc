#pragma once
// `load T "file"`: the reader is chosen by the file's name. Two steps, because a file may bind the sizes that
// its tensor is declared with: read the contents, look at their shape, make the tensor, then load into it.

#include <optional>
#include <variant>

#include "engine/tensor/array_contents.hpp"
#include "engine/tensor/coordinates.hpp"
#include "engine/tensor/file.hpp"
#include "engine/tensor/packing.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

struct FileContents {
  std::variant<Coordinates, ArrayContents> is;

  const Index& shape() const;
  /// False when the shape was only inferred from the entries, so that the tensor may be larger.
  bool shape_is_stated() const;
  /// How many entries the file holds.
  std::int64_t entries() const;
  /// Some value is neither 0 nor 1, nor what stands for true in an image: in a tensor of bool, all that is not 0 is
  /// true.
  bool beyond_truths() const;
};

/// .mtx, .tns, .npy, .pgm, FASTA and idx, gzip'ed or not. E0401: another name. E0421: a record of a file that has none.
/// E0411: memory is refused.
std::optional<FileContents> read_contents(const FileRequest& request, text::Diagnostics& diagnostics);

/// As load_into of load_coordinates.hpp, for whatever was read.
bool load_into(Tensor& tensor, FileContents contents, text::Span span, text::Diagnostics& diagnostics,
               const PackOptions& options = {});

/// The shape that a tensor of `rank` dimensions takes from the file: an n x 1 matrix is a vector of n.
/// Empty if the file has another rank.
std::optional<Index> shape_for_rank(const FileContents& contents, int rank);

}  // namespace trellis::tensor
