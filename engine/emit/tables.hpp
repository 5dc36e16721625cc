#pragma once
// Arrays of positions, by which entries are found without a search (flow::Tabulate, flow::PositionMap):
//
//   L_table[j]         where the fiber that the table is of has coordinate j, or -1
//   M_in_L[pM]         where L has the entry of M, or -1

#include <functional>

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"

namespace trellis::emit {

class Tables {
 public:
  Tables(Context& out, Memory& memory) : out_(out), memory_(memory) {}

  /// Where the kernel begins.
  void fill(const flow::PositionMap& map);
  /// The statements know where the fiber's entries are.
  void around(const flow::Tabulate& tabulate, const std::function<void()>& statements);

 private:
  std::string name_of(const std::string& array) { return out_.names.fix("'table." + array, array); }

  Context& out_;
  Memory& memory_;
};

}  // namespace trellis::emit
