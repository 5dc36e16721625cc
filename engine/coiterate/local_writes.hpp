#pragma once
// What a body writes to the temporaries that it declares.

#include <map>
#include <string>
#include <vector>

#include "engine/loop/stmt.hpp"

namespace trellis::coiterate {

/// Of one temporary: what it is reset to, and what is written to it otherwise.
struct LocalWrites {
  /// A write. Not always: under a condition, or any number of times.
  struct Step {
    std::optional<format::ReduceOp> op;
    lang::Expr value;
    bool always = true;
  };
  std::vector<format::Value> resets;
  std::vector<loop::Assign> writes;
  std::vector<Step> steps = {};  ///< of a scalar: all that is written to it, in order
  bool unknown = false;          ///< it is reset to what is no constant
};

/// By name.
std::map<std::string, LocalWrites> local_writes(const loop::Stmt& body);

}  // namespace trellis::coiterate
