#pragma once
// An execution of a kernel as it is scheduled now, kept whole, so that `step`, `back` and `goto` are only positions in
// it.
//
//   Recorded r = *record(state, kernel, 20000);          r.trace.steps[0]: i=0, reads A(0,0), writes L(0,0)
//   Boards b = boards_after(r, 1);                       b["L"]: one element, all others not written yet

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/compile.hpp"
#include "engine/explore/trace.hpp"
#include "engine/loop/interpret.hpp"

namespace trellis::session {

struct Recorded {
  std::string kernel;
  lang::Order order;  ///< empty for loop programs
  bool legal = true;  ///< otherwise the results begin undefined, and reads may come too early
  loop::Stmt nest;
  std::set<std::string> fresh;  ///< results that are drawn as not written until they are
  loop::Bindings before;        ///< sizes, and all tensors as the kernel finds them
  explore::Trace trace;
  std::shared_ptr<const Compilation> compilation = {};  ///< its control flow is replayed; none: `nest` is
  std::set<std::string> sparse = {};  ///< tensors of the control flow with levels that store only some elements
};

/// What a tensor holds at one moment; an element that nothing has written yet is empty.
struct Board {
  tensor::Index shape;
  std::vector<std::optional<format::Value>> elements;  ///< in row-major order
  std::vector<bool> stored = {};                       ///< likewise; empty: all of them
  std::size_t offset(const tensor::Index& index) const;
};
using Boards = std::map<std::string, Board>;
/// All of its elements are written.
Board board_of(const tensor::Tensor& tensor);

/// After the first `steps` steps; temporaries as far as they are written somewhere.
Boards boards_after(const Recorded& recorded, std::size_t steps);

}  // namespace trellis::session
