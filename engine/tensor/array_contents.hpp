#pragma once
// What array files hold (.npy, .pgm, idx, FASTA): all elements, in the order in which the file has them, and where in
// the file each one stands, for messages.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/file.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

struct ArrayContents {
  /// From this flat number on, elements stand in this line.
  struct LineStart {
    std::int64_t flat;
    std::size_t line;
  };

  Tensor tensor;                  ///< flat in the order of the file
  std::int64_t truth = 1;         ///< what stands for true in a tensor of bool; 0 is false, anything else does not fit
  std::size_t data_begin = 0;     ///< of a binary file: the first element's byte
  std::size_t element_bytes = 0;  ///< of a binary file; 0 for a text
  std::vector<LineStart> lines = {};  ///< of a text, ascending
  bool in_place = false;              ///< elements lie in the file, which has to stay as it is

  /// "byte 80" (from 0, of the unpacked file), "line 3".
  std::string place(std::int64_t flat) const;
};

/// How a binary file writes one element.
struct ElementCoding {
  enum class Kind { boolean, signed_integer, unsigned_integer, floating } kind;
  std::size_t bytes;
  std::endian order = std::endian::little;
};

/// The narrowest element type that holds all values of the coding; empty for codings that nobody reads.
std::optional<format::ScalarType> type_for(const ElementCoding& coding);

/// Decodes `data`, which must hold exactly the elements of a tensor of this shape and format. E0407: it does not,
/// checked before any memory is asked for. E0410, E0411: as allocate.
std::optional<ArrayContents> decode_elements(std::string_view data, const ElementCoding& coding, const Index& shape,
                                             const format::Format& format, const FileRequest& request,
                                             text::Diagnostics& diagnostics);

}  // namespace trellis::tensor
