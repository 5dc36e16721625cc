#include "gui/page.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

const session::Quizzed* quizzed(const Scene& scene) {
  const auto found = scene.replies->find("quiz");
  return found == scene.replies->end() ? nullptr : std::get_if<session::Quizzed>(&found->second->result);
}

/// What to look at: lines that stand as they are.
void draw_quiz_scene(const Scene& scene, Page& page, std::string_view text) {
  if (text.empty()) return;
  page.space(4);
  Ui& ui = page.ui();
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const Rect row = page.take(18);
    ui.paint().fill(row, ui.theme()(Token::window));
    const Clip clip(ui.paint(), row);
    paint_line(ui.paint(), ui.theme(), {row.x + 10, row.y + (18 - ui.paint().height(Font::list_mono)) / 2}, line,
               Colouring::program, &scene, Font::list_mono);
  }
  page.space(8);
}

void draw_quiz_choices(Page& page, const session::Quizzed& quiz) {
  Ui& ui = page.ui();
  for (std::size_t k = 0; k < quiz.choices.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    Page::Row row{.id = "choice:" + number,
                  .icon = Verdict::waits,
                  .code = "",
                  .words = quiz.choices[k],
                  .right = quiz.answer ? "" : number};
    if (quiz.answer) {
      const bool right = quiz.answer->right == k + 1, given = quiz.answer->given == k + 1;
      row.icon = right ? Verdict::legal : given ? Verdict::illegal : Verdict::waits;
      row.state = right ? "right" : given ? "wrong" : "";
      row.right = given ? "your answer" : "";
      row.first = right;
    }
    const Response response = page.row(row);
    if (!quiz.answer && (response.clicked || ui.key(number))) ui.act("quiz " + number);
  }
}

void draw_quiz(const Scene& scene, Ui& ui, Rect area) {
  const session::Quizzed* quiz = quizzed(scene);
  if (!quiz) {
    const Rect start{area.x + area.w / 2 - 60, area.y + area.h / 2 + 34, 120, 28};
    draw_nothing(ui, area, "What would the compiler say?", "Questions about the program that is open.");
    if (ui.button("start", "Ask me", start, true) || ui.key("Enter")) ui.act("quiz");
    return;
  }
  Page page(ui, "quiz", area);
  page.caption((quiz->about.empty() ? "" : "ABOUT ") + quiz->about);
  draw_quiz_scene(scene, page, quiz->scene);
  page.heading(std::nullopt, quiz->question);
  page.space(4);
  draw_quiz_choices(page, *quiz);
  page.space(6);
  if (!quiz->answer) {
    if (page.button("skip", "Tell me")) ui.act("quiz skip");
    return;
  }
  const bool right = quiz->answer->given == quiz->answer->right;
  page.heading(right ? Verdict::legal : Verdict::illegal, right                      ? "Right."
                                                          : quiz->answer->given == 0 ? "It is the one marked."
                                                                                     : "No.");
  page.paragraph(quiz->answer->reason, Token::ink);
  page.space(10);
  if (page.button("more", "Next question   Enter") || ui.key("Enter")) ui.act("quiz");
}

std::string quiz_subtitle(const Scene& scene) {
  const session::Quizzed* quiz = quizzed(scene);
  if (!quiz) return "";
  return "question " + std::to_string(quiz->number) + " · " + std::to_string(quiz->right) + " of " +
         std::to_string(quiz->answered) + " right";
}

}  // namespace

const View quiz_view = {"quiz", "Quiz", "learn", quiz_subtitle, draw_quiz, "quiz"};

}  // namespace trellis::gui
