// No silent zeros: an index with a parameter's name, sizes that change under data, results that nothing has computed.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Folder;
using testing::Transcript;

TEST_CASE("an index that is a parameter: the fix renames it, and takes the equation's place") {
  Transcript t;
  const auto refused =
      t.enter({"param k = 2; tensor A(2, k); tensor C(2, k)", "fill_with A [[1, 2], [3, 4]]", "C(i,k) = A(i,k) * 2"});
  CHECK(contains(refused.codes, "E0218"));
  CHECK(t.enter({"fix 1"}).ok());
  t.enter({"run"});
  CHECK(t.value("C") == "[[2 4]\n     [6 8]]");
}

TEST_CASE("of a warning, the fix takes the place of the equation that stays") {
  Transcript t;
  const auto warned = t.enter(
      {"param k = 1; tensor A(2, 3); tensor C(2, 3)", "fill_with A [[1, 2, 3], [4, 5, 6]]", "C(i,k) = A(i,k) * 2"});
  CHECK(contains(warned.codes, "W0205"));
  t.enter({"run"});
  CHECK(t.value("C") == "[[ 0  4  0]\n     [ 0 10  0]]");
  CHECK(t.enter({"fix 1", "run"}).ok());
  CHECK(t.value("C") == "[[ 2  4  6]\n     [ 8 10 12]]");
}

TEST_CASE("no fix is a condition that never holds") {
  Transcript t;
  const auto outside = t.say("param k = 2; tensor A(4, k); tensor y(4); y(i) = A(i,k+1); run");
  CHECK(outside.codes == "E0104");
  CHECK(outside.last("run")["diagnostics"][0]["fixes"].empty());
  const auto beyond = Transcript().say("tensor x(3); y = x(5); run");
  CHECK(contains(beyond.codes, "E0104"));
  CHECK(beyond.last("run")["diagnostics"].back()["fixes"].empty());
}

TEST_CASE("what no equation defines is said to be so") {
  Transcript t;
  t.say("param n = 3; tensor x(n); tensor y(n); random x; y(i) = x(i) : i > 5; run");
  const auto shown = t.say("print y");
  CHECK(shown.codes == "W0601");
  CHECK(contains(shown.messages(), "no equation defines any element of y"));
  CHECK(t.enter({"param n = 8", "print y"}).codes == "N0601 N0603 N0602");
  CHECK(Transcript().say("tensor y(3); fill_with y [1, 2, 3]; y(i) = 2 : i > 5; print y").codes ==
        "N0602");  // what was loaded stays
}

TEST_CASE("what was filled is filled again when its size changes, announced") {
  Transcript t;
  t.enter({"param n = 2", "tensor x(n)", "random x seed 1", "y(i) = 2*x(i)", "run"});
  const auto changed = t.enter({"param n = 3"});
  CHECK(changed.codes == "N0601 N0603");
  CHECK(contains(changed.messages(), "x is filled again, 3 now: random x seed 1"));
  Transcript fresh;
  fresh.say("param n = 3; tensor x(n); random x seed 1; y(i) = 2*x(i); run");
  CHECK(t.value("x") == fresh.value("x"));
  CHECK(t.value("y") == fresh.value("y"));  // `print` ran main again
}

TEST_CASE("undo takes the fill back with the size") {
  Transcript t;
  t.enter({"param n = 2", "tensor x(n)", "random x seed 1"});
  const std::string before = t.value("x");
  t.enter({"param n = 3", "undo"});
  CHECK(t.value("x") == before);
}

TEST_CASE("what cannot be filled again is empty, and nothing reads it") {
  Transcript t;
  t.enter({"param n = 2", "tensor x(n)", "fill_with x [1, 2]", "y(i) = 2*x(i)"});
  const auto changed = t.enter({"param n = 3"});
  CHECK(changed.codes == "N0601 W0603");
  CHECK(contains(changed.messages(), "x is empty now"));
  for (const char* reader : {"run", "print x", "print y", "time", "check", "save x \"x.npy\""})
    CHECK(t.enter({reader}).codes == "E0625");
  CHECK(contains(t.enter({"run"}).messages(), "x is empty"));
  CHECK(t.enter({"fill_with x [1, 2, 3]", "run"}).ok());
  CHECK(t.value("y") == "[2 4 6]");
}

TEST_CASE("a size that comes back brings the data back") {
  Transcript t;
  t.enter({"param n = 2", "tensor x(n)", "fill_with x [1, 2]", "param n = 3", "param n = 2"});
  CHECK(t.value("x") == "[1 2]");
}

TEST_CASE("another element type fills again, too") {
  Transcript t;
  CHECK(t.enter({"tensor x(2)", "fill_with x [1, 2]", "tensor x(2): i32"}).codes == "N0601 N0603");
  CHECK(t.value("x") == "[1 2]");
}

TEST_CASE("print, plot, save, time and check run first what has not run") {
  Folder folder;
  const std::string program =
      "tensor x(2); fill_with x [1, 2]; kernel a { y(i) = 2*x(i) }; kernel b { z(i) = y(i) + 1 }\n";
  const auto said = [&](const std::string& command) { return Transcript().say(program + command); };
  CHECK(said("print z").output == "z = [3 5]\n");
  CHECK(contains(said("print z").messages(), "a had not run yet and ran first"));
  CHECK(said("print y").codes == "N0201 N0201 N0602");  // b is not asked for
  CHECK(said("plot z").ok());
  CHECK(said("save z \"" + folder / "z.npy" + "\"; run; print z").output.ends_with("z = [3 5]\n"));
  CHECK(contains(said("check b").output, "b: agrees"));
  CHECK(said("time b 1 jit; print z").output.ends_with("z = [3 5]\n"));
  CHECK(said("print x").codes == "N0201 N0201");  // nothing computes it
}

TEST_CASE("print, plot, save and time run again what had run on other data") {
  Folder folder;
  const std::string program =
      "tensor x(2); fill_with x [1, 2]; kernel a { y(i) = 2*x(i) }; kernel b { z(i) = y(i) + 1 }; run\n"
      "fill_with x [5, 6]\n";
  const auto said = [&](const std::string& command) { return Transcript().say(program + command); };
  const auto shown = said("print z");
  CHECK(shown.output == "z = [11 13]\n");
  CHECK(contains(shown.messages(), "a had run before x changed, and ran again"));
  CHECK(contains(shown.messages(), "b had run before y changed, and ran again"));
  CHECK(said("print z; print z; print y").codes == "N0201 N0201 N0602 N0602");
  CHECK(said("print y").codes == "N0201 N0201 N0602");  // b is not asked for
  CHECK(contains(said("plot z").messages(), "ran again"));
  CHECK(contains(said("save z \"" + folder / "z.npy" + "\"").messages(), "ran again"));
  CHECK(contains(said("time b 1 jit").messages(), "a had run before x changed"));
  CHECK(said("z(0) + 1").output == "z(0) + 1 = 12\n");
  CHECK(said("check; print x").codes == "N0201 N0201");  // `check` is about the runs that were
}

TEST_CASE("what a tensor was given after its kernel ran is not computed over") {
  Transcript t;
  t.say("tensor x(2); fill_with x [1, 2]; y(i) = 2*x(i); z(i) = x(i); run; fill_with x [5, 6]; fill_with y [0, 0]");
  CHECK(t.value("y") == "[0 0]");
  CHECK(t.value("z") == "[5 6]");
  CHECK(t.value("y") == "[10 12]");
}

TEST_CASE("of loops that go on from what a tensor holds, changed data begins anew") {
  Transcript t;
  t.say("tensor x(1); tensor s(1); fill_with x [1]; fill_with s [100]; loops { for i { s(i) += x(i) } }; run");
  CHECK(t.value("s") == "[101]");
  t.say("fill_with x [5]");
  CHECK(t.value("s") == "[105]");
  CHECK(t.value("s") == "[105]");
}

TEST_CASE("a kernel that ran by itself leaves those after it behind") {
  Transcript t;
  t.say("tensor x(2); fill_with x [1, 2]; kernel a { y(i) = 2*x(i) }; kernel b { z(i) = y(i) + 1 }; run");
  t.say("fill_with x [5, 6]; run a");
  const auto shown = t.say("print z");
  CHECK(shown.output == "z = [11 13]\n");
  CHECK(contains(shown.messages(), "b had run before y changed, and ran again"));
}

TEST_CASE("a kernel that goes on from what a tensor holds does not run twice for being shown") {
  Transcript t;
  t.say("tensor x(1); fill_with x [1]; x[t](i) = 2*x[t-1](i) : t < 3");
  CHECK(t.value("x") == "[8]");
  CHECK(t.value("x") == "[8]");
  t.enter({"x[t](i) = 3*x[t-1](i) : t < 2"});  // main is another kernel now, and runs from what x was filled with
  CHECK(t.value("x") == "[9]");
}

TEST_CASE("what is loaded is not computed over to show what is made of it") {
  Transcript t;
  t.say("tensor y(2); kernel a { y(i) = 7 }; kernel b { z(i) = 2*y(i) }; fill_with y [1, 2]");
  CHECK(t.value("z") == "[2 4]");
  CHECK(t.value("y") == "[7 7]");  // asked for itself it is
}

TEST_CASE("a kernel is not behind what kernels after it make of its operands") {
  Transcript t;
  t.say("tensor x(2); fill_with x [1, 2]; kernel a { y(i) = 2*x(i) }; kernel b { x(i) = y(i) + 1 }; run");
  CHECK(t.enter({"y", "x"}).codes.empty());
  CHECK(t.value("y") == "[2 4]");
}

TEST_CASE("long chains of kernels are looked through once") {
  std::string program = "tensor x0(1); tensor y0(1); fill_with x0 [1]; fill_with y0 [1]\n";
  for (int k = 1; k <= 60; ++k) {
    const std::string n = std::to_string(k), m = std::to_string(k - 1);
    program += "kernel k" + n + " { x" + n + "(i) = x" + m + "(i) + y" + m + "(i); y" + n + "(i) = x" + m + "(i) - y" +
               m + "(i) }\n";
  }
  CHECK(Transcript().say(program + "run; print x60").ok());
}

TEST_CASE("what is shown of a wrong program does not hide that it is wrong") {
  const std::string wrong =
      "param n = 4; tensor x(n); fill_with x [1, 2, 3, 4]\n"
      "L(i) = L(i-1) + x(i) : i >= 1; L(0) = 1; order i-\n";
  for (const char* shown : {"", "x", "1 + 1"}) CHECK(contains(Transcript().run(wrong + shown).codes, "E0101"));
}

TEST_CASE("names alone are those of the program before it is forgotten") {
  CHECK(Transcript().run("tensor x(2); fill_with x [1, 2]; x; reset; param m = 2").ok());
  CHECK(contains(Transcript().run("param m = 2; reset; m").codes, "E0611"));
}

TEST_CASE("a file that shows something has said what it is for") {
  CHECK(Transcript().run("tensor x(2); y(i) = x(i) + 1; z(i) = 2*y(i); print z").output == "z = [2 2]\n");
  CHECK(Transcript().run("tensor x(2); y(i) = x(i) + 1; check").output.starts_with("main: agrees"));
  CHECK(Transcript().run("tensor x(2); y(i) = x(i) + 1").output.ends_with("y = [1 1]\n"));
}
