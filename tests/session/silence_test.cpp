// Nothing goes wrong in silence: operands that nothing filled, steps where elements were meant, bounds that count from
// 1, files that are not to be replaced or lie elsewhere.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Folder;
using testing::Transcript;

TEST_CASE("an operand that nothing filled is said to be one, once") {
  Transcript t;
  const auto answer = t.say("tensor A(2, 2); tensor x(2); random A seed 1; y(i) = sum(j)(A(i,j)*x(j)); run");
  CHECK(contains(answer.codes, "W0604"));
  CHECK(contains(answer.messages(), "nothing has filled x"));
  CHECK(!contains(answer.messages(), "nothing has filled A"));
  CHECK(!contains(t.say("run").codes, "W0604"));
  CHECK(contains(Transcript().say("tensor x(2); tensor s; loops { for i { s += x(i) } }; run").codes, "W0604"));
}

TEST_CASE("operands that are computed, filled, or of a fill that somebody chose are none") {
  for (const char* program : {
           "tensor x(2); fill_with x [0, 0]; y(i) = 2*x(i); run",
           "tensor ones(2): f64 fill 1; y(i) = 2*ones(i); run",
           "tensor x(2); kernel a { x(i) = i }; kernel b { y(i) = 2*x(i) }; run",
           "tensor u(4); u[t](i) = u[t-1](i-1) : 1 <= i, t < 3; run",
           "tensor x(0); y(i) = 2*x(i); run",
           "tensor f(3): bool; loops { f(0) = true; for i in 1:3 { if f(i-1) { f(i) = true } } }; run",
       })
    CHECK_MESSAGE(!contains(Transcript().say(program).codes, "W0604"), program);
}

TEST_CASE("a step of a scalar that nothing reads was meant to be an element, and the fix makes it one") {
  Transcript t;
  t.enter({"tensor A(2, 2); fill_with A [[1, 2], [3, 4]]"});
  CHECK(contains(t.enter({"s[i] = sum(j)(A(i,j))"}).codes, "W0214"));
  CHECK(t.enter({"fix 1", "run"}).ok());
  CHECK(t.value("s") == "[3 7]");
  for (const char* program :
       {"s[t] = s[t-1] + 1 : t < 4; run", "tensor x(3); s[t] = x(t); until s[t] > 2; run",
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
  for (const char* equation :
       {"y(i) = x(i) : i <= n", "s = sum(i)(x(i)) : 1 <= i <= n", "y(i) = sum(j)(A(i,j)) : n >= j",
        "y(i) = x(i) : i < n + 1", "tensor w(5); y(i) = w(i) : 1 <= i <= 5"})
    CHECK_MESSAGE(contains(Transcript().say(sizes + equation + "; run").codes, "W0215"), equation);
  for (const char* equation :
       {"y(i) = x(i) : 1 <= i < n", "y(i) = z(i) : 1 <= i <= n", "y(i) = x(i) : i <= n - 1",
        "u[t](i) = u[t-1](i) + x(i) : t <= n", "y(i) = sum(j)(A(i,j)) : j <= i", "tensor y(5); y(i) = 1 : i <= n"})
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
  CHECK(contains(Transcript().say("tensor x(2); fill_with x [1, 2]; save x \"" + folder / "p.mtx" + "\"").messages(),
                 "no regular file"));
}

TEST_CASE("with a folder of its own a program reads and writes beneath that alone") {
  const Folder folder;
  std::filesystem::create_directories(folder / "own/below");
  std::filesystem::create_symlink(folder.path(), folder / "own/away");
  folder.file("own/x.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
  folder.file("x.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
  folder.file("other.tr", "param q = 1\n");
  session::Options options;
  options.folder = folder / "own";
  const auto codes = [&](const std::string& command) {
    Transcript t(options);
    return t.run("tensor x(2)\nfill_with x [1, 2]\n" + command + "\n", folder / "own/a.tr").codes;
  };
  for (const char* command :
       {"load x \"x.mtx\"", "save x \"below/y.mtx\"", "save x \"./below/../z.npy\"", "plot x \"below/x.png\""})
    CHECK_MESSAGE(codes(command).empty(), command);
  for (const char* command :
       {"load x \"../x.mtx\"", "load x \"away/x.mtx\"", "load x \"/etc/hostname.mtx\"", "save x \"../y.mtx\"",
        "save x \"away/y.mtx\"", "source \"../other.tr\"", "plot x \"../x.png\"", "save \"../s.tr\"",
        "export html \"../r.html\"", "y(i) = 2*x(i); export c \"../k.c\"",
        "param n = 2; tensor z(n); y(i) = 2*z(i); count n 2 4 \"../c.png\""})
    CHECK_MESSAGE(contains(codes(command), "E0627"), command);
  CHECK(!std::filesystem::exists(folder / "y.mtx"));
}
