#pragma once
// What must hold of a tensor's arrays, whoever filled them: for tests, and after kernels in debug builds.

#include <string>

#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// Empty when positions rise from 0 to the number of entries, coordinates are in range and, as each level's facts say,
/// sorted and unique, tables agree with the lists, and arrays are as long as they should be. Else the first thing that
/// does not hold, such as "level 1: coordinate 7 follows 9 in fiber 3".
std::string verify(const Tensor& tensor);

}  // namespace trellis::tensor
