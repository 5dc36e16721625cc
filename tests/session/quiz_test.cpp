// quiz: questions whose answers hold when the session is asked in another way.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "engine/session/teach/quiz.hpp"
#include "engine/session/typing/complete.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

const std::string asked_viterbi =
    "param s = 2; param n = 4; tensor start(s); tensor A(s, s); tensor B(s, n); tensor V(s, n)\n"
    "random start seed 1; random A seed 2; random B seed 3\n"
    "V(i,0) = start(i) * B(i,0)\nV(i,j) = max(k)(V(k,j-1) * A(k,i)) * B(i,j) : 1 <= j\norder j k i\n";
const std::string asked_cholesky =
    "param n = 4; tensor A(n, n); tensor L(n, n); random A seed 1 spd\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\nL(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < "
    "i\norder i j k\n";
const std::string asked_sparse =
    "param n = 8; tensor a(n): {compressed}; tensor b(n): {compressed}; tensor c(n): {compressed}\n"
    "fill_with a [1, 0, 0, 2, 0, 3, 0, 0]; fill_with b [0, 0, 10, 20, 0, 0, 0, 30]\nc(i) = a(i) + b(i)\n";

/// The number behind `step ` in what is drawn.
std::string steps_taken(const std::string& scene) {
  const std::size_t at = scene.find("step ") + 5;
  return scene.substr(at, scene.find(' ', at) - at);
}

std::string touched_element(const nlohmann::ordered_json& written) {
  return text::element_text(written["tensor"].get<std::string>(), written["index"].get<std::vector<std::int64_t>>());
}

/// What another command says about it; "" when none does.
std::string said_otherwise(Transcript& t, const session::QuizQuestion& q) {
  if (q.kind == "order") {
    const std::string head = "in the order ";
    const std::size_t at = q.question.find(head) + head.size();
    return t.say("why main: " + q.question.substr(at, q.question.find('?') - at)).last("why")["legal"] == true ? "yes"
                                                                                                               : "no";
  }
  const std::size_t taken = std::stoul(steps_taken(q.scene));
  if (q.kind == "execution") return touched_element(t.say("goto " + std::to_string(taken + 1)).last("goto")["writes"]);
  if (q.kind == "lattice") {
    nlohmann::ordered_json step;
    t.say("order i; undo");  // from the beginning
    for (std::size_t k = 0; k <= taken; ++k) step = t.say("lattice step").last("lattice");
    return step["step"]["does"];
  }
  if (q.kind == "placement") {
    t.say("place run");
    while (t.say("place back").last("place")["at"] > taken) {}
    for (;;) {
      const auto event = t.say("place step").last("place")["events"].back();
      if (event["kind"] != "place") continue;
      std::string names;
      for (const auto& name : event["fragments"]) names += (names.empty() ? "" : " and ") + name.get<std::string>();
      return names;
    }
  }
  return "";
}

}  // namespace

TEST_CASE("quiz: the answers are what other commands say") {
  std::set<std::string> kinds, verdicts;
  for (const std::string* program : {&asked_viterbi, &asked_cholesky, &asked_sparse})
    for (int number = 1; number <= 12; ++number) {
      CAPTURE(number);
      Transcript t;
      REQUIRE(t.say(*program).ok());
      const session::QuizQuestion q = session::make_question(t.session().state(), number);
      CAPTURE(q.question);
      CAPTURE(q.scene);
      CHECK(q.about == "kernel main");
      REQUIRE(q.choices.size() >= 2);
      REQUIRE(q.right < q.choices.size());
      CHECK(std::set<std::string>(q.choices.begin(), q.choices.end()).size() == q.choices.size());
      CHECK(q.choices[q.right] == said_otherwise(t, q));
      CHECK(q.reason != "");
      kinds.insert(q.kind);
      if (q.kind == "order") verdicts.insert(q.choices[q.right]);
    }
  CHECK(kinds == std::set<std::string>{"order", "execution", "placement", "lattice"});
  CHECK(verdicts == std::set<std::string>{"yes", "no"});
}

TEST_CASE("quiz: the same number asks the same, other numbers something else") {
  Transcript t;
  t.say(asked_cholesky);
  std::set<std::string> different;
  for (int number = 1; number <= 12; ++number) {
    const session::QuizQuestion one = session::make_question(t.session().state(), number),
                                two = session::make_question(t.session().state(), number);
    CHECK(one.scene + one.question == two.scene + two.question);
    CHECK(one.choices == two.choices);
    different.insert(one.scene + one.question);
  }
  CHECK(different.size() >= 8);
}

TEST_CASE("quiz: asks, is answered, and counts") {
  Transcript t;
  t.say(asked_viterbi);
  auto json = t.say("quiz").last("quiz");
  CHECK(json["number"] == 1);
  CHECK(t.say("quiz").last("quiz")["question"] == json["question"]);
  const std::size_t right = t.session().state().focus.quiz->open->right + 1;
  json = t.say("quiz " + std::to_string(right)).last("quiz");
  CHECK(json["answer"]["given"] == right);
  CHECK(json["answer"]["right"] == right);
  CHECK(json["score"]["right"] == 1);
  CHECK(t.say("quiz 1").codes == "E0641");
  CHECK(t.say("quiz").last("quiz")["number"] == 2);
  const std::size_t wrong = t.session().state().focus.quiz->open->right == 0 ? 2 : 1;
  const Answer answer = t.say("quiz " + std::to_string(wrong));
  CHECK(answer.ok());
  CHECK(contains(answer.output, "✗ not "));
  CHECK(contains(answer.output, "1 of 2 right"));
  t.say("quiz");
  json = t.say("quiz skip").last("quiz");
  CHECK(json["answer"]["given"] == nullptr);
  CHECK(json["score"]["answered"] == 2);
}

TEST_CASE("quiz: an answer may be the words of a choice") {
  session::QuizQuestion question;
  question.choices = {"yes", "L(1,0)", "c(i) = a(i)"};
  CHECK(session::choice_of(question, "yes") == 0);
  CHECK(session::choice_of(question, "L(1, 0)") == 1);
  CHECK(session::choice_of(question, "c(i)=a(i)") == 2);
  CHECK(session::choice_of(question, "3") == 2);
  CHECK(session::choice_of(question, "0") == std::nullopt);
  CHECK(session::choice_of(question, "4") == std::nullopt);
  CHECK(session::choice_of(question, "") == std::nullopt);
  CHECK(session::choice_of(question, "yess") == std::nullopt);
}

TEST_CASE("quiz: what is no answer is refused, and the question stays") {
  Transcript t;
  CHECK(t.say("quiz yes").codes == "E0641");
  t.say(asked_viterbi + "quiz");
  CHECK(t.say("quiz yess").messages().find("did you mean `quiz yes`?") != std::string::npos);
  CHECK(t.say("quiz 17").codes == "E0641");
  CHECK(t.say("quiz").last("quiz")["number"] == 1);
}

TEST_CASE("quiz: without a kernel it is about an example, and the session stays as it is") {
  Transcript t;
  t.say("tensor x(3)");
  const std::uint64_t version = t.session().state().version();
  for (int k = 0; k < 8; ++k) {
    const Answer answer = t.say("quiz");
    REQUIRE(answer.ok());
    CHECK(contains(answer.last("quiz")["about"].get<std::string>(), "the example "));
    CHECK(t.say("quiz 1").ok());
  }
  CHECK(t.session().state().version() == version);
  CHECK(!t.say("fix 1").ok());
}

TEST_CASE("quiz: loop programs are asked about what they do, and about their orders") {
  std::set<std::string> kinds;
  for (int number = 1; number <= 8; ++number) {
    CAPTURE(number);
    Transcript t;
    REQUIRE(t.say("param n = 3; tensor A(n, n); tensor S(n, n); random A seed 1\n"
                  "loops {\n  for i in 1:n, j in 0:n-1 { S(i,j) = S(i-1,j+1) + A(i,j) }\n}")
                .ok());
    const session::QuizQuestion q = session::make_question(t.session().state(), number);
    CAPTURE(q.question);
    CHECK(q.about == "kernel main");
    CHECK(q.choices[q.right] == said_otherwise(t, q));
    kinds.insert(q.kind);
  }
  CHECK(kinds == std::set<std::string>{"order", "execution"});
}

TEST_CASE("quiz: the answers of an open question are completed") {
  Transcript t;
  const auto offered = [&](const std::string& text) {
    return session::complete(t.session().state(), text, text.size()).words;
  };
  CHECK(offered("quiz ") == std::vector<std::string>{"skip"});
  t.say(asked_viterbi + "quiz");
  CHECK(offered("quiz ") == std::vector<std::string>{"1", "2", "skip"});
}

}  // namespace trellis::testing
