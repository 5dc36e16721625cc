#pragma once
// Fibers that wait in lists, one for each coordinate (flow::Lists). A fiber is in one list at most:
//
//   L_lists[j]     the fiber that came last to where row j is waited for, or -1
//   L_after[k]     the one that waits behind fiber k, or -1
//   L_next[k]      the entry of fiber k that it waits with

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"

namespace trellis::emit {

class WaitingLists {
 public:
  WaitingLists(Context& out, Memory& memory) : out_(out), memory_(memory) {}

  /// Nobody waits yet.
  void begin(const flow::Lists& lists);
  /// At the end of the iteration for a coordinate: those that waited for it move on, and its own fiber begins to wait.
  void move_on(const flow::Lists& lists, const std::string& coordinate);
  /// A loop over those that wait: its first fiber, and how it goes on.
  c::Expr first(const std::string& lists, const c::Expr& coordinate);
  std::string step(const std::string& lists, const std::string& fiber);
  c::Expr entry(const std::string& lists, const std::string& fiber);

 private:
  std::string part(const std::string& lists, const char* suffix);

  Context& out_;
  Memory& memory_;
};

}  // namespace trellis::emit
