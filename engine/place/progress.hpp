#pragma once
// How far the greedy placement is after some of its events: what has become of each fragment, and whom it waits for.
//
//   after 3 events    tV: placed    V1: refused, "would read what V2 writes later"    V2: waiting for V1

#include <string>
#include <vector>

#include "engine/place/analysis.hpp"
#include "engine/place/placement.hpp"

namespace trellis::place {

/// By fragment, in rising order: the others that write what it reads, those of its own cycle left out, as a cycle is
/// placed at once.
using Needs = std::vector<std::vector<int>>;
Needs needs(const Analysis& analysis);

struct Progress {
  enum class Kind { waiting, tried, refused, placed } kind = Kind::waiting;
  std::string why = {};             ///< of the last refusal, in one line
  std::vector<int> waits_for = {};  ///< of what is not placed: what it needs that is not placed either
};
const char* name_of(Progress::Kind kind);

/// By number of events, from none to all of them, and by fragment.
std::vector<std::vector<Progress>> progress(const Needs& needs, const std::vector<Event>& events);
/// By fragment, after the first `count` events.
std::vector<Progress> progress(const Needs& needs, const std::vector<Event>& events, std::size_t count);

}  // namespace trellis::place
