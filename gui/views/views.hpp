#pragma once
// Every pane, by name: its title, what its header says besides, and the function that draws it.

#include <string>
#include <string_view>
#include <vector>

#include "gui/scene.hpp"

namespace trellis::gui {

/// One view a file: `draw` shows a snapshot in an area that is clipped to it.
struct View {
  const char* id;     ///< "graph"
  const char* title;  ///< "Graph"
  const char* group;  ///< "program", "schedule", "replay", "stage", "data", "learn": for the palette
  /// Beside the title: "2 of 6 orders are legal".
  std::string (*subtitle)(const Scene&);
  void (*draw)(const Scene&, Ui&, Rect);
  /// The command that says the same in words: "show graph"; "" for none.
  const char* twin;
  /// What its stepper replays: "execution", "placement", "lattice"; "" for none.
  const char* replay = "";
  /// In the header in place of the subtitle, behind the stepper; null: there is none.
  void (*draw_header)(const Scene&, Ui&, Rect) = nullptr;
};

const std::vector<View>& views();
const View* find_view(std::string_view id);  ///< "graph:B" is the graph of side B

// Each is defined in the file of its name.
extern const View program_view, console_view, loops_view, graph_view, placement_view, iterations_view, values_view,
    lattice_view, operands_view, step_view, stages_view, c_view, assembly_view, timeline_view, explain_view,
    orders_view, timing_view, formats_view, storage_view, pattern_view, plan_view, suggest_view, differs_view,
    inspector_view, lesson_view, quiz_view, passes_view, ranks_view;

/// In the middle of an area that has nothing to show: why, and what to do.
void draw_nothing(Ui& ui, Rect area, std::string_view why, std::string_view what_to_do = {});

}  // namespace trellis::gui
