#pragma once
// How the loops write a tensor in a sparse format, or read one through a copy: what `show formats` says below a kernel.

#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::results {

/// How one tensor is written.
struct Written {
  std::string tensor;
  enum class How {
    append,     ///< as the loops stand
    masked,     ///< at the entries of a mask in the same layout, which are there before the kernel runs
    shared,     ///< where an operand has entries, whose arrays it takes (results/share_structure.hpp)
    scattered,  ///< put where they belong, once the entries of each fiber are counted (results/scatter.hpp)
    slices,     ///< each slice is collected and then appended; of a single element, in a scalar
    whole,      ///< all of it is
    instead,    ///< a temporary is stored in another format, which takes values in any order
    copied,     ///< not at all: it is read, and in part from a copy
    anew        ///< as the loops stand, of what it held, which is copied before
  } how = How::append;
  std::vector<lang::TensorInfo> workspaces = {};
  std::string reason = {};  ///< why not simpler: "C(0,0) is written again at i=0, k=1, j=0"; empty when appended
  std::string mask = {};    ///< of a masked one; of one that shares, the operand
};
/// A line: "C: each C(i,:) is collected in C_w(n): {bytemap}, because …".
std::string to_string(const Written& written, const lang::Program& program);

}  // namespace trellis::results
