#pragma once
// Kernels on ranks to look at: whose each element is and who else is sent it, who sends whom how many bytes, and how
// long each rank computed and waited. Terminal, explorer and report draw the same value.
//
//   x, dealt out on 2 ranks              who sends whom      lanes of a run
//     0  0  0  0¹│1⁰ 1  1  1             to    0  1          0 ██████░░
//                                        from  0  .  8       1 ███████░
//                                              1  8  .
//
// Cells are elements, or stand for several side by side; none reaches over a cut.

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/distribute/forecast.hpp"
#include "engine/view/rank_lanes.hpp"

namespace trellis::view {

struct RanksPicture {
  struct Axis {
    std::vector<std::int64_t> places = {0, 1};  ///< where cells begin, and where the last one ends
    std::vector<bool> cuts = {false};           ///< before which cells another part begins; the first is false
    /// Ranks number elements otherwise: neighbours may be of any part, and a cell that stands for several is coloured
    /// as most of them are.
    bool scattered = false;
    std::int64_t cells() const { return static_cast<std::int64_t>(cuts.size()); }
  };
  struct Cell {
    std::int64_t owner = 0;             ///< the first of those that have copies
    std::vector<std::int64_t> readers;  ///< ranks that are sent some of it
  };
  struct Owned {
    std::string tensor;
    std::string home;        ///< "(p, :)"
    std::int64_t order = 1;  ///< dimensions, of which at most two are drawn
    Axis rows = {}, columns = {};
    std::vector<Cell> cells = {};        ///< by rows
    std::vector<std::string> also = {};  ///< dimensions of ranks along which there are copies
    const Cell& at(std::int64_t row, std::int64_t column) const {
      return cells[static_cast<std::size_t>(row * columns.cells() + column)];
    }
  };
  std::vector<std::int64_t> grid;  ///< ranks, by dimension
  std::int64_t ranks = 1;
  std::vector<Owned> tensors = {};       ///< of few ranks
  std::vector<std::string> whole = {};   ///< tensors that each rank has all of
  std::vector<std::int64_t> bytes = {};  ///< by sender and receiver; empty: not known, nothing, or too many ranks
  bool at_most = false;                  ///< which of them are sent depends on entries of sparse operands
  std::shared_ptr<const RankLanes> lanes = {};  ///< of the last run; null: there is none on as many ranks

  std::optional<distribute::Forecast> forecast = {};  ///< of any number of ranks, with the figures of the network
  distribute::Network network = {};

  bool empty() const { return tensors.empty() && bytes.empty() && !lanes; }
};

constexpr std::int64_t most_ranks_drawn = 16;

/// Without lanes. Of more ranks than are drawn it is empty.
RanksPicture ranks_picture(const distribute::Plan& plan, const distribute::Cuts& cuts);

/// "x(3:8), 5 elements of rank 1; sent to ranks 0 and 2".
std::string explain(const RanksPicture::Owned& owned, std::int64_t row, std::int64_t column);
/// "x(n): over (p)", and how much of it is drawn.
std::string caption(const RanksPicture::Owned& owned);
std::string caption(const RankLanes& lanes);
/// "on paper, at 2 µs a message and 10 GB/s: computing 96 % of the time, …"; "" where there is no forecast.
std::string forecast_text(const RanksPicture& picture);
std::string to_string(const RanksPicture& picture);
nlohmann::ordered_json to_json(const RanksPicture& picture);

}  // namespace trellis::view
