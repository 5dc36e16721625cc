#pragma once
// The machine code of the kernel that somebody looks at.
//
//   Disassembly machine_code(listing_of, [] { … });   // called on another thread when there is something new
//   machine_code.of(kernel.compiled)                  // null: under way

#include <memory>
#include <string>

#include "engine/session/live/aside.hpp"
#include "engine/session/live/snapshot.hpp"

namespace trellis::session {

struct Listing {
  text::Text text;    ///< instructions; their nodes are those of C
  std::string error;  ///< why there is no text: no compiler, no objdump
};

/// Compiles it for that.
Listing listing_of(const std::shared_ptr<const CompiledView>& kernel, const text::Cancel& cancel);

using Disassembly = Aside<std::shared_ptr<const CompiledView>, Listing>;

}  // namespace trellis::session
