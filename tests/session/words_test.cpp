// What is said to who writes as in other languages, or means something else: each case says what to write instead.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

struct Said {
  std::string codes;     ///< of errors and warnings alone
  std::string messages;  ///< with their notes
  std::vector<std::string> fixes;
};

Said said_of(const std::string& typed) {
  Transcript t;
  const testing::Answer answer = t.say(typed);
  Said said{"", answer.messages(), {}};
  for (const session::Reply& reply : answer.replies)
    for (const text::Diagnostic& d : reply.diagnostics.all()) {
      if (d.severity == text::Severity::note) continue;
      said.codes += (said.codes.empty() ? "" : " ") + d.code;
      for (const text::Fix& fix : d.fixes) said.fixes.push_back(fix.command);
    }
  return said;
}

}  // namespace

TEST_CASE("a parameter as an index on the right alone is taken for the last element, not for a sum") {
  const Said said = said_of("param n = 4\ntensor a(n)\nb = a(n)");
  CHECK(said.codes == "E0218");
  CHECK(said.fixes == std::vector<std::string>{"b = a(n-1)"});
  CHECK(said_of("param k = 8\ntensor A(4, k)\nC(i,k) = 2 * A(i,k)").fixes.front() == "C(i,j) = 2 * A(i,j)");
}

TEST_CASE("a term that is no product offers one sum over it, and no product of sums") {
  const Said said = said_of("param n = 4\ntensor A(n,n)\ntensor x(n)\ny(i) = A(i,j)*(x(j)+1)");
  CHECK(said.codes == "E0305");
  CHECK(said.fixes == std::vector<std::string>{"y(i) = sum(j)(A(i,j) * (x(j) + 1))"});
  CHECK(said_of("tensor A(2, 2)\ny(i) = sqrt(A(i,j))").fixes ==
        std::vector<std::string>{"y(i) = sqrt(sum(j)(A(i,j)))", "y(i) = sum(j)(sqrt(A(i,j)))"});
}

TEST_CASE("two sizes are said with their tensors, and indices that look swapped are offered the other way round") {
  const Said said = said_of("param m = 4\ntensor A(3,m)\ntensor B(5,4)\nC(i,j) = A(i,k)*B(k,j)");
  CHECK(said.codes == "E0301");
  CHECK(contains(said.messages, "m = 4, dimension 1 of A"));
  CHECK(!contains(said.messages, "+0"));
  CHECK(said.fixes == std::vector<std::string>{"C(i,j) = A(i,k) * B(j,k)"});
  CHECK(said_of("tensor A(3,4)\ntensor B(5,6)\nC(i,j) = A(i,k)*B(k,j)").fixes.empty());
}

TEST_CASE("words of other languages are answered with what is written here") {
  const auto answers = [](const std::string& expression, const std::string& part) {
    CAPTURE(expression);
    const Said said = said_of("tensor A(4, 4)\ntensor b(4)\ny(i) = " + expression);
    CHECK(said.codes == "E0201");
    CHECK(contains(said.messages, part));
    CHECK(!contains(said.messages, "declare it"));
  };
  answers("ln(b(i))", "log(x)");
  answers("solve(A, b)", "cholesky_solve");
  answers("inv(A)", "factorised");
  answers("det(A)", "examples determinant");
  answers("b(i) * y0[i]", "y0(i)");
  CHECK(contains(said_of("exit()").messages, "stands alone"));
  CHECK(contains(said_of("help()").messages, "stands alone"));
  // A name of the program's own is what the program says.
  CHECK(said_of("def ln(x) = log(x)\ntensor b(4)\ny(i) = ln(b(i))").codes.empty());
}

TEST_CASE("choices and ranges of Python, and conditions on values, are shown as they are written here") {
  const Said choice = said_of("tensor a(4)\ny(i) = 1 if a(i) > 2 else 0");
  CHECK(choice.codes == "E0012");
  CHECK(choice.fixes == std::vector<std::string>{"y(i) = a(i) > 2 ? 1 : 0"});
  CHECK(said_of("tensor a(4)\ny(i) = 1 if a(i) > 2").codes == "E0012");
  const Said dots = said_of("tensor x(5)\ns = sum(i=0..4)(x(i))");
  CHECK(dots.codes == "E0003");
  CHECK(contains(dots.messages, "sum(1 <= i, i < 4)(x(i))"));
  CHECK(said_of("tensor x(5)\ns = sum(1 <= i, i < 4)(x(i))").codes.empty());
  CHECK(said_of("tensor x(5)\ns = sum(i=0:4)(x(i))").codes == "E0010");
  const Said condition = said_of("tensor x(5)\ny(i) = x(i) : x(i) > 0.5");
  CHECK(condition.codes == "E0303");
  CHECK(condition.fixes == std::vector<std::string>{"y(i) = x(i) > 0.5 ? x(i) : 0"});
  CHECK(contains(said_of("tensor b(3)\nu[t](i) = b(i)*u[t-1](i) : t < len(b)").messages, "sizes have names"));
}

TEST_CASE("what is no equation is shown as steps or as a loop program, which runs") {
  const Said scattered = said_of("tensor p(4): i64\nq(p(i)) = i");
  CHECK(scattered.codes == "E0210");
  CHECK(contains(scattered.messages, "loops { for i { q(p(i)) = i } }"));
  Transcript t;
  CHECK(t.say("tensor p(3): i64\ntensor q(3): i64\nfill_with p [2, 0, 1]\nloops { for i { q(p(i)) = i } }").ok());
  CHECK(t.value("q") == "[1 2 0]");
  const std::string itself = said_of("tensor a(4)\na(i) = a(i)+1\nrun").messages;
  CHECK(contains(itself, "a[t](i) = a[t-1](i) + 1 : t < 10"));
  CHECK(!contains(said_of("tensor x(4)\nx(i) = x(3-i) + 1\nrun").messages, "x[t]"));
  const std::string borders =
      said_of("param n = 3\ntensor A(n,n)\ntensor S(n,n)\nS(i,j) = A(i,j)+S(i-1,j)+S(i,j-1)-S(i-1,j-1)\nrun").messages;
  CHECK(contains(borders, "tensor S(n, n): pad"));
  CHECK(!contains(said_of("tensor x(5)\ny(i) = x(i) - x(i-1)\nrun").messages, "pad"));
}

TEST_CASE("an unknown operand is one message, and a tensor too large for memory names a sparse format") {
  CHECK(said_of("tensor a(4)\nb(i) = a(i)+P(i,j,k,l)").codes == "E0201");
  CHECK(said_of("tensor x(3)\ntensor y(3)\ny(i) = sum(j)(x(i+j))").codes == "E0302");
  CHECK(contains(said_of("tensor A(10000000,10000000)\nrandom A density 0.1").messages, "format A csr"));
}

TEST_CASE("pi and e are numbers, unless the program gives these names a meaning") {
  Transcript t;
  REQUIRE(t.say("param turn = 2*pi\ntensor x(2)\nfill_with x [1, 2]\ny(i) = x(i)*turn/pi\nz(e) = x(e)*e\n"
                "def half(x) = pi*x/2\nw(i) = half(x(i))/pi\ndef f(x) { x => e*x }\nv(i) = f(x(i))/e\ns = e/e")
              .ok());
  CHECK(t.value("y") == "[2 4]");
  CHECK(t.value("z") == "[0 2]");
  CHECK(t.value("w") == "[0.5 1]");
  CHECK(t.value("v") == "[1 2]");
  CHECK(t.value("s") == "1");
  CHECK(t.value("sum(e)(x(e) * e)") == "2");
  Transcript own;
  REQUIRE(own.say("param pi = 3\ntensor e\ntensor x(2)\nfill_with x [1, 2]\nfill_with e 5\ny(i) = pi*x(i) + e").ok());
  CHECK(own.value("y") == "[8 11]");
  Transcript loops;
  REQUIRE(loops.say("tensor x(2)\nloops { for i { x(i) = i*pi } }").ok());
  CHECK(loops.value("x(1) / pi") == "1");
}

TEST_CASE("random and load declare a tensor that nothing declares, and say how") {
  const testing::Folder folder;
  const std::string sparse =
      folder.file("A.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 5\n3 4 7\n");
  const std::string column = folder.file("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
  Transcript t;
  const testing::Answer loaded = t.say("load A \"" + sparse + "\"\nload b \"" + column + "\"\ny(i) = A(i,j)");
  REQUIRE(loaded.ok());
  CHECK(loaded.json[0]["declared"] == "tensor A(3, 4): csr");
  CHECK(loaded.json[1]["declared"] == "tensor b(2)");
  CHECK(t.value("y") == "[5 0 7]");
  CHECK(t.say("load A \"" + sparse + "\"").json[0].count("declared") == 0);
  Transcript drawn;
  const testing::Answer filled = drawn.say("random B(3, 3): csr density 0.5 seed 1\nrandom c(4): i64 range 0:3");
  REQUIRE(filled.ok());
  CHECK(filled.json[0]["declared"] == "tensor B(3, 3): csr");
  CHECK(drawn.say("history").last("history")["done"].size() == 2);
  CHECK(drawn.say("undo 2\nlist").output == "the program is empty: nothing is declared\n");
  CHECK(drawn.say("redo 2\nrandom B(3, 3)").codes == "E0601");  // it is declared already
  CHECK(drawn.say("load D \"" + (folder / "none.mtx") + "\"").codes == "E0400");
  const std::string saved = folder / "work.tr";
  REQUIRE(drawn.say("save \"" + saved + "\"").ok());
  Transcript again;
  CHECK(again.say("source \"" + saved + "\"").ok());
  CHECK(again.value("c") == drawn.value("c"));
}

TEST_CASE("ranges of random numbers take parameters, and normal ones have mean 0 and variance 1") {
  Transcript t;
  REQUIRE(t.say("param M = 3\ntensor k(200): i64\nrandom k seed 1 range 0:M\nleast = min(i)(k(i))\nmost = max(i)(k(i))")
              .ok());
  CHECK(t.value("least") == "0");
  CHECK(t.value("most") == "2");
  CHECK(t.say("random k range 0:unknown").codes == "E0601");
  Transcript n;
  REQUIRE(n.say("tensor x(20000)\nrandom x seed 1 normal\nm = sum(i)(x(i)) / 20000\nv = sum(i)((x(i) - m)^2) / 20000")
              .ok());
  CHECK(std::abs(std::stod(n.value("m"))) < 0.03);
  CHECK(std::abs(std::stod(n.value("v")) - 1) < 0.05);
  CHECK(n.say("tensor p(4): i64\nrandom p normal").codes.ends_with("E0415"));
}
