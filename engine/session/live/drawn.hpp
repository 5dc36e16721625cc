#pragma once
// What windows draw of one kernel: pictures, replays and texts, made once, as values. Nothing in it belongs to isl, so
// that it may be read and dropped on any thread.
//
//   W(i,j) = V(i,j) + W(i+1,j-1), order i j      graph: 3 boxes; violated: W(i,j) → W(i+1,j-1); placement: 4 events and
//                                                "✗"; timeline: bands of i and j; instance_step: 2

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/place/progress.hpp"
#include "engine/session/live/drop_slots.hpp"
#include "engine/session/replay/account.hpp"
#include "engine/session/replay/cursor.hpp"
#include "engine/session/stages/formats.hpp"
#include "engine/text/kin.hpp"
#include "engine/view/drawing.hpp"
#include "engine/view/timeline.hpp"

namespace trellis::session {

/// Of letters in windows' drawings.
inline constexpr view::FontSize drawn_font{8, 20};

struct CompiledView;
struct ExplainedView;

/// The greedy placement, event by event, without the analysis.
struct PlacementView {
  struct Fragment {
    int id = 0;
    std::string name;    ///< "tL1"
    std::string writes;  ///< "tL1(i,j)"
  };
  std::vector<Fragment> fragments;
  std::vector<place::Event> events;                    ///< as replayed
  std::vector<std::string> sentences;                  ///< by event, as `place step` says them, without indentation
  std::vector<int> depth;                              ///< by event, for indentation
  std::vector<std::vector<place::Progress>> progress;  ///< by number of events done, 0 to all of them; by fragment
  std::vector<text::Text> nests;  ///< likewise; spans of stage fragments, of the last one of a legal order of placement
  bool legal = false;
};

struct DrawnView {
  /// What it shows. A newer program's may be known before its pictures are; whoever names their parts takes these.
  std::shared_ptr<const CompiledView> compiled;  ///< null: it is wrong, or its order illegal
  std::shared_ptr<const ExplainedView> explained;

  // Of equations.
  view::Drawing graph;              ///< of the dependence graph, inputs as lines in the boxes that read them
  view::Drawing graph_with_inputs;  ///< the same, inputs as boxes
  /// Edges of the drawing of which the illegal order violates a dependence, the one of its smallest instance: from what
  /// is written to what is read.
  std::set<std::pair<int, int>> violated;
  std::shared_ptr<const PlacementView> placement;

  // Of what was compiled; of an illegal order they are empty.
  std::vector<view::LatticeDrawing> lattices;
  view::Drawing algebra, flow;
  /// Its compilation has no analysis. Null: no loop walks stored entries.
  std::shared_ptr<const ReplayedLattices> lattice_walk;
  KernelStorage storage;             ///< as `show formats` says
  std::optional<double> cycles;      ///< cost::estimate_cycles
  std::map<int, double> cost_share;  ///< by node of stage loops, the part of these that its own code has, of 1

  // Of the execution.
  view::Timeline timeline;
  Account account;
  std::optional<std::size_t> instance_step;  ///< steps done when the smallest instance is read, as in Selection::step

  /// By text::Stage, as `show` prints them; empty: source, and what was not reached.
  std::vector<text::Text> stages;
  text::Kin kin;                                  ///< of all of them; nodes of the program's text are their ancestors
  std::vector<std::vector<DropSlot>> drop_slots;  ///< by loop of the order, outermost first
  /// The orders of ExplainedView with their estimates, where they are few enough to be compiled at once; else empty.
  std::vector<explore::Verdict> estimated_orders;

  const text::Text& stage(text::Stage which) const { return stages[static_cast<std::size_t>(which)]; }
};

/// What a picture is made of, and by which it is known.
struct DrawnFrom {
  std::string kernel;
  std::shared_ptr<const place::Analysis> analysis;  ///< of equations, else null
  std::shared_ptr<const CompiledView> compiled;     ///< null: it is wrong, or its order illegal
  std::shared_ptr<const ExplainedView> explained;   ///< never null
  bool operator==(const DrawnFrom&) const = default;
};
struct Drawn {
  DrawnFrom from;
  std::shared_ptr<const DrawnView> view;
};

/// Parts that are made of the same as those of `last`, an earlier one of the same kernel, are taken over from there;
/// null: there is none.
DrawnView drawn(State& state, const lang::Kernel& kernel, const DrawnFrom& from, const Drawn* last);

}  // namespace trellis::session
