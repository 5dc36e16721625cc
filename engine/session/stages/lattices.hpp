#pragma once
// What `show access`, `show algebra`, `show lattice` and `export dot lattice` are about: the lattices of one kernel's
// loops.
//
//   show access [KERNEL]      show algebra [KERNEL]        show lattice [LOOP] [KERNEL]

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/coiterate/print_lattice.hpp"
#include "engine/session/command/words.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

struct LatticesAsked {
  std::string kernel;
  std::shared_ptr<const Compilation> compilation;
  std::vector<coiterate::NumberedLattice> lattices;  ///< of that compilation
  text::Text text;
};

/// What `show algebra` and `show lattice` print of a whole kernel; where nothing sparse is walked, why.
text::Text algebra_text(const Compilation& compilation, const std::vector<coiterate::NumberedLattice>& lattices);
text::Text lattice_text(const Compilation& compilation, const std::vector<coiterate::NumberedLattice>& lattices);

/// `[LOOP] [KERNEL]`, either way round.
struct LatticeWords {
  std::optional<lang::syntax::Name> loop, kernel;
};
LatticeWords read_lattice_words(State& state, Words& words);

// Empty is reported.
std::optional<LatticesAsked> access_of(State& state, Words& words);
std::optional<LatticesAsked> algebra_of(State& state, Words& words);
std::optional<LatticesAsked> lattices_of(State& state, Words& words);
std::optional<LatticesAsked> lattices_of(State& state, const LatticeWords& names, Words& words);

}  // namespace trellis::session
