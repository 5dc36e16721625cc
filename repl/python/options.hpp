#pragma once
// What `trellis.compile` was told of a program.

#include <map>
#include <string>
#include <vector>

namespace trellis::python {

/// automatic: libtcc at once, the system's compiler on a thread when it is worth it. native: waits for that.
enum class Tier { automatic, jit, native };

struct Options {
  std::string text;
  std::string schedule;                        ///< statements that are read after the text
  std::string functions;                       ///< definitions that are read before it
  std::string order;                           ///< of kernels that have these loops; empty: chosen
  std::map<std::string, std::string> formats;  ///< by tensor, as a declaration says them: "csr", "f32 csc"
  Tier tier = Tier::automatic;
  int threads = 1;
};

}  // namespace trellis::python
