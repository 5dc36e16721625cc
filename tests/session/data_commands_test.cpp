// load, random, fill_with, print, save: what they answer, and that a failure changes nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/view/json.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Answer;
using testing::contains;
using testing::Folder;
using testing::Transcript;

namespace {

const std::string matrix = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 -4\n";

}  // namespace

TEST_CASE("load reads a file, says what it read, and binds the sizes") {
  Folder folder;
  folder.file("a.mtx", matrix);
  Transcript t;
  t.say("tensor A(n, m)");
  const auto answer = t.say("load A \"" + folder / "a.mtx" + "\"");
  CHECK(answer.ok());
  CHECK(answer.last("load")["tensor"] == "A");
  CHECK(answer.last("load")["shape"] == nlohmann::json{2, 3});
  CHECK(answer.last("load")["entries"] == 2);
  CHECK(t.value("A") == "[[1.5   0   0]\n     [  0   0  -4]]");
  CHECK(t.say("tensor x(m)\nfill_with x [1, 2, 3]").ok());
}

TEST_CASE("names of files are relative to the file that says load") {
  Folder folder;
  folder.file("a.mtx", matrix);
  CHECK(Transcript().run("tensor A(n, m)\nload A \"a.mtx\"\nprint A", folder / "program.tr").ok());
}

TEST_CASE("a load that fails changes neither the tensor nor the sizes") {
  Folder folder;
  folder.file("a.mtx", matrix);
  folder.file("cut.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 7\n");
  folder.file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n9 9 1\n1 1 7\n");
  folder.file("half.mtx", "%%MatrixMarket matrix coordinate real general\n5 6 1\n1 1 1.5\n");
  Transcript t;
  t.say("tensor A(n, m); tensor I(p, q): i32; load A \"" + folder / "a.mtx" + "\"");
  const std::string before = t.value("A");
  CHECK(t.say("load A \"" + folder / "cut.mtx" + "\"").codes == "E0407");
  CHECK(t.say("load A \"" + folder / "wide.mtx" + "\"").codes == "E0613");
  CHECK(t.say("load A \"" + folder / "none.mtx" + "\"").codes == "E0400");
  CHECK(t.say("load A \"" + folder / "" + "\"").codes == "E0401");
  CHECK(t.value("A") == before);
  CHECK(t.say("load I \"" + folder / "half.mtx" + "\"").codes == "E0409");
  CHECK(t.value("I") == "E0602 E0602");  // p and q have no value still
}

TEST_CASE("load takes the record that it is told") {
  Folder folder;
  const std::string path = folder.file("s.fa", ">one\nAC\n>two\nGTT\n");
  const auto loaded = [&](const std::string& record) {
    Transcript t;
    const auto answer = t.say("tensor a(n): u8; load a \"" + path + "\"" + record);
    return answer.ok() ? t.value("a") : answer.codes;
  };
  CHECK(loaded("") == "[65 67]");
  CHECK(loaded(" record 2") == "[71 84 84]");
  CHECK(loaded(" record \"two\"") == "[71 84 84]");
  CHECK(loaded(" record 3") == "E0420");
  CHECK(loaded(" record 0") == "E0601");
  CHECK(loaded(" record") == "E0601");
}

TEST_CASE("random is reproducible, and honours its options") {
  Transcript t;
  t.say("param n = 4; tensor a(n); tensor b(n); tensor I(n): i32; tensor S(n, n)");
  CHECK(t.say("random a seed 3").last("random")["entries"] == 4);
  t.say("random b seed 3");
  CHECK(t.value("a") == t.value("b"));
  t.say("random b seed 4");
  CHECK(t.value("a") != t.value("b"));
  t.say("random I range 7:8");
  CHECK(t.value("I") == "[7 7 7 7]");
  t.say("random a density 0");
  CHECK(t.value("a") == "[0 0 0 0]");
  CHECK(t.say("random S spd").ok());
  CHECK(t.say("random a sede 3").messages().find("did you mean `seed`?") != std::string::npos);
  CHECK(t.say("random a density 2").codes == "E0601");
  CHECK(t.say("random a range 3").codes == "E0601");
  CHECK(t.say("random a spd").codes == "E0415");
  CHECK(t.say("random").codes == "E0601");
}

TEST_CASE("fill_with takes lists and strings, and refuses what does not fit") {
  Transcript t;
  t.say("tensor B(n, m); tensor s(l): u8; tensor x: f64; tensor c(2): bool");
  CHECK(t.say("fill_with B [[1, -2.5], [0, inf], [3, 4]]").last("fill_with")["shape"] == nlohmann::json{3, 2});
  CHECK(t.value("B") == "[[   1 -2.5]\n     [   0  inf]\n     [   3    4]]");
  t.say("fill_with s \"AC\"");
  CHECK(t.value("s") == "[65 67]");
  t.say("fill_with x 2");
  CHECK(t.value("x") == "2");
  t.say("fill_with c [true, false]");
  CHECK(t.value("c") == "[true false]");
  CHECK(t.say("fill_with B [[1, 2], [3]]").codes == "E0614");
  CHECK(t.say("fill_with s [300]").codes == "E0614");
  CHECK(t.say("fill_with s [1, 2, 3]").codes == "E0613");
  CHECK(t.say("fill_with B [1, 2]").codes == "E0613");
  CHECK(t.say("fill_with B [[1, 2], ").codes.find("E0") == 0);
  CHECK(t.value("s") == "[65 67]");
}

TEST_CASE("fill_with keeps all bits of integers, and takes infinities and what is no number") {
  Transcript t;
  t.say("tensor a(3): i64; tensor b(2): u64; tensor x(4); tensor f(1): f32");
  REQUIRE(t.say("fill_with a [-9223372036854775808, 9223372036854775807, 0xFF]").ok());
  CHECK(t.value("a") == "[-9223372036854775808 9223372036854775807 255]");
  REQUIRE(t.say("fill_with b [18446744073709551615, 9223372036854775808]").ok());
  CHECK(t.value("b") == "[18446744073709551615 9223372036854775808]");
  REQUIRE(t.say("fill_with x [nan, inf, -inf, 2e19]").ok());
  CHECK(t.value("x") == "[nan inf -inf 2e+19]");
  for (const char* wrong :
       {"a [9223372036854775808, 0, 0]", "a [-9223372036854775809, 0, 0]", "b [-1, 0]", "a [nan, 0, 0]", "f [1e300]"})
    CHECK(t.say(std::string("fill_with ") + wrong).codes == "E0614");
  CHECK(t.say("fill_with b [18446744073709551616, 0]").codes == "E0004");
}

TEST_CASE("prune forgets stored fills, and nothing else") {
  Transcript t;
  t.say(
      "param n = 3; tensor A(n, n): csr; tensor B(n, n): csr; tensor C(n, n): csr fill 2; tensor D(n, n): {compressed, "
      "dense}; tensor x(n)");
  t.say(
      "fill_with A [[1, 0, 2], [0, 3, 0], [4, 0, 0]]; fill_with B [[1, 0, 5], [0, 3, 0], [0, 0, 6]]; fill_with D [[0, "
      "0, 0], [0, 1, 0], [2, 2, 2]]");
  REQUIRE(t.say("C(i,j) = A(i,j) - B(i,j) + 2; kernel second { x(i) = sum(j)(C(i,j)) }; run").ok());
  const auto stored = [&](const std::string& name) { return t.say("print " + name).last("print")["entries"].size(); };
  const std::string before = t.value("x");
  CHECK(stored("C") == 5);
  const auto pruned = t.say("prune C").last("prune");
  CHECK(pruned["entries"] == 3);
  CHECK(pruned["dropped"] == 2);
  CHECK(stored("C") == 3);
  CHECK(t.say("check").ok());
  CHECK(t.say("run second").ok());
  CHECK(t.value("x") == before);
  CHECK(t.say("prune C").last("prune")["dropped"] == 0);
  t.say("undo 2");  // the run, and what pruned something
  CHECK(stored("C") == 5);
  CHECK(t.say("prune D").last("prune")["entries"] == 6);  // rows that are stored whole
  CHECK(t.say("prune x").last("prune")["dropped"] == 0);
  CHECK(t.say("prune Q").codes == "E0615");
  CHECK(t.say("prune C now").codes == "E0601");
  CHECK(t.say("prune").codes == "E0601");
  CHECK(t.say("tensor E(n, n): csr; E(i,j) = A(i,j); prune E").last("prune")["entries"] ==
        4);  // what has not run runs first
}

TEST_CASE("print answers with all digits in JSON") {
  Transcript t;
  t.say("tensor x(3): f32 fill 9; fill_with x [0.1, 9, inf]");
  const auto json = t.say("print x").last("print");
  CHECK(json["tensor"] == "x");
  CHECK(json["shape"] == nlohmann::json{3});
  CHECK(json["format"] == "dense");
  CHECK(json["fill"] == 9);
  CHECK(json["entries"][0][0] == nlohmann::json{0});
  CHECK(json["entries"][0][1].get<double>() == doctest::Approx(0.1));
  CHECK(json["entries"].back()[1] == "inf");
}

namespace {

/// What a terminal shows, as wide as the text is.
std::string seen(const Answer& answer) {
  return session::output_of(answer.replies.back(), session::Elision::when_large);
}

}  // namespace

TEST_CASE("a large tensor is summarised where a person looks at it, and whole elsewhere or where that is asked for") {
  Transcript t;
  t.say("tensor A(100, 100): i32 fill 7\nloops { A(3, 4) = 0 - 2; A(5, 6) = 11 }\nrun");
  const auto answer = t.say("print A");
  CHECK(std::count(answer.output.begin(), answer.output.end(), '7') == 9998);
  CHECK(
      seen(answer).starts_with("A = dense 100 x 100, 10000 elements, 2 other than 7, least -2, greatest 11; "
                               "`print A whole` prints all of it\n  [[7 7 7 7 … 7 7 7 7]\n"));
  CHECK(std::ranges::count(seen(answer), '\n') == 1 + 4 + 1 + 4);
  CHECK(seen(t.say("print A whole")) == answer.output);
  CHECK(seen(t.say("print A(0:8, 0:8)")).find("least") == std::string::npos);
  CHECK(seen(t.say("print 2 * A(0:40, 0:40) whole")) == t.say("2 * A(0:40, 0:40)").output);
  CHECK(seen(t.say("2 * A(0:40, 0:40)")).find("`print 2 * A(0:40,0:40) whole` prints all of it") != std::string::npos);
  CHECK(t.say("print A all").codes == "E0012");
}

TEST_CASE("a summary counts what is no number and what is true, and leaves out what a cube has inside") {
  Transcript t;
  t.say(
      "param n = 40; tensor x(n, n); random x seed 1 range 1:2\n"
      "y(i,j) = sqrt(x(i,j) - (i == 0 ? 3 : 1)); b(i,j) = i < 3 : i < n, j < n; c(i,j,k) = i + j + k : i < 20, j < 20, "
      "k < 20\nrun");
  const std::string y = seen(t.say("print y")), b = seen(t.say("print b")), c = seen(t.say("print c"));
  CHECK(contains(y, "1600 elements, 40 other than 0, 40 not numbers, least 0, greatest 0; "));
  CHECK(contains(b, "b = dense 40 x 40, 1600 elements, 120 true; "));
  CHECK(contains(c, ", least 0, greatest 57; "));
  CHECK(std::ranges::count(c, '\n') == 1 + 4 * 4 + 3 + 2);
}

TEST_CASE("a summary of a sparse tensor is about its entries") {
  Transcript t;
  t.say("tensor A(200, 200): csr; random A density 0.01 seed 1 range 2:3");
  const auto answer = t.say("print A");
  const std::string shown = seen(answer);
  CHECK(shown.starts_with("A = csr 200 x 200, "));
  CHECK(contains(shown, " entries, least 2, greatest 2; "));
  CHECK(contains(shown, "; `print A whole` prints all of it\n"));
  CHECK(std::ranges::count(shown, '\n') == 1 + 10 + 1 + 10);
  CHECK(seen(t.say("print A whole")) == answer.output);
  CHECK(contains(answer.output.substr(0, answer.output.find('\n')), "entries"));
  CHECK_FALSE(contains(answer.output, "least"));
}

TEST_CASE("save writes what load reads, and a failure leaves no file") {
  Folder folder;
  Transcript t;
  t.say("tensor A(2, 3); tensor B(n, m); tensor C(2, 2, 2); random A");
  for (const char* name : {"a.mtx", "a.tns", "a.npy"}) {
    CAPTURE(name);
    CHECK(t.say("save A \"" + folder / name + "\"").last("save")["tensor"] == "A");
    CHECK(t.say("load B \"" + folder / name + "\"").ok());
    CHECK(t.value("B") == t.value("A"));
  }
  const std::ptrdiff_t files = folder.count();
  CHECK(t.say("save C \"" + folder / "c.mtx" + "\"").codes == "E0413");
  CHECK(t.say("save A \"" + folder / "a.xyz" + "\"").codes == "E0401");
  CHECK(t.say("save A \"" + folder / "no/a.mtx" + "\"").codes == "E0412");
  CHECK(t.say("save A").codes == "E0601");
  CHECK(folder.count() == files);
}

TEST_CASE("save says how many entries hold the fill, in coordinate files") {
  Folder folder;
  folder.file("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n1 2 0\n2 3 -4\n");
  Transcript t;
  REQUIRE(t.say("tensor A(2, 3): csr; load A \"" + folder / "a.mtx" + "\"").ok());
  for (const std::string name : {"b.mtx", "b.tns"}) {
    const auto answer = t.say("save A \"" + folder / name + "\"");
    CHECK(answer.last("save")["stored_fills"] == 1);
    REQUIRE(t.say("load A \"" + folder / name + "\"").ok());
    CHECK(t.value("A") == "csr 2 x 3, 3 entries\n  (0,0)  1.5\n  (0,1)  0\n  (1,2)  -4");
  }
  REQUIRE(t.say("format A {dense, band}").ok());
  CHECK_FALSE(t.say("save A \"" + folder / "b.tns" + "\"").last("save").contains("stored_fills"));
  REQUIRE(t.say("load A \"" + folder / "b.tns" + "\"").ok());
  CHECK(t.value("A") == "{dense, band} 2 x 3, 2 entries\n  (0,0)  1.5\n  (1,2)  -4");
}

TEST_CASE("a file with values loads into bool: what is not 0 is true") {
  Folder folder;
  folder.file("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 1.5\n1 2 0\n2 3 -4\n2 3 4\n");
  Transcript t;
  const auto load = [&](const std::string& format) {
    return t.say("reset\ntensor S(2, 3): " + format + "; load S \"" + folder / "a.mtx" + "\"");
  };
  CHECK(load("csr pattern").last("load")["as_truths"] == true);
  CHECK(t.value("S") == "{dense, compressed, pattern} 2 x 3, 1 entry\n  (0,0)");
  CHECK(load("csr bool").last("load")["as_truths"] == true);
  CHECK(t.value("S") == "csr 2 x 3, 3 entries\n  (0,0)  true\n  (0,1)  false\n  (1,2)  false");
  CHECK(load("bool").ok());
  CHECK(t.value("S") == "[[ true false false]\n     [false false false]]");
  folder.file("b.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n2 1\n");
  const auto plain = t.say("load S \"" + folder / "b.mtx" + "\"");
  CHECK_FALSE(plain.last("load").contains("as_truths"));
}

TEST_CASE("a file may have any name, and JSON stays JSON") {
  const Folder folder;
  Transcript t;
  const auto saved = t.say("tensor x(2)\nsave x \"" + folder / "a\xff.mtx" + "\"");
  CHECK(view::written(saved.last("save")).ends_with("a\xEF\xBF\xBD.mtx\"}"));
  CHECK(std::filesystem::exists(folder / "a\xff.mtx"));
}

TEST_CASE("a size that data brought along stays what it is") {
  Transcript t;
  t.say("tensor x(n); fill_with x [1, 2, 3]");
  CHECK(t.say("param n = 4").codes == "E0616");
  CHECK(t.value("x") == "[1 2 3]");
  CHECK(t.say("param n = 3").ok());
  CHECK(t.value("x") == "[1 2 3]");
}

TEST_CASE("names that do not exist are answered with the nearest ones") {
  Transcript t;
  t.say("tensor matrix(2, 2)");
  CHECK(t.say("random matrx").messages().find("did you mean `matrix`?") != std::string::npos);
  CHECK(t.say("prnt matrix").messages().find("did you mean `print`?") != std::string::npos);
  CHECK(t.say("random M").codes == "E0615");
}

TEST_CASE("a fill that is stored is stored in a copy of the operand as well, and decides nothing") {
  Folder folder;
  folder.file("c.tns", "1 1 5\n1 2 3\n2 1 inf\n2 2 1\n");
  Transcript t;
  const auto ran =
      t.say("param n = 2; param m = 0; tensor C(n, n): csr fill inf; tensor x(m); tensor y(n, n); load C \"" +
            folder / "c.tns" + "\"\ny(i,j) = C(i,j) + max(k)(x(k) + C(i,j))\norder k j- i\nrun\ncheck");
  CHECK_MESSAGE(ran.ok(), ran.messages());
  CHECK(contains(t.say("show loops").output, "C_w(i,j) = C(i,j)"));
  CHECK(t.value("y") == "[[-inf -inf]\n     [ nan -inf]]");
}
