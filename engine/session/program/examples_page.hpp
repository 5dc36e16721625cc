#pragma once
// The page on the programs of examples/, built into the program as they are: it says what belongs together.

#include <string_view>

namespace trellis::session {

extern const std::string_view examples_page;  ///< examples/README.md

}  // namespace trellis::session
