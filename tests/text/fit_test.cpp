// Text on pages of a given width.
#include <doctest/doctest.h>

#include <random>
#include <sstream>

#include "engine/text/fit.hpp"

using namespace trellis::text;

namespace {

std::string fitted(const std::string& text, int columns, Overflow overflow, std::string_view ellipsis = "…") {
  return "\n" + fit(text, {columns, ellipsis}, overflow);
}

/// The letters that are no blanks and no ends of lines.
std::string letters_of(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

int widest(const std::string& text) {
  int width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) width = std::max(width, width_of(line));
  return width;
}

}  // namespace

TEST_CASE("fit: width is what is seen, neither bytes nor colours") {
  CHECK(width_of("a ≤ b…") == 6);
  CHECK(width_of("\x1b[1;31m✗\x1b[0m no") == 4);
  CHECK(width_of("漢字") == 4);
  CHECK(width_of("e\u0301") == 1);
  CHECK(width_of("") == 0);
}

TEST_CASE("fit: what fits stays as it is, and so does everything without a width") {
  const std::string text = "a  b\n\n   c\nno end";
  for (const Overflow overflow : {Overflow::cut, Overflow::flow, Overflow::prose}) {
    CHECK(fit(text, {6, "…"}, overflow) == text);
    CHECK(fit(std::string(500, 'x'), {}, overflow) == std::string(500, 'x'));
    CHECK(fit("", {10, "…"}, overflow) == "");
  }
}

TEST_CASE("fit: grids are cut, colours end") {
  CHECK(fitted("[ 1  2  3  4]\n[10]\n", 8, Overflow::cut) == "\n[ 1  2 …\n[10]\n");
  CHECK(fitted("[ 1  2  3  4]", 8, Overflow::cut, "...") == "\n[ 1  ...");
  CHECK(fitted("ab\x1b[31mcdefgh\x1b[0m", 5, Overflow::cut) == "\nab\x1b[31mcd…\x1b[0m");
  CHECK(fitted("漢字漢字", 6, Overflow::cut) == "\n漢字…");
}

TEST_CASE("fit: a table's last column goes on under itself, other cells under the second column") {
  CHECK(fitted("✗ i j k  reads L(i,j) before it is computed\n✓ j k i  legal\n", 30, Overflow::flow) ==
        "\n✗ i j k  reads L(i,j) before\n         it is computed\n✓ j k i  legal\n");
  CHECK(fitted("  jit     min 24.11 us  median 26.24 us  10 runs  1.05 GB/s\n", 40, Overflow::flow) ==
        "\n  jit     min 24.11 us  median 26.24 us\n          10 runs  1.05 GB/s\n");
  CHECK(fitted("    for (long i = 0; i < n; i++) {\n", 24, Overflow::flow) ==
        "\n    for (long i = 0; i <\n        n; i++) {\n");
}

TEST_CASE("fit: columns that begin too far to the right move together") {
  CHECK(fitted("  random TENSOR [seed N]  fills a tensor with values\n  run                     runs it\n", 36,
               Overflow::flow) ==
        "\n  random TENSOR [seed N]\n              fills a tensor with\n              values\n  run         runs it\n");
}

TEST_CASE("fit: drawings among the lines of a table are cut") {
  const std::string drawing =
      "  {a, b}     {b, c}\n   ╱    ╲     ╱\n{a}       {b}\nof which one is the first that there is\n";
  CHECK(fitted(drawing, 16, Overflow::flow) ==
        "\n  {a, b}     {b…\n   ╱    ╲     ╱\n{a}       {b}\nof which one is\n    the first\n    that there\n    is\n");
}

TEST_CASE("fit: words that are wider than the page are broken, nothing is lost") {
  CHECK(fitted("abcdefghij", 4, Overflow::flow) == "\nabcd\n  ef\n  gh\n  ij");
}

TEST_CASE("fit: paragraphs are filled anew, what is indented is not") {
  CHECK(fitted("one two three four\nfive\n\n    code it is\n* an item that is long\n* b\n", 12, Overflow::prose) ==
        "\none two\nthree four\nfive\n\n    code it\n      is\n* an item\n  that is\n  long\n* b\n");
  CHECK(fitted("this fits\nand this too\n\nbut here is no room\n", 12, Overflow::prose) ==
        "\nthis fits\nand this too\n\nbut here is\nno room\n");
}

TEST_CASE("fit: colours survive where lines are broken") {
  CHECK(fitted("ab \x1b[1mcd ef\x1b[0m gh", 5, Overflow::prose) == "\nab \x1b[1mcd\nef\x1b[0m gh");
}

TEST_CASE("fit: random text never exceeds its page and keeps its letters") {
  std::mt19937 random(1);
  const std::vector<std::string> parts = {"a",  "bc",   "word", "✓",  " ",  " ",
                                          "  ", "    ", "\n",   "* ", "漢", "long_name_without_end"};
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (int k = 0; k < 60; ++k) text += parts[random() % parts.size()];
    for (const int columns : {4, 7, 20, 40})
      for (const Overflow overflow : {Overflow::cut, Overflow::flow, Overflow::prose}) {
        const std::string shown = fit(text, {columns, "…"}, overflow);
        CHECK(widest(shown) <= columns);
        if (overflow != Overflow::cut) CHECK(letters_of(shown) == letters_of(text));
      }
  }
}
