#pragma once
// Operands of a loop that walks what is stored, as panes about lattices show them: their hues, names and marks.

#include <string>
#include <vector>

#include "gui/running.hpp"

namespace trellis::gui {

/// The hue of an operand: those behind the indices' own.
Colour colour_of_operand(const Scene& scene, const Theme& theme, int operand);
/// Operands that lead, then those that follow.
std::vector<int> walked_operands(const coiterate::Lattice& lattice);
bool leads(const coiterate::Lattice& lattice, int operand);

enum class Mark { there, absent, gone, any };
/// A disc for an operand that leads, a square for one that follows: filled, hollow, a stroke where it ran out, a dot
/// where either will do.
void draw_mark(Paint& paint, Point centre, float radius, Mark mark, bool lead, Colour colour);

/// Names of the lattice's operands in their hues, what is between them in the other colour; the result is the width.
float paint_with_operands(const Scene& scene, Paint& paint, const Theme& theme, Point at, std::string_view text,
                          const std::vector<std::string>& names, Font font, Colour rest);

/// At the bottom of the area, which it takes off it: what each operand does and why; what was proven has the sign of that.
void draw_find_notes(Ui& ui, const std::vector<session::FindNote>& notes, Rect& area);

}  // namespace trellis::gui
