// The prompt's parts that need no terminal.
#include <doctest/doctest.h>

#include <iterator>

#include "repl/aliases.hpp"
#include "repl/entry.hpp"
#include "repl/history_file.hpp"
#include "repl/render/pager.hpp"
#include "repl/render/paint.hpp"
#include "repl/render/plain.hpp"
#include "tests/folder.hpp"

namespace trellis::testing {
namespace {

std::string without_colour(const std::string& painted) {
  std::string out;
  for (std::size_t k = 0; k < painted.size(); ++k) {
    if (painted[k] == '\x1b') k = painted.find('m', k);
    else out += painted[k];
  }
  return out;
}

}  // namespace

TEST_CASE("of a pasted transcript only what was typed stays") {
  CHECK(repl::without_prompts("trellis> y(i) = 2 *\n    ...>   x(i)\ntrellis> print y\ny = [2 4]\ntrellis>\n") ==
        "y(i) = 2 *\n  x(i)\nprint y");
  CHECK(repl::without_prompts("tensor x(3)\r\ny(i) = x(i)\r") == "tensor x(3)\ny(i) = x(i)");
  CHECK(repl::without_prompts("") == "");
  CHECK(repl::without_prompts("  indented\n") == "  indented");
}

TEST_CASE("a question mark asks for help") {
  CHECK(repl::with_help("?run") == "help run");
  CHECK(repl::with_help(" ? run \n") == "help run");
  CHECK(repl::with_help("?==") == "help \"==\"");
  CHECK(repl::with_help("?") == "help");
  CHECK(repl::with_help("y(i) = a ? b : c") == "y(i) = a ? b : c");
}

TEST_CASE("aliases replace first words, never those of equations or commands") {
  repl::Aliases aliases;
  CHECK(!aliases.answer("run"));
  CHECK(!aliases.answer("alias = 3"));
  CHECK(aliases.answer("alias sl show loops").value() == "");
  CHECK(aliases.expanded("sl k") == "show loops k");
  CHECK(aliases.expanded("  sl") == "show loops");
  CHECK(aliases.expanded("sl(i) = 3") == "sl(i) = 3");
  CHECK(aliases.expanded("slow") == "slow");
  CHECK(aliases.answer("alias").value() == "alias sl show loops\n");
  CHECK(aliases.answer("alias run print").value() == "`run` is a command already\n");
  CHECK(aliases.answer("unalias sl").value() == "");
  CHECK(aliases.answer("unalias sl").value() == "there is no alias `sl`\n");
  CHECK(aliases.expanded("sl k") == "sl k");
}

TEST_CASE("history keeps whole entries between runs, and forgets the oldest") {
  const Folder folder;
  const repl::HistoryFile history(folder / "new/history");
  CHECK(history.read().empty());
  history.add("kernel k {\n  y(i) = \"a\\nb\"\n}");
  history.add("print y");
  CHECK(history.read() == std::vector<std::string>{"kernel k {\n  y(i) = \"a\\nb\"\n}", "print y"});
  for (int k = 0; k < 4100; ++k) history.add("entry " + std::to_string(k));
  CHECK(history.read().size() == 2000);
  CHECK(history.read().back() == "entry 4099");
  repl::HistoryFile("").add("nowhere");
  CHECK(repl::HistoryFile("").read().empty());
}

TEST_CASE("colours add nothing but colour") {
  const std::string c = "/* a */ for (int i = 0; i < 10; ++i) { x[i] = 2.5e-3; }  // end\n#include <math.h>\n\"open";
  for (const auto& paint : {repl::paint_c, repl::paint_assembly, repl::paint_program, repl::paint_help,
                            repl::paint_verdicts, repl::paint_values}) {
    CHECK(without_colour(paint(c)) == c);
    CHECK(without_colour(paint("✓ i j\n✗ j i  no\n[[0 1]\n [2 …]]\n/*")) == "✓ i j\n✗ j i  no\n[[0 1]\n [2 …]]\n/*");
    CHECK(paint("") == "");
  }
  CHECK(repl::paint_assembly("# for x\n  mov") == "\x1b[2m# \x1b[0m\x1b[1;34mfor\x1b[0m x\n  mov");
  CHECK(repl::paint_c("for x") == "\x1b[1;34mfor\x1b[0m x");
  CHECK(repl::paint_program("y = sqrt(2)") == "y = \x1b[36msqrt\x1b[0m(\x1b[35m2\x1b[0m)");
}

TEST_CASE("letters have a likeness in ASCII") {
  CHECK(repl::as_ascii("✓ a ≤ b … │ ⠿⠀") == "+ a <= b ... | # ");
  CHECK(repl::as_ascii("┌──┐ ╱╲") == "+--+ /\\");
  CHECK(repl::as_ascii("plain") == "plain");
  CHECK(repl::as_ascii("▸ ‹3› ● ○ a ∧ b Aᵀ ▁▄█ ±") == "> <3> * o a & b A' _-# +-");
  CHECK(repl::as_ascii("語") == "?");
  CHECK(repl::as_ascii("\xe2\x9c") == "?");
}

TEST_CASE("the height of a text counts what wraps, and no control sequences") {
  CHECK(repl::height_of("", 10) == 0);
  CHECK(repl::height_of("a\nb\n", 10) == 2);
  CHECK(repl::height_of("12345678901\n\n", 10) == 3);
  CHECK(repl::height_of("\x1b[1;34m1234567890\x1b[0m\n", 10) == 1);
}

}  // namespace trellis::testing
