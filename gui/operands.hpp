#pragma once
// Operands of a loop that walks what is stored, as panes about lattices show them: their hues, names and marks.

#include <string>
#include <vector>

#include "gui/running.hpp"

namespace trellis::gui {

/// The hue of an operand, the same in all loops that walk it: those behind the indices' own.
Colour colour_of_operand(const Scene& scene, const Theme& theme, const coiterate::Lattice& lattice, int operand);
/// Operands that lead, then those that follow.
std::vector<int> walked_operands(const coiterate::Lattice& lattice);
bool leads(const coiterate::Lattice& lattice, int operand);

enum class Mark { there, absent, gone, any };
/// A disc for an operand that leads, a square for one that follows: filled, hollow, a stroke where it ran out, a dot
/// where either will do.
void draw_mark(Paint& paint, Point centre, float radius, Mark mark, bool lead, Colour colour);

/// Names of the lattice's operands in their hues, what is between them in the other colour; the result is the width.
/// `lit`: an operand whose name is marked; -1: none.
float paint_with_operands(const Scene& scene, Paint& paint, const Theme& theme, Point at, std::string_view text,
                          const coiterate::Lattice& lattice, Font font, Colour rest, int lit = -1);

/// In one word what an operand's pointer stands at: "here", "not here", "at its end", or "nothing stored" where there
/// was nothing to walk.
const char* word_of_cursor(const explore::LatticeStep::Cursor& cursor);

/// At the bottom of the area, which it takes off it: what each operand does and why; what was proven has the sign of
/// that.
void draw_find_notes(Ui& ui, const std::vector<session::FindNote>& notes, Rect& area);

}  // namespace trellis::gui
