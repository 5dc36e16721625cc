#pragma once
// How loops come by what is stored. The schedule's wishes come first, then what lattices show to be needed: tables of
// operands that are looked up (find_operands), copies of those that would be sought again and again
// (lower_with_copies), temporaries that hold no more than what is stored into them (store_sparsely), and pointers where
// look-ups are proven to rise (flow/scan_look_ups.hpp).
//
// Only control flow shows how an operand is found, so the plan has that of its loops beside it.

#include <optional>
#include <vector>

#include "engine/coiterate/lattice.hpp"
#include "engine/flow/flow.hpp"
#include "engine/flow/scan_look_ups.hpp"
#include "engine/results/find_operands.hpp"
#include "engine/results/store.hpp"

namespace trellis::results {

struct Plan {
  loop::Stmt loops;                          ///< with the copies; numbered
  std::vector<Written> written;              ///< copies and tables, each with its reason
  std::vector<FindChoice> choices;           ///< which the kernel makes when it begins
  std::vector<flow::ScanProof> scans;        ///< of what is looked up by bisection otherwise
  std::vector<coiterate::Lattice> lattices;  ///< of the loops, outer ones before inner ones
  flow::Flow flow;                           ///< what they become, before any pass
};

/// Empty, and E0913 or E0914, where a wish has nothing to be about or is not valid.
std::optional<Plan> plan(const Stored& stored, text::Diagnostics& diagnostics);

}  // namespace trellis::results
