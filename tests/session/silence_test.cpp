// Nothing goes wrong in silence: steps where elements were meant, bounds that count from 1, files that are not to be replaced.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Folder;
using testing::Transcript;

TEST_CASE("a step of a scalar that nothing reads was meant to be an element, and the fix makes it one") {
  Transcript t;
  t.enter({"tensor A(2, 2); fill_with A [[1, 2], [3, 4]]"});
  CHECK(contains(t.enter({"s[i] = sum(j)(A(i,j))"}).codes, "W0214"));
  CHECK(t.enter({"fix 1", "run"}).ok());
  CHECK(t.value("s") == "[3 7]");
  for (const char* program : {"s[t] = s[t-1] + 1 : t < 4; run", "tensor x(3); s[t] = x(t); until s[t] > 2; run",
                              "tensor x(3); s[t] = x(t); r[t] = s[t] + 1; q[t] = r[t] + q[t-1]; run", "s[t] = 2*t : t < 4; run"})
    CHECK_MESSAGE(!contains(Transcript().say(program).codes, "W0214"), program);
}

TEST_CASE("a bound that lets an index be one past its range leaves nothing out, and the fix leaves it out") {
  Transcript t;
  t.enter({"param n = 3; tensor x(n); fill_with x [1, 2, 3]"});
  CHECK(contains(t.enter({"y(i) = x(i) : 1 <= i <= n"}).codes, "W0215"));
  CHECK(t.enter({"fix 1", "run"}).ok());
  CHECK(t.value("y") == "[1 2 3]");
  const std::string sizes = "param n = 3; tensor x(n); tensor z(n+1); tensor A(n, n); ";
  for (const char* equation : {"y(i) = x(i) : i <= n", "s = sum(i)(x(i)) : 1 <= i <= n", "y(i) = sum(j)(A(i,j)) : n >= j",
                               "y(i) = x(i) : i < n + 1", "tensor w(5); y(i) = w(i) : 1 <= i <= 5"})
    CHECK_MESSAGE(contains(Transcript().say(sizes + equation + "; run").codes, "W0215"), equation);
  for (const char* equation : {"y(i) = x(i) : 1 <= i < n", "y(i) = z(i) : 1 <= i <= n", "y(i) = x(i) : i <= n - 1",
                               "u[t](i) = u[t-1](i) + x(i) : t <= n", "y(i) = sum(j)(A(i,j)) : j <= i",
                               "tensor y(5); y(i) = 1 : i <= n"})
    CHECK_MESSAGE(!contains(Transcript().say(sizes + equation + "; run").codes, "W0215"), equation);
}

TEST_CASE("a file that is read-only, or none, is not replaced") {
  const Folder folder;
  const std::string file = folder.file("x.mtx", "kept");
  chmod(file.c_str(), 0444);
  const auto answer = Transcript().say("tensor x(2); fill_with x [1, 2]; save x \"" + file + "\"");
  CHECK(answer.codes == "E0412");
  CHECK(contains(answer.messages(), "read-only"));
  CHECK(folder.count() == 1);
  CHECK(Transcript().say("tensor x(2); fill_with x [1, 2]; save x \"/dev/null.mtx/x.mtx\"").codes == "E0412");
  mkfifo((folder / "p.mtx").c_str(), 0666);
  CHECK(contains(Transcript().say("tensor x(2); fill_with x [1, 2]; save x \"" + folder / "p.mtx" + "\"").messages(), "no regular file"));
}
