#pragma once
// How a kernel runs on ranks: what `show ranks` prints, with bytes where sizes and ranks have numbers, and the C of
// `show ranks c`.

#include <memory>
#include <vector>

#include "engine/session/state/state.hpp"
#include "engine/view/ranks_picture.hpp"

namespace trellis::session {

/// As many as the program says, else as the last run had, else a few.
std::vector<std::int64_t> ranks_to_show(const State& state, const Compilation& compilation);

/// What messages cost on the machine of the session.
distribute::Network network_of(const State& state);

/// Of the kernel's last run, if that was on ranks; else null.
std::shared_ptr<const view::RankLanes> last_lanes(const State& state, const Compilation& compilation);

/// With the lanes, if these are of that many ranks, and what is to be expected on paper.
view::RanksPicture ranks_picture(const State& state, const Compilation& compilation, const distribute::Cuts& cuts,
                                 const distribute::Network& network,
                                 const std::shared_ptr<const view::RankLanes>& lanes);

/// Which ranks, and what their messages cost.
struct RanksWanted {
  std::vector<std::int64_t> grid;  ///< empty: as many as the program says, if it does
  distribute::Network network;
};

/// `picture`: what was drawn, if anything.
std::string ranks_text(State& state, const std::shared_ptr<const Compilation>& compiled, RanksWanted asked,
                       text::Span at, text::Diagnostics& diagnostics,
                       std::shared_ptr<const view::RanksPicture>& picture);

/// The C that each rank runs, or why there is none.
std::string c_of_rank(const Compilation& compilation, text::Diagnostics& diagnostics);

}  // namespace trellis::session
