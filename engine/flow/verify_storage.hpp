#pragma once
// The first part of `verify`: each tensor, level and cursor that a statement names is there, so that whatever else is
// asked may look it up.

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// The first invariant that does not hold.
struct Broken {
  std::string what;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw Broken{what};
}

/// Throws Broken.
void verify_storage(const Flow& flow);

}  // namespace trellis::flow
