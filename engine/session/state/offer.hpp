#pragma once
// What `fix N` takes: remedies of the last error.

#include <optional>
#include <string>
#include <vector>

#include "engine/lang/schedule.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

/// Remedies that an error named, and the kernel that they are about; "" when it is the whole program.
struct Offer {
  std::vector<text::Fix> fixes;
  std::string kernel;
  std::optional<lang::Order> illegal =
      {};              ///< that the error was about, until the program changes: `show instance` follows it
  text::Span at = {};  ///< what the error was about, for fixes that are equations
};

}  // namespace trellis::session
