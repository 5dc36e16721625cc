#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string quiz_subtitle(const Scene&) { return ""; }

void draw_quiz(const Scene&, Ui& ui, Rect area) { draw_nothing(ui, area, "nothing yet"); }

}  // namespace

const View quiz_view = {"quiz", "Quiz", "learn", quiz_subtitle, draw_quiz, "quiz"};

}  // namespace trellis::gui
