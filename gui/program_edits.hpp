#pragma once
// Commands that belong in the program: they are written into its text, wherever they are given.

#include <string>

#include "gui/console.hpp"
#include "gui/lessons.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

/// False: it is no statement that stands in a program, and nothing has changed.
bool write_into_program(const Scene& scene, const std::string& command);
/// The fix of that number, over all messages as the panes show them, from 1.
void apply_fix(const Scene& scene, const std::string& command, int number);
/// Once a frame: what a statement that went into the text makes of the order is its answer, once that is known.
void tell_of_edit(const Scene& scene);
/// What the session has answered may be a task of the lesson.
void hear_answer(Lessons& lessons, const Console& console, const session::Answer& answer);

}  // namespace trellis::gui
