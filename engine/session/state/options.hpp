#pragma once
// What the command line says about a session.

#include <cstddef>
#include <map>
#include <string>

#include "engine/cost/machine.hpp"
#include "engine/lang/program.hpp"
#include "engine/run/kernel.hpp"

namespace trellis::session {

struct Options {
  lang::Overrides parameters;                 ///< -D: over what `param` says
  std::map<std::string, lang::Order> orders;  ///< --set: by kernel; "" means every kernel that has these loops
  run::Backend backend = run::Backend::jit;
  bool chooses_backend = false;  ///< nobody named a back end: libtcc at once, the C compiler where it pays
  run::Limits limits;
  std::size_t data_limit = 0;  ///< bytes that one tensor may take; 0: half of the machine's memory
  double least_planned = 1e6;  ///< cycles that a kernel must be estimated to take before other ways to run it are tried
  cost::Machine machine = {};  ///< that estimates are for, with as many threads as there are
  std::string folder;          ///< --safe: files are read and written beneath it; empty: anywhere
};

}  // namespace trellis::session
