#include "engine/place/choices.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using Blamed = std::optional<Component>;  ///< none: accepted

Blamed from(const Chooser& chooser, Picks& picks, std::size_t k) {
  if (k == picks.size()) return chooser.attempt(picks);
  Component all;
  for (const int v : chooser.options[k]) {
    picks[k] = v;
    const Component clash = chooser.clashing(picks, k);
    Blamed blamed = clash.empty() ? from(chooser, picks, k + 1) : chooser.attempt(picks);
    if (!blamed) return std::nullopt;
    if (!clash.empty()) blamed = clash;  // what others chose is not all that they could
    if (!contains(*blamed, chooser.fragments[k]) && chooser.skips()) {
      all = *blamed;
      break;
    }
    for (const int f : *blamed) add_once(all, f);
  }
  picks[k] = chooser.options[k].front();
  return all;
}

}  // namespace

bool Chooser::choose() const {
  Picks picks;
  for (const std::vector<int>& some : options) picks.push_back(some.front());
  return !from(*this, picks, 0);
}

}  // namespace trellis::place
