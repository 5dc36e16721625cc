#pragma once
// How messages say a number of bytes.

#include <cstddef>
#include <string>

namespace trellis::tensor {

/// "1.5 GiB", "640 bytes".
std::string human_bytes(std::size_t bytes);

}  // namespace trellis::tensor
