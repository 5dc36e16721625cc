// `trellis fix FILE N` from outside: what it writes, and where.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/folder.hpp"
#include "tests/repl/program.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

TEST_CASE("trellis fix writes a fix into the file") {
  Folder folder;
  const auto text_of = [](const std::string& path) {
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string equation = folder.file(
      "a.tr", "# scaled\nparam k = 2\ntensor A(2, k)\nfill_with A [[1, 2], [3, 4]]\nC(i,k) = A(i,k) * 2  # here\n");
  CHECK(contains(start({"run", equation}).err, "next:     trellis fix " + equation + " 1 · trellis help E0218"));
  const Ended fixed = start({"fix", equation, "1"});
  CHECK(fixed.code == 0);
  CHECK(fixed.out == equation + ":5: C(i,j) = A(i,j) * 2\n");
  CHECK(text_of(equation) ==
        "# scaled\nparam k = 2\ntensor A(2, k)\nfill_with A [[1, 2], [3, 4]]\nC(i,j) = A(i,j) * 2  # here\n");
  CHECK(start({"run", equation}).out == "C = [[2 4]\n     [6 8]]\n");
  CHECK(contains(start({"fix", equation, "1"}).err, "its messages offer no fixes"));

  const std::string size = folder.file("n.tr", "# any n\ntensor x(n)\ny(i) = x(i)\n");
  CHECK(start({"fix", size, "1"}).out == size + ":2: param n = 5\n");
  CHECK(text_of(size) == "# any n\nparam n = 5\ntensor x(n)\ny(i) = x(i)\n");
}

TEST_CASE("fixes are numbered over all messages of a run, and trellis fix takes the number that is printed") {
  Folder folder;
  const auto text_of = [](const std::string& path) {
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string both = "param k = 2\ntensor A(k,k)\nC(i,k) = A(i,k)*2\nD(i,k) = A(k,i)*3\n";
  const std::string two = folder.file("two.tr", both);
  const std::string said = start({"run", two}).err;
  CHECK(contains(said, "fixes:    [1] C(i,j) = A(i,j) * 2"));
  CHECK(contains(said, "fixes:    [2] D(i,j) = A(j,i) * 3"));
  CHECK(contains(said, "next:     trellis fix " + two + " 2 · trellis help E0218"));
  CHECK(contains(start({"fix", two, "3"}).err, "its messages offer 2 fixes"));
  CHECK(start({"fix", two, "2"}).out == two + ":4: D(i,j) = A(j,i) * 3\n");
  CHECK(text_of(two) == "param k = 2\ntensor A(k,k)\nC(i,k) = A(i,k)*2\nD(i,j) = A(j,i) * 3\n");

  const std::string warned =
      "param k = 2\ntensor A(2,3)\ntensor V(3,3)\nC(i,k) = A(i,k)*2\nkernel v {\n  V(i,0) = 1\n"
      "  V(i,j) = max(q)(V(q,j-1)) : 1 <= j\n  order i j q\n}\nrun\n";
  const std::string order = folder.file("order.tr", warned);
  const std::string after = start({"run", order}).err;
  CHECK(contains(after, "fixes:    [1] C(i,j) = A(i,j) * 2"));
  CHECK(contains(after, "fixes:    [2] order j i q"));
  CHECK(start({"fix", order, "2"}).out == order + ":8: order j i q\n");
}

TEST_CASE("trellis fix writes into the file that the message is about") {
  Folder folder;
  folder.file("sizes.tr", "param k = 2\ntensor A(k,k)\nC(i,k) = A(i,k)*2");
  const std::string program = folder.file("main.tr", "source \"sizes.tr\"\nprint C\n");
  const std::string sizes = folder / "sizes.tr";
  CHECK(start({"fix", program, "1"}).out == sizes + ":3: C(i,j) = A(i,j) * 2\n");
  CHECK(start({"run", program}).code == 0);
}

TEST_CASE("trellis fix keeps the file's mode, and the link that leads to it") {
  Folder folder;
  const std::string real = folder.file("real.tr", "tensor x(n)\ny(i) = x(i)\n");
  const std::filesystem::path link = folder / "link.tr";
  std::filesystem::permissions(real, std::filesystem::perms{0640});
  std::filesystem::create_symlink("real.tr", link);
  CHECK(start({"fix", link.string(), "1"}).code == 0);
  CHECK(std::filesystem::is_symlink(link));
  CHECK(std::filesystem::status(real).permissions() == std::filesystem::perms{0640});
  CHECK(start({"run", real}).code == 0);
}

TEST_CASE("trellis fix replaces the expression that a print shows") {
  Folder folder;
  const std::string program =
      folder.file("p.tr", "tensor x(3)\nfill_with x [1, 2, 3]\nprint sum(i)(x(i) > 1)  # how many\n");
  CHECK(start({"fix", program, "1"}).code == 0);
  CHECK(start({"run", program}).out == "sum(i)(x(i) > 1 ? 1 : 0) = 2\n");
}

TEST_CASE("trellis fix puts an order on a line of its own, after remarks and where no line ends") {
  Folder folder;
  const std::string head = "param n = 3\ntensor L(n)\nL(0) = 1\nL(i) = L(i-1) + 1 : i >= 1";
  for (const std::string end : {"  # each adds one\n", "  # each adds one", "", "\n"}) {
    const std::string path = folder.file("f.tr", head + end);
    CHECK(start({"fix", "--set", "order=i-", path, "1"}).out == path + ":5: order i\n");
    CHECK(start({"run", path}).code == 0);
  }
}

TEST_CASE("trellis fix writes orders where they belong") {
  Folder folder;
  const auto fixed = [&](const std::string& program) {
    const std::string path = folder.file("v.tr", program);
    CHECK(start({"fix", path, "1"}).code == 0);
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string head = "param n = 3\ntensor A(n, n); tensor V(n, n)\n";
  const std::string body = "V(i,0) = 1\n  V(i,j) = max(k)(V(k,j-1) * A(k,i)) : 1 <= j\n  ";
  CHECK(fixed(head + "kernel v {\n  " + body + "order i j k  # row by row\n}\nrun\n") ==
        head + "kernel v {\n  " + body + "order j i k  # row by row\n}\nrun\n");
  const std::string path = folder.file("w.tr", head + "kernel v {\n  " + body.substr(0, body.size() - 3) + "\n}\n");
  const Ended set = start({"fix", path, "1", "--set", "order=i,j,k"});
  CHECK(set.code == 2);  // the number comes last
  CHECK(start({"fix", "--set", "order=i,j,k", path, "1"}).out == path + ":6: order j i k\n");
}

TEST_CASE("trellis fix wants a file and a number") {
  CHECK(start({"fix"}).code == 2);
  CHECK(start({"fix", "a.tr"}).code == 2);
  CHECK(start({"fix", "-", "1"}).code == 2);
  CHECK(start({"fix", "nowhere.tr", "1"}).code == 2);
}
