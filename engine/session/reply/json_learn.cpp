// Lessons and questions, as JSON.
#include <nlohmann/json.hpp>

#include "engine/session/reply/json.hpp"

namespace trellis::session {

using view::Json;

void put(Json& json, const LessonShown& shown) {
  json["lesson"] = shown.number;
  json["of"] = shown.of;
  json["title"] = shown.title;
  json["text"] = shown.text;
  json["tasks"] = Json::array();
  for (const auto& task : shown.tasks)
    json["tasks"].push_back({{"statement", task.statement}, {"text", task.text}, {"done", task.done}});
}

void put(Json& json, const LessonsListed& listed) {
  json["present"] = listed.present;
  json["lessons"] = Json::array();
  for (const auto& lesson : listed.lessons)
    json["lessons"].push_back({{"title", lesson.title}, {"tasks", lesson.tasks}, {"done", lesson.done}});
}

void put(Json& json, const Quizzed& quizzed) {
  json["number"] = quizzed.number;
  json["kind"] = quizzed.kind;
  json["about"] = quizzed.about;
  json["scene"] = quizzed.scene;
  json["question"] = quizzed.question;
  json["choices"] = quizzed.choices;
  if (const auto& answer = quizzed.answer)
    json["answer"] = {{"given", answer->given == 0 ? Json(nullptr) : Json(answer->given)},
                      {"right", answer->right},
                      {"reason", answer->reason}};
  json["score"] = {{"right", quizzed.right}, {"answered", quizzed.answered}};
}

}  // namespace trellis::session
