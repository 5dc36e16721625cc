#pragma once
// `find x scan` where x is looked up rather than walked: by a pointer for each fiber, which goes on from where it
// stood, entry by entry or in growing steps. That finds what is asked for where a fiber is never asked for less than
// before, which is proven (find/prove.hpp); where it is not true, the wish is refused with two iterations that tell.
//
//   for i { y(i) = x(p(i)) }     tensor p(n): i64 sorted      p(i) never falls: one pointer goes through x, once
//
// What index tensors promise is enough for the compiler to do so unasked. (docs/design/layouts.md#proofs)

#include <optional>
#include <string>
#include <vector>

#include "engine/find/prove.hpp"
#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// What was found out about one look-up.
struct ScanProof {
  std::string tensor;
  std::string element;                 ///< "x(p(i))"
  std::size_t restarts = 0;            ///< so many loops, outermost first, begin anew at the fiber's begin
  std::string begins = {}, loop = {};  ///< the last of these, and the next one: while it runs, the pointer goes on
  find::Answer answer;                 ///< of the last question that was asked
  std::string hindrance = {};          ///< why no pointer can be, whatever is asked for
  bool used = false;
  text::Span span = {};
};

struct Scanned {
  Flow flow;
  std::vector<ScanProof> proofs;  ///< of each element that is bisected for, once
};

/// Marches what the kernel's finds wish for, and what is asked for by index tensors that promise enough.
Scanned scan_look_ups(const Flow& flow, const lang::Kernel& kernel, const lang::Program& program);

/// E0914 for a wish that is refuted, or not proven; false then.
bool check_scans(const std::vector<ScanProof>& proofs, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
