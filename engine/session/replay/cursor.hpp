#pragma once
// Where the session stands in what it replays: an execution, the placement of the equations, a walk through lattices.
// Each is kept as it was when it began; a change of the program or of a tensor ends it, but for what kernels compute to
// be shown.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/explore/lattice_trace.hpp"
#include "engine/place/progress.hpp"
#include "engine/session/replay/recorded.hpp"

namespace trellis::session {

/// What is replayed, and how many of its steps have been taken.
template <class Replayed>
struct Position {
  std::shared_ptr<const Replayed> of;
  std::size_t at = 0;
  std::uint64_t version = 0;  ///< of the state that it was made from
};

struct ReplayedPlacement {
  std::string kernel;
  lang::Order order;
  bool legal = false;
  std::shared_ptr<const place::Analysis> analysis;
  std::vector<place::Event> events;
  place::Needs needs;
  std::optional<place::Certificate> certificate = {};  ///< when legal
  text::Text nest = {};                                ///< likewise
  int nodes = 0;                                       ///< of it, printed or not
};

struct ReplayedLattices {
  std::string kernel;
  std::shared_ptr<const Compilation> compilation;
  std::vector<coiterate::NumberedLattice> lattices;  ///< they point into the compilation
  explore::LatticeTrace trace;
};

struct Cursor {
  Position<Recorded> execution;
  Position<ReplayedPlacement> placement;
  Position<ReplayedLattices> lattices;

  /// What is replayed of the state as it was goes on in the state as it is.
  void carry_over(std::uint64_t from, std::uint64_t to) {
    const auto carry = [&](auto& position) {
      if (position.version == from) position.version = to;
    };
    carry(execution), carry(placement), carry(lattices);
  }
};

}  // namespace trellis::session
