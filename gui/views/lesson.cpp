#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string lesson_subtitle(const Scene&) { return ""; }

void draw_lesson(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View lesson_view = {"lesson", "Lesson", "learn", lesson_subtitle, draw_lesson, "tutorial"};

}  // namespace trellis::gui
