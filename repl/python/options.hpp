#pragma once
// What `trellis.compile` was told of a program.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/format/scalar.hpp"

namespace trellis::python {

/// automatic: libtcc at once, the system's compiler on a thread when it is worth it. native: waits for that.
enum class Tier { automatic, jit, native };

/// A tensor that a program of lazy arrays writes. Its text declares operands, and neither results nor temporaries.
struct Produced {
  std::string name;
  std::vector<std::string> shape;  ///< sizes, as a declaration says them
  format::ScalarType type;
  format::Value fill;
  bool sparse = false;
  std::string format = {};  ///< empty: dense, or of a sparse one that of the first sparse operand or one near to it
  bool temporary = false;   ///< no result
};

struct Options {
  std::string text;
  std::string schedule;                        ///< statements that are read after the text
  std::string functions;                       ///< definitions that are read before it
  std::string order;                           ///< of kernels that have these loops; empty: chosen
  std::map<std::string, std::string> formats;  ///< by tensor, as a declaration says them: "csr", "f32 csc"
  Tier tier = Tier::automatic;
  int threads = 1;
  std::vector<std::string> operands = {};  ///< of lazy arrays, in the order in which a call takes them
  std::vector<Produced> produced = {};

  bool is_temporary(const std::string& name) const {
    return std::ranges::any_of(produced, [&](const Produced& one) { return one.temporary && one.name == name; });
  }
};

}  // namespace trellis::python
