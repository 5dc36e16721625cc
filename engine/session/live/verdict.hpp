#pragma once
// What is to be said of a kernel, once: whoever shows a verdict, as a badge, a mark, a sentence or a colour, reads it
// here, so that no two of them say different things of one snapshot.

#include <string>

#include "engine/session/live/snapshot.hpp"

namespace trellis::session {

struct KernelVerdict {
  enum class Kind {
    unknown,  ///< the waves that tell have not come yet
    wrong,    ///< the text, or this kernel of it, is refused; what is shown of it may be older
    illegal,  ///< its order is
    differs,  ///< it ran, and gave another result than the reference
    costly,   ///< legal, with a warning or a look-up against the storage
    legal,
  };
  Kind kind = Kind::unknown;
  std::string words = {};  ///< "legal, proven for all sizes", "illegal", "wrong"
  std::string proof = {};  ///< of a legal one: "proven for all sizes", "as written"

  bool is_legal() const { return kind == Kind::legal || kind == Kind::costly; }
};

/// Of a kernel by itself.
KernelVerdict verdict_of(const Snapshot& snapshot, const KernelView& kernel);

/// The same, unless that is legal and another kernel of the program is not: "forward: illegal".
KernelVerdict verdict_of_program(const Snapshot& snapshot, const KernelView& kernel);

/// Of the order as it is, the first that is searched against its storage; null: nothing is, or nobody knows yet.
const flow::LookUp* discordant(const KernelView& kernel);

}  // namespace trellis::session
