// snapshot, restore, undo, redo, history, reset, source: what they bring back, and what they leave.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "engine/session/state/history.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Folder;
using testing::Transcript;

namespace {

const std::string doubling = "tensor x(3)\ny(i) = 2 * x(i)\nfill_with x [1, 2, 3]\n";

}  // namespace

TEST_CASE("undo takes back data, runs, equations and schedules, and redo brings them again") {
  Transcript t;
  t.say(doubling + "run");
  t.say("fill_with x [5, 5, 5]");
  CHECK(t.value("x") == "[5 5 5]");
  CHECK(t.say("undo").last("undo")["statements"] == nlohmann::json{"fill_with x [5, 5, 5]"});
  CHECK(t.value("x") == "[1 2 3]");
  CHECK(t.value("y") == "[2 4 6]");
  t.say("undo");
  CHECK(!t.session().state().data.has("y"));
  CHECK(t.value("y") == "[2 4 6]");  // runs once more, and is no change that ends what can be redone
  CHECK(t.say("redo 2").last("redo")["statements"].size() == 2);
  CHECK(t.value("x") == "[5 5 5]");
  CHECK(t.value("y") == "[10 10 10]");  // x is another one than that which it was computed from
  CHECK(t.say("redo").codes == "E0621");
  t.say("z(i) = x(i)\norder i-");
  CHECK(t.say("show schedule").output == "order i-\n");
  CHECK(t.say("undo\nshow schedule").output.find("chosen") != std::string::npos);
  CHECK(t.say("undo\nprint z").codes.find("E0615") != std::string::npos);
}

TEST_CASE("undo takes back what check knows of a run") {
  Transcript t;
  REQUIRE(t.say("tensor x(2)\ny(i) = 2*x(i)\nfill_with x [1, 2]\nrun\nundo\nfill_with x [3, 4]").ok());
  CHECK(!t.session().state().data.has("y"));
  REQUIRE(t.say("check").ok());  // runs it, on what there is now
  CHECK(t.value("y") == "[6 8]");
  Transcript loops;
  REQUIRE(loops.say("tensor s\nloops { s = s + 1 }\nrun\nrun").ok());
  CHECK(loops.value("s") == "2");
  REQUIRE(loops.say("undo\ncheck").ok());  // the first run, which was not undone
  CHECK(loops.value("s") == "1");
  REQUIRE(loops.say("redo\ncheck").ok());
  CHECK(loops.value("s") == "2");
  REQUIRE(loops.say("snapshot two\nreset\nrestore two\ncheck").ok());
  CHECK(loops.value("s") == "2");
}

TEST_CASE("what only looks is no step, and a change forgets what was undone") {
  Transcript t;
  t.say("tensor x(2)\nprint x\nfill_with x [1, 2]\nhistory\nhelp");
  const auto listed = t.say("history").last("history");
  CHECK(listed["done"] == nlohmann::json{"tensor x(2)", "fill_with x [1, 2]"});
  CHECK(t.say("undo\nhistory").last("history")["undone"] == nlohmann::json{"fill_with x [1, 2]"});
  CHECK(t.say("fill_with x [3, 4]\nhistory").last("history")["undone"].empty());
  CHECK(t.say("undo 9").last("undo")["statements"].size() == 2);
  CHECK(t.say("undo").codes == "E0621");
}

TEST_CASE("a statement that fails leaves nothing to undo") {
  Transcript t;
  t.say("tensor x(n)\nfill_with x [1, 2]");
  CHECK(t.say("param n = 5").codes == "E0616");
  CHECK(t.say("history").last("history")["done"].size() == 2);
}

TEST_CASE("snapshots keep whole states") {
  Transcript t;
  t.say(doubling + "order i\nrun");
  CHECK(t.say("snapshot first").ok());
  t.say("fill_with x [0, 0, 1]\norder i-\nrun");
  CHECK(t.value("y") == "[0 0 2]");
  CHECK(t.say("restore first").ok());
  CHECK(t.value("y") == "[2 4 6]");
  CHECK(t.say("show schedule").output == "order i\n");
  t.say("undo");
  CHECK(t.value("y") == "[0 0 2]");
  CHECK(t.say("restore frist").messages().find("did you mean `first`?") != std::string::npos);
  CHECK(t.say("history").output.find("snapshots: first") != std::string::npos);
}

TEST_CASE("reset forgets everything, within one text as well") {
  Transcript t;
  t.say(doubling + "run");
  CHECK(t.say("reset\nprint y").codes == "E0615");
  CHECK(t.say("tensor x(2): i32\nfill_with x [7, 8]\nreset\ntensor x(1)\nfill_with x [9]").ok());
  CHECK(t.value("x") == "[9]");
}

TEST_CASE("tensors in the history are shared, and the oldest steps go when they take too much") {
  session::Content content;
  const auto make = [&] {
    content.tensors.own()["x"] = *tensor::Tensor::create(format::ScalarType::f64, {1000}, format::Format::dense(1),
                                                         format::Value::of(format::ScalarType::f64, 0));
    return content;
  };
  const session::Content one = make();
  const session::Content same = one;
  session::HeldArrays held;
  held.add(one);
  held.add(same);
  CHECK(held.bytes() == 8000);
  held.remove(one);
  CHECK(held.bytes() == 8000);
  held.remove(same);
  CHECK(held.bytes() == 0);
  session::History history;
  for (int k = 0; k < 10; ++k) history.changed("step", make(), 40'000);
  CHECK(history.done().size() == 5);
  // What is undone is kept apart, and counts again when it is done again.
  for (int k = 0; k < 3; ++k) REQUIRE(history.undo(make()));
  CHECK(history.done().size() == 2);
  for (int k = 0; k < 3; ++k) REQUIRE(history.redo(make()));
  history.changed("step", make(), 40'000);
  CHECK(history.done().size() == 5);
  for (int k = 0; k < 1000; ++k) history.changed("step", one, 40'000);
  CHECK(history.done().size() == 200);
}

TEST_CASE("source reads statements from a file, relative to the file that says so") {
  Folder folder;
  std::filesystem::create_directory(folder.path() / "parts");
  folder.file("parts/data.tr", "tensor x(3)\nload x \"x.mtx\"\n");
  folder.file("parts/x.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
  folder.file("all.tr", "source \"parts/data.tr\"\ny(i) = 2 * x(i)\n");
  Transcript t;
  const auto answer = t.run("source \"" + folder / "all.tr" + "\"\nz(i) = y(i) + 1");
  CHECK(answer.ok());
  CHECK(answer.last("source")["file"] == "parts/data.tr");
  CHECK(t.value("y") == "[2 4 6]");
  CHECK(t.value("z") == "[3 5 7]");
}

TEST_CASE("what has no end is no text to source, and neither are files that double with each other") {
  Folder folder;
  REQUIRE(mkfifo((folder / "pipe.tr").c_str(), 0600) == 0);
  Transcript t;
  for (const std::string& path : {std::string("/dev/zero"), folder / "pipe.tr"}) {
    const auto answer = t.say("source \"" + path + "\"");
    CHECK(answer.codes == "E0622");
    CHECK(testing::contains(answer.messages(), "it is no regular file"));
  }
  folder.file("0.tr", "tensor x(2)\n");
  for (int k = 1; k <= 20; ++k) {
    const std::string before = "source \"" + std::to_string(k - 1) + ".tr\"\n";
    folder.file(std::to_string(k) + ".tr", before + before);
  }
  CHECK(t.say("source \"" + folder / "20.tr" + "\"").codes == "E0626");
  std::ofstream(folder / "long.tr", std::ios::binary).seekp(std::int64_t{65} << 20) << "\n";
  CHECK(testing::contains(t.say("source \"" + folder / "long.tr" + "\"").messages(), "it is longer than 64 MiB"));
}

TEST_CASE("a file that sources itself is refused, and so is one that is not there") {
  Folder folder;
  folder.file("a.tr", "source \"b.tr\"\n");
  folder.file("b.tr", "tensor x(2)\nsource \"a.tr\"\n");
  Transcript t;
  CHECK(t.say("source \"" + folder / "a.tr" + "\"").codes == "E0623");
  CHECK(t.say("print x").codes == "E0615");
  CHECK(t.say("source \"" + folder / "none.tr" + "\"").codes == "E0622");
  CHECK(t.say("source").codes == "E0601");
  folder.file("wrong.tr", "tensor x(2)\nfill_with x [1, 2]\ny(i) = x(i) +\n");
  const auto answer = t.say("source \"" + folder / "wrong.tr" + "\"");
  CHECK(answer.codes == "E0010");
  CHECK(t.session().sources().name(answer.replies.back().diagnostics.all()[0].span.source) == folder / "wrong.tr");
  CHECK(t.say("print x").codes == "E0615");
}
