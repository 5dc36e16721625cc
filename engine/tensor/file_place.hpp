#pragma once
// Where else the bytes of an array can be read.

#include <cstddef>
#include <string>

namespace trellis::tensor {

/// Bytes in a file that this process has open, and that others can open while it does.
struct FilePlace {
  std::string path;
  std::size_t begin = 0;  ///< the first byte's offset
};

}  // namespace trellis::tensor
