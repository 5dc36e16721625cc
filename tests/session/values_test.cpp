// Expressions alone, and `print` of them: what they are now, as an equation would say, and that nothing of them
// remains.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

const std::string program =
    "tensor A(n,n): csr; tensor x(n); tensor z\n"
    "fill_with A [[1, 2, 0], [0, 3, 0], [4, 0, 5]]; fill_with x [1, 2, 3]; fill_with z 7\n"
    "y(i) = A(i,j)*x(j)\n"
    "def gcd(x, y) { x, 0 => abs(x); 0, y => abs(y)\n"
    "  x, y => { x = abs(x); y = abs(y); while x != 0 { t = x; x = y % x; y = t }; y }\n"
    "  commutative; identity 0 }\n"
    "def twice(x) = 2*x\n"
    "run\n";

/// What is printed, the statement alone and behind `print`; both when they differ.
std::string value(Transcript& t, const std::string& expression) {
  const auto alone = t.enter({expression}), printed = t.enter({"print " + expression});
  const std::string one = alone.codes + alone.output, other = printed.codes + printed.output;
  return one == other ? one : one + other;
}

std::string value(const std::string& expression) {
  Transcript t;
  t.say(program);
  return value(t, expression);
}

}  // namespace

TEST_CASE("an expression alone prints what it is") {
  Transcript t;
  t.say(program);
  CHECK(value(t, "x") == "x = [1 2 3]\n");
  CHECK(value(t, "z") == "z = 7\n");
  CHECK(value(t, "n") == "n = 3\n");
  CHECK(value(t, "1+1") == "1 + 1 = 2\n");
  CHECK(value(t, "-2^2") == "-2^2 = -4\n");
  CHECK(value(t, "7 / 2") == "N02067 / 2 = 3\n");
  CHECK(value(t, "true") == "true = true\n");
  CHECK(value(t, "y(2)") == "y(2) = 19\n");
  CHECK(value(t, "y(n-1) - z") == "y(n-1) - z = 12\n");
  CHECK(value(t, "z - 1") == "z - 1 = 6\n");
  CHECK(value(t, "z-1") == "z - 1 = 6\n");
  CHECK(value(t, "(x(0) + x(1)) * 2") == "(x(0) + x(1)) * 2 = 6\n");
  CHECK(value(t, "y(2) == 19") == "(y(2) == 19) = true\n");
  CHECK(value(t, "z < 3 || !(x(0) > 0)") == "(z < 3 || !(x(0) > 0)) = false\n");
  CHECK(value(t, "z > 3 ? x(1) : x(2)") == "(z > 3 ? x(1) : x(2)) = 2\n");
  CHECK(value(t, "sum(i,j)(A(i,j))") == "sum(i,j)(A(i,j)) = 15\n");
  CHECK(value(t, "max(i)(y(i)) / n") == "max(i)(y(i)) / n = 6.33333\n");
  CHECK(value(t, "gcd(12, 18)") == "gcd(12,18) = 6\n");
  CHECK(value(t, "twice(y(1)) + 1") == "twice(y(1)) + 1 = 13\n");
}

TEST_CASE("slices are dimensions, the same ones in each access") {
  Transcript t;
  t.say(program);
  CHECK(value(t, "A(0:3,1)") == "A(0:3,1) = compressed 3, 2 entries\n  (0)  2\n  (1)  3\n");
  CHECK(value(t, "x(0:n:2)") == "x(0:n:2) = [1 3]\n");
  CHECK(value(t, "x(0:2) + x(1:3)") == "x(0:2) + x(1:3) = [3 5]\n");
  CHECK(value(t, "A(0:2,0:3)") == "A(0:2,0:3) = csr 2 x 3, 3 entries\n  (0,0)  1\n  (0,1)  2\n  (1,1)  3\n");
  CHECK(value(t, "sum(i)(A(i,0:3))") == "sum(i)(A(i,0:3)) = [5 5 5]\n");
  CHECK(value(t, "x(1:1)") == "x(1:1) = []\n");
  CHECK(value(t, "A(0:2,0:2) * x(0:2)") == "E0230");
  CHECK(value(t, "x(0:2) + x(0:3)") == "E0301");
}

TEST_CASE("an index that nothing binds is summed over, where equations would sum") {
  CHECK(value("A(i,j)*x(j)") == "N0202A(i,j) * x(j) = 30\n");
  Transcript t;
  t.say(program);
  const auto answer = t.enter({"x(i) > 1"});
  CHECK(answer.codes == "E0305");
  REQUIRE(!answer.replies[0].diagnostics.all()[0].fixes.empty());
  CHECK(answer.replies[0].diagnostics.all()[0].fixes[0].command == "sum(i)(x(i)) > 1");
  CHECK(t.enter({"fix 1"}).output == "(sum(i)(x(i)) > 1) = true\n");
}

TEST_CASE("what is offered for an expression is an expression, or nothing where none says it") {
  const auto offered = [](const std::string& program, const std::string& value) {
    Transcript t;
    t.say(program);
    const auto answer = t.enter({value});
    std::string commands;
    for (const text::Fix& fix : answer.replies.at(0).diagnostics.all().at(0).fixes) commands += fix.command + "\n";
    return commands;
  };
  CHECK(offered("param n = 2\ntensor x(n)", "x(n)") == "x(n-1)\n");
  CHECK(offered("param n = 2\ntensor x(n)", "sum(n)(x(n))") == "sum(i)(x(i))\n");
  CHECK(offered("tensor A(2,2); tensor B(2,2)", "A * B") == "");
  CHECK(offered("tensor A(2,2)", "A(0:2,0) * (A(0:2,0) > 1)") == "");
}

TEST_CASE("what is typed as in other languages is written out, and fix does so") {
  Transcript t;
  t.say("param n = 2; tensor A(n, 3); tensor x(3); fill_with A [[1, 2, 3], [4, 5, 6]]; fill_with x [1, 0, 1]");
  CHECK(t.enter({"mean(x)"}).codes == "E0240");
  CHECK(t.enter({"fix 1"}).output.ends_with("= 0.666667\n"));
  CHECK(t.enter({"A(1,:)"}).codes == "E0240");
  CHECK(t.enter({"fix 1"}).output == "A(1,0:3) = [4 5 6]\n");
  CHECK(t.enter({"x(end)"}).codes == "E0240");
  CHECK(t.enter({"fix 1"}).output.ends_with("= 1\n"));
  CHECK(t.enter({"B = A'"}).codes == "E0240");
  CHECK(t.enter({"fix 1", "print B(2, 1)"}).output.ends_with("B(2,1) = 6\n"));
  CHECK(t.enter({"y = A @ x"}).codes == "E0240");
  CHECK(t.enter({"fix 1", "print y"}).output.ends_with("y = [4 10]\n"));
  CHECK(t.enter({"D[i,j] = 2*A[i,j]"}).codes == "E0010");
  CHECK(t.enter({"fix 1", "print D(1, 1)"}).output.ends_with("D(1,1) = 10\n"));
  CHECK(t.enter({"A'"}).codes == "E0240");
  CHECK(t.enter({"sum(x)", "fix 1"}).output.ends_with("= 2\n"));
  CHECK(contains(t.enter({"import numpy"}).messages(), "nothing is imported"));
  CHECK(contains(t.enter({"end"}).messages(), "ends with `}`"));
}

TEST_CASE("errors of expressions are those of the language, with their places") {
  Transcript t;
  t.say(program);
  const auto outside = t.enter({"1 + y(7)"});
  CHECK(outside.codes == "E0104");
  CHECK(outside.last("print")["diagnostics"][0]["column"] == 5);
  CHECK(outside.replies[0].diagnostics.all()[0].fixes.empty());
  CHECK(value("x") == "x = [1 2 3]\n");
  CHECK(t.enter({"w(2)"}).codes == "E0201");
  CHECK(t.enter({"x + 1"}).codes == "E0203");
  CHECK(t.enter({"y(1"}).codes == "E0011");
  CHECK(t.enter({"y(1) x"}).codes == "E0012");
  CHECK(t.enter({"1 / 0"}).codes == "E0502");
  CHECK(t.enter({"y(i) == x(i)"}).codes == "E0013");
  CHECK(t.enter({"print"}).codes == "E0601");
  CHECK(t.enter({"print w"}).codes == "E0615");
  CHECK(t.enter({"nonsense"}).codes == "E0611");
  CHECK(contains(t.enter({"helpp"}).messages(), "did you mean `help`?"));
  CHECK(t.enter({"kernel k { v(i) = x(i); x }"}).codes == "E0611");
  CHECK(t.enter({"kernel k { v(i) = x(i); x(1) }"}).codes == "E0607");
}

TEST_CASE("names of commands are commands, and tensors are printed all the same") {
  Transcript t;
  t.say("tensor time(2); fill_with time [3, 4]; tensor step; fill_with step 5; s(i) = time(i) : i < 2");
  CHECK(t.enter({"time"}).json.back()["command"] == "time");
  CHECK(t.enter({"print time"}).output == "time = [3 4]\n");
  CHECK(t.enter({"time(1)"}).output == "time(1) = 4\n");
  CHECK(t.enter({"step + 1"}).output == "step + 1 = 6\n");
  CHECK(t.enter({"step -1"}).codes == "E0601");
  CHECK(t.enter({"help -", "help ?:", "help xor"}).ok());
  CHECK(t.enter({"print(step)*2"}).output == "step * 2 = 10\n");
}

TEST_CASE("nothing of an expression remains") {
  Transcript t;
  t.say(program);
  const std::uint64_t version = t.session().state().version();
  const std::size_t tensors = t.session().state().content().tensors->size(),
                    statements = t.session().state().declarations.file().statements.size();
  t.enter({"sum(i)(x(i))", "1 + 1", "A(0:2,0:2)", "y(9)"});
  CHECK(t.session().state().version() == version);
  CHECK(t.session().state().content().tensors->size() == tensors);
  CHECK(t.session().state().declarations.file().statements.size() == statements);
  CHECK(t.enter({"show equations"}).output == "y(i) = sum(j)(A(i,j)*x(j))\n");
  t.enter({"undo"});
  CHECK(contains(t.enter({"y"}).messages(), "had not run yet"));
}

TEST_CASE("an order that stands outside of kernels is not about expressions") {
  Transcript t;
  t.say(
      "param n = 3; tensor A(n,n); fill_with A [[1,2,3],[4,5,6],[7,8,9]]\nkernel k { B(i,j) = 2*A(i,j) }\norder j "
      "i\nrun\n");
  CHECK(value(t, "sum(p)(A(p,0))") == "sum(p)(A(p,0)) = 12\n");
}

TEST_CASE("files print expressions, and JSON says what they are") {
  const auto answer = Transcript().run("param n = 3; tensor x(n); fill_with x [1, 2, 4]\nsum(i)(x(i))\nx(0:2)\nn\nx\n");
  CHECK(answer.output == "sum(i)(x(i)) = 7\nx(0:2) = [1 2]\nn = 3\nx = [1 2 4]\n");
  CHECK(answer.json[1]["command"] == "print");
  CHECK(answer.json[1]["expression"] == "sum(i)(x(i))");
  CHECK(!answer.json[1].contains("tensor"));
  CHECK(answer.json[1]["type"] == "f64");
  CHECK(answer.json[1]["shape"] == nlohmann::json::array());
  CHECK(answer.json[1]["entries"] == nlohmann::json::parse("[[[], 7.0]]"));
  CHECK(answer.json[2]["entries"] == nlohmann::json::parse("[[[0], 1.0], [[1], 2.0]]"));
  CHECK(answer.json[4]["tensor"] == "x");
  CHECK(answer.last("print")["line"] == 5);
}

TEST_CASE("at a prompt a number answers the question that is open") {
  Transcript t;
  CHECK(t.enter({"1"}).output == "1 = 1\n");
  t.enter({"quiz"});
  CHECK(t.enter({"1"}).json.back()["command"] == "quiz");
  CHECK(t.enter({"1"}).output == "1 = 1\n");
}
