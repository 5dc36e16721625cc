#pragma once
// Figures, not tests: how long one waits for the explorer. With a window that shows the script's frames, showing is in
// them.

#include <functional>
#include <string>

#include "gui/script.hpp"

namespace trellis::gui {

using Hearer = std::function<void(const std::string&)>;

/// Medians, 95th percentiles and worst ones in milliseconds, of the program that is open; each line is reported as soon
/// as it is known, and `progress` hears now and then how far it is:
///   edit    from one changed character to the new C on screen, over characters all over the text, for 20 s
///   step    a frame in which the replay moves on, for 20 s
///   drag    a frame in which a loop is dragged
///   memory  of the process before and after so many edits, however long they take
///   pan     a frame in which the graph is moved
void measure(Script& script, int edits, const Hearer& report, const Hearer& progress);

/// Of viterbi, sparse_sum, gmres and a chain of 130 equations; and panning in a graph of 5 000 edges.
void measure_usual_programs(Script& script, int edits, const Hearer& report, const Hearer& progress);

}  // namespace trellis::gui
