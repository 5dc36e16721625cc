// The tests of the documentation can fail: how pages are taken apart, and what counts as the same output.
#include <doctest/doctest.h>

#include "tests/docs/likeness.hpp"
#include "tests/docs/page.hpp"

namespace trellis::testing {

TEST_CASE("a page's blocks have a language, options and commands") {
  const Page page = read_page(
      "Text\n\n```trellis error=E0101 file=a.tr\ntensor x(3)\n```\n\n    code\n\n```console\n$ one <<END\n> "
      "two\nout\n$ next\n```\n");
  REQUIRE(page.blocks.size() == 2);
  CHECK(page.blocks[0].line == 3);
  CHECK(page.blocks[0].language == "trellis");
  CHECK(page.blocks[0].value("error") == "E0101");
  CHECK(page.blocks[0].value("file") == "a.tr");
  CHECK(!page.blocks[0].has("more"));
  CHECK(page.blocks[0].text() == "tensor x(3)\n");
  CHECK(page.indented == std::vector<int>{7});
  const std::vector<Command> commands = commands_of(page.blocks[1]);
  REQUIRE(commands.size() == 2);
  CHECK(commands[0].text == "one <<END\ntwo");
  CHECK(commands[0].line == 10);
  CHECK(commands[0].output_line == 12);
  CHECK(commands[0].output == std::vector<std::string>{"out"});
  CHECK(commands[1].text == "next");
  CHECK(commands[1].output.empty());
}

TEST_CASE("outputs are alike when only measurements and what dots stand for differ") {
  CHECK(alike({}, {}));
  CHECK(alike({"y = [1 2]"}, {"y = [1 2]"}));
  CHECK(!alike({"y = [1 2]"}, {"y = [1 3]"}));
  CHECK(!alike({"y = [1 2]"}, {}));
  CHECK(!alike({}, {"y = [1 2]"}));
  CHECK(!alike({"a", "b"}, {"b", "a"}));
  CHECK(alike({"run 0.01 ms"}, {"run 12 µs  "}));
  CHECK(alike({"jit  min   1.2 ms   3 GB/s"}, {"jit  min 11.25 ms  14.5 GB/s"}));
  CHECK(!alike({"run 0.01 ms"}, {"run 0.01 runs"}));
  CHECK(!alike({"2 swaps"}, {"3 swaps"}));
  CHECK(alike({"ran main, …"}, {"ran main, order i"}));
  CHECK(!alike({"ran main, …"}, {"ran other"}));
  CHECK(alike({"…"}, {}));
  CHECK(alike({"a", "d"}, {"a", "took 0.7 s", "d"}));
  CHECK(alike({"a", "took 0.7 s"}, {"a"}));
  CHECK(!alike({"a"}, {"a", "took 0.7 steps"}));
  CHECK(alike({"a", "…", "d"}, {"a", "b", "c", "d"}));
  CHECK(!alike({"a", "…", "d"}, {"a", "b", "c"}));
}

}  // namespace trellis::testing
