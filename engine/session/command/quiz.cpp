// quiz: asks, and is answered.
#include "engine/session/teach/quiz.hpp"
#include "engine/session/command/commands.hpp"

namespace trellis::session {
namespace {

Quizzed as_it_stands(const Quiz& quiz) {
  const QuizQuestion& q = *quiz.open;
  return {quiz.asked, q.kind, q.about, q.scene, q.question, q.choices, {}, quiz.right, quiz.answered};
}

void refuse_answer(const QuizQuestion& question, const std::string& answer, text::Span at, Words& words) {
  text::Diagnostic& d = words.diagnostics().error("E0641", at, "`" + answer + "` is none of the answers", "");
  const std::string near = text::did_you_mean(answer, question.choices);
  d.notes.push_back({{},
                     near.empty() ? "answer with a number from 1 to " + std::to_string(question.choices.size()) +
                                        "; `quiz` asks once more, `quiz skip` tells"
                                  : "did you mean `quiz " + near + "`?"});
}

}  // namespace

CommandResult quiz(State& state, Words& words) {
  Quiz& quiz = *state.focus.quiz;
  if (words.at_end()) {
    if (!quiz.open) quiz.open = make_question(state, ++quiz.asked);
    return {as_it_stands(quiz)};
  }
  const text::Span at = words.span();
  const std::string answer = words.rest();
  if (!quiz.open) {
    words.diagnostics().error("E0641", at, "no question is open", "").notes.push_back({{}, "`quiz` asks one"});
    return {};
  }
  const auto choice = choice_of(*quiz.open, answer);
  if (!choice && answer != "skip") {
    refuse_answer(*quiz.open, answer, at, words);
    return {};
  }
  if (choice) {
    ++quiz.answered;
    quiz.right += *choice == quiz.open->right;
  }
  Quizzed quizzed = as_it_stands(quiz);
  quizzed.answer = Quizzed::Answer{choice ? *choice + 1 : 0, quiz.open->right + 1, quiz.open->reason};
  quiz.open.reset();
  return {std::move(quizzed)};
}

}  // namespace trellis::session
