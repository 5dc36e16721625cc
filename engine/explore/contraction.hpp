#pragma once
// Contractions, sums of `a*b` over one of three indices, of which the result lacks one, a another and b the third: what
// is worth blocks in registers (docs/design/blocks.md#registers), and the lines of a schedule that ask for them.
//
//   C(i,j) = sum(k)(A(i,k) * B(k,j))       rows i, columns j, summed over k
//       order k/512 i/192 j/32 i/6 k i j; registers i j; pack A; pack B; fused

#include <string>
#include <vector>

#include "engine/explore/evaluate.hpp"
#include "engine/lang/program.hpp"

namespace trellis::explore {

struct Contraction {
  std::string target;            ///< the tensor that the sum is a part of
  std::string row, column, sum;  ///< indices; the target and one operand are contiguous along `column`, or in strips
  std::vector<std::string> operands = {};  ///< each once: what strips are of
  bool in_strips = false;                  ///< not contiguous as they are
  bool recurs = false;      ///< an operand is defined by the same kernel, so that tiles of them are related
  bool of_results = false;  ///< so are both
  format::ScalarType type = format::ScalarType::f64;
};

/// Sums of an equation, of dense tensors; each of the three indices has at least `least` values or nobody knows how
/// many. None in loop programs.
std::vector<Contraction> contractions(const lang::Kernel& kernel, const lang::Program& program, const Names& sizes,
                                      std::int64_t least = 64);

/// Blocks that vector registers hold: so many rows, and so many bytes of each.
struct RegisterBlock {
  int rows = 4;
  int row_bytes = 96;
  int sums = 256;  ///< terms that are added to a tile each time that it is loaded
  /// Of processors with 16 registers of 32 bytes, and with 32 of 64.
  static RegisterBlock of(bool wide) { return wide ? RegisterBlock{6, 256, 512} : RegisterBlock{}; }
};

/// Whether products may be fused with sums, which rounds once where equations as written round twice.
enum class Rounding { as_written, fused };

/// Schedules to try in the place of the order, each one fix of several lines. Of each of the orders the first that is
/// legal: with operands in strips, and with products fused where they may be and the processor can. `order`: all loops
/// of the kernel.
std::vector<std::vector<std::string>> block_lines(const Contraction& contraction, const lang::Order& order,
                                                  const RegisterBlock& block, Rounding rounding);

}  // namespace trellis::explore
