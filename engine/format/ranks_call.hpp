#pragma once
// What a kernel on several ranks asks of whoever runs it (docs/design/distributed.md#calls): each is about one exchange
// of its plan, by number, and all ranks ask the same in the same order.

#include <array>
#include <cstddef>
#include <string_view>

namespace trellis::format {

enum class RanksCall {
  start,    ///< what others need of a tensor, or own of it, is on its way as it is now
  finish,   ///< what others sent has arrived
  open,     ///< a part begins: elements are the operation's identity, what they were is kept
  combine,  ///< owners add the parts to what they were, in the order of ranks
  receive,  ///< what the ranks before this one passed on has arrived
  pass      ///< what the ranks behind this one need of a tensor is on its way as it is now
};

inline constexpr std::array<std::string_view, 6> ranks_call_names{"start",   "finish",  "open",
                                                                  "combine", "receive", "pass"};
inline std::string_view name_of(RanksCall call) { return ranks_call_names[static_cast<std::size_t>(call)]; }

}  // namespace trellis::format
