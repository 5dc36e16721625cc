#include "engine/session/stages/level_words.hpp"

namespace trellis::session {

std::string in_words(format::Locate locate) {
  switch (locate) {
    case format::Locate::none: return "only walked";
    case format::Locate::direct: return "found at once";
    case format::Locate::binary: return "found by bisection";
    case format::Locate::one: return "found by one comparison";
    case format::Locate::hash: break;
  }
  return "found by hashing";
}

std::string in_words(const format::Facts& facts) {
  using format::Region;
  std::string out;
  if (facts.dense()) out = facts.bounded ? "every coordinate within bounds" : "every coordinate";
  else if (facts.covaries()) out = "one coordinate for each entry above";
  else if (facts.single)
    out = std::string("at most one ") +
          (facts.region == Region::run     ? "run"
           : facts.region == Region::block ? "block"
                                           : "coordinate") +
          " for each entry above";
  else if (facts.region == Region::run) out = facts.full() ? "every coordinate, in runs" : "runs of coordinates";
  else if (facts.region == Region::block) out = "blocks of coordinates";
  else
    out = facts.ordered ? std::string("stored coordinates in ") + (facts.decreasing ? "falling" : "rising") + " order"
                        : "stored coordinates in no order";
  if (!facts.unique) out += ", some perhaps several times";
  if (!facts.covaries()) out += ", " + in_words(facts.locate);
  return facts.wide ? out + ", 64-bit" : out;
}

}  // namespace trellis::session
