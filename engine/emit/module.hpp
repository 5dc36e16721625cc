#pragma once
// What the emitter hands to the back ends: one C99 translation unit per kernel, and how to call it.
//
// ABI. `int ENTRY(void *const *arguments)`; arguments in the order of `Module::arguments`, each a pointer to:
//   size   an int64_t                real   a double           array   one of the tensor's arrays (format/level.hpp)
//   capacity   an int64_t: how many entries there is room for at each level of a tensor that the kernel appends to
//   tensor     of a kernel whose results grow: the trellis_tensor that it appends to
//   ranks      of a kernel that is one of several ranks: the trellis_ranks that it calls (abi/trellis_ranks.h)
//   fault  (behind them) an int32_t[2]: {kind, site}, zero until something goes wrong; the first fault is kept
//   steps  (always last) an int64_t, of a kernel whose steps `until` ends: after how many of them its condition held;
//          left alone where it never did
// The result is 0, or 1 when memory for temporaries was refused. Everything else about the kernel is in `source`.

#include <string>
#include <vector>

#include "engine/format/level.hpp"
#include "engine/format/scalar.hpp"
#include "engine/text/source.hpp"
#include "engine/text/text.hpp"

namespace trellis::emit {

struct Argument {
  enum class Kind { size, real, array, capacity, tensor, ranks } kind;
  std::string name;         ///< of the size, the parameter, the tensor
  format::ScalarType type;  ///< of array elements
  bool written = false;
  int level = -1;  ///< of the array; -1: the values
  format::Array array = format::Array::values;
  std::string entries_of =
      {};  ///< of the values of a result: the tensor whose entries it has, with the very same arrays
};

/// Run-time faults that generated code reports: integer x/0, MIN/-1, an index out of range, a result that
/// outgrows its memory or its 32-bit positions.
enum class FaultKind {
  none = 0,
  division_by_zero = 1,
  division_overflow = 2,
  index_out_of_range = 3,
  result_too_large = 4
};

struct FaultSite {
  FaultKind kind;
  text::Span span;   ///< in the user's program
  std::string what;  ///< "index a(i) of T"
};

struct Module {
  std::string kernel;  ///< the kernel's name in the language
  std::string entry;   ///< symbol of the adapter that `arguments` describes
  std::vector<Argument> arguments;
  std::vector<FaultSite> sites;  ///< numbered from 0
  bool tells_steps = false;      ///< it has the argument `steps`
  text::Text shown;              ///< what `show c` prints: the kernel's function alone
  std::string source;            ///< the whole translation unit: plain C99 for both back ends
};

}  // namespace trellis::emit
