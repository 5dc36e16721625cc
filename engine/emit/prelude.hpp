#pragma once
// What a kernel's C needs before its function: types, prototypes of the few library functions used, and small inline
// helpers for what the language defines and C does not (rounding division, saturating casts, checks). Only what was
// asked for is printed, so that libtcc has little to read.

#include <set>
#include <string>
#include <vector>

#include "engine/format/scalar.hpp"

namespace trellis::emit {

enum class Helper {
  record,      ///< keeps the first fault
  at,          ///< at(index, size, fault, site): the index, or 0 and a fault
  allocate,    ///< allocate(count, bytes each): null when refused
  times,       ///< product of sizes; -1 on overflow
  floor_div, floor_mod,  ///< the divisor is known to be neither 0 nor -1
  div, mod,              ///< (a, b, fault, site)
  mod_real, power, square, cube, min, max, abs, sign, shift_left,
  to,          ///< from double, saturating
};

class Prelude {
 public:
  enum class Threads { one, many };
  explicit Prelude(Threads threads) : threads_(threads) {}

  /// The C name to call; its definition is printed from now on. `type` matters for the helpers that exist for each type.
  std::string use(Helper helper, format::ScalarType type = format::ScalarType::i64);
  /// A function of <math.h>, `sqrtf` for f32.
  std::string use_math(std::string_view name, int arguments, format::ScalarType type);
  std::string use_infinity();
  std::string use_nan();
  void use_memory();  ///< malloc and free

  std::string text() const;

 private:
  void define(const std::string& name, const std::string& text);
  Threads threads_;
  std::set<std::string> known_;
  std::string text_;
};

/// Names that the program's own must not hide: C's keywords, the library's functions, ours.
const std::set<std::string>& reserved_names();

}  // namespace trellis::emit
