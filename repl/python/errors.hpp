#pragma once
// The engine's diagnostics as Python exceptions.

#include <string>

#include "engine/text/diagnostic.hpp"

namespace trellis::python {

/// What was wrong, with the texts that places are in; thrown where there is no GIL.
struct Refused {
  text::Diagnostics diagnostics;
  text::Sources sources;
  bool fault = false;  ///< at run time: trellis.Fault, else trellis.Error
};

/// Raises it; with the GIL.
void raise(const Refused& refused);

/// A Refused of one error without a place.
Refused refusal(const std::string& code, const std::string& message, const std::string& fix = "");

}  // namespace trellis::python
