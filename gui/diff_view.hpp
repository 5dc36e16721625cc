#pragma once
// Two texts as one: lines of both, of the one alone, of the other alone.

#include <string>
#include <string_view>

#include "gui/text_view.hpp"

namespace trellis::gui {

/// Fills the area. Lines of `left` alone are those of side B, with `−`, lines of `right` alone those of side A, with
/// `+`. What differs is compared when one of the texts changes; `id` names what is kept.
void draw_diff(const Scene& scene, Ui& ui, const std::string& id, std::string_view left, std::string_view right,
               Rect area, Colouring colouring);

}  // namespace trellis::gui
