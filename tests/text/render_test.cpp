#include <doctest/doctest.h>

#include "engine/text/diagnostic.hpp"

using namespace trellis::text;

namespace {

/// The span of the `occurrence`-th appearance of `part` in the source.
Span find(const Sources& sources, int source, std::string_view part, int occurrence = 1) {
  std::size_t at = sources.content(source).find(part);
  while (--occurrence > 0) at = sources.content(source).find(part, at + 1);
  REQUIRE(at != std::string_view::npos);
  return {source, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + part.size())};
}

std::string plain(const Diagnostic& d, const Sources& sources) { return "\n" + render(d, sources, Colour::off); }

}  // namespace

TEST_CASE("an illegal order labels both places, and gives instance, extent and fixes") {
  Sources sources;
  int file = sources.add("viterbi.tr", "\n\nV(i,j) = max(k)(V(k,j-1) * A(k,i))\n\n\n\n\n\norder i j k\n");
  Diagnostics sink;
  Diagnostic& d = sink.error("E0101", find(sources, file, "V(k,j-1)"), "order i j k reads V before it is computed",
                             "needs row k of step j-1");
  d.notes.push_back({find(sources, file, "i j k"), "finishes row i before it starts row i+1"});
  d.instance = Instance{"V", {{"i", 0}}, {1, 0}, {{"i", 1}}, {{"n", 3}}};
  d.instance_text = "at i=0, j=1, k=1 it reads V(1,0), which is computed at i=1, j=0";
  d.extent = "6 of 12 reads at n=3";
  d.fixes = {{"order j i k", "one swap", 1}, {"order j k i-", "two swaps", 2}};
  CHECK(plain(d, sources) == R"(
viterbi.tr:3:17: error[E0101]: order i j k reads V before it is computed
 3 | V(i,j) = max(k)(V(k,j-1) * A(k,i))
   |                 ^^^^^^^^ needs row k of step j-1
 9 | order i j k
   |       ^^^^^ finishes row i before it starts row i+1
instance: at i=0, j=1, k=1 it reads V(1,0), which is computed at i=1, j=0
extent:   6 of 12 reads at n=3
fixes:    [1] order j i k       one swap
          [2] order j k i-      two swaps
next:     fix 1 · show instance · explain E0101
)");
}

TEST_CASE("a note that points at nothing in its line is one line") {
  Sources sources;
  int file = sources.add("p.tr", "y(i) = A(i,j) * x(j)\n");
  Diagnostic d;
  d.severity = Severity::note;
  d.code = "N0202";
  d.message = "summed over j: y(i) = sum(j)(A(i,j) * x(j))";
  d.span = find(sources, file, "y(i) =");
  CHECK(plain(d, sources) == "\np.tr:1:1: note[N0202]: summed over j: y(i) = sum(j)(A(i,j) * x(j))\n");
  d.notes.push_back({find(sources, file, "j"), "this one"});
  CHECK(plain(d, sources) == R"(
p.tr:1:1: note[N0202]: summed over j: y(i) = sum(j)(A(i,j) * x(j))
 1 | y(i) = A(i,j) * x(j)
   | ^^^^^^     ^ this one
)");
  d.notes.clear();
  d.severity = Severity::warning;
  CHECK(plain(d, sources) == R"(
p.tr:1:1: warning[N0202]: summed over j: y(i) = sum(j)(A(i,j) * x(j))
 1 | y(i) = A(i,j) * x(j)
   | ^^^^^^
)");
}

TEST_CASE("two places of one line share a row of carets when their labels fit") {
  Sources sources;
  int file = sources.add("p.tr", "C(i,j) = A(i,k) * B(k,j)");
  Diagnostics sink;
  Diagnostic& d = sink.error("E0301", find(sources, file, "k"), "index k has two sizes", "32");
  d.notes.push_back({find(sources, file, "k", 2), "16"});
  d.notes.push_back({{}, "B's indices look swapped:\nB(j,k) would agree everywhere"});
  CHECK(plain(d, sources) == R"(
p.tr:1:14: error[E0301]: index k has two sizes
 1 | C(i,j) = A(i,k) * B(k,j)
   |              ^ 32   ^ 16
note:     B's indices look swapped:
          B(j,k) would agree everywhere
)");
  d.label = "is 32 here";
  CHECK(plain(d, sources).find("              ^ is 32 here\n   |                     ^ 16\n") != std::string::npos);
}

TEST_CASE("carets stand under what they mean after tabs, accents and wide letters") {
  Sources sources;
  int file = sources.add("p.tr", "\té = 日本 + x(i)");
  Diagnostics sink;
  CHECK(plain(sink.error("E0201", find(sources, file, "x(i)"), "unknown name x"), sources) == R"(
p.tr:1:11: error[E0201]: unknown name x
 1 |     é = 日本 + x(i)
   |                ^^^^
)");
  CHECK(plain(sink.error("E0202", find(sources, file, "日本"), "no name"), sources).find("\n   |         ^^^^\n") !=
        std::string::npos);
}

TEST_CASE("a span of several lines is underlined to the end of its first, an empty one is one caret") {
  Sources sources;
  int file = sources.add("p.tr", "run (\n)\n");
  Diagnostics sink;
  CHECK(plain(sink.error("E0001", {file, 4, 7}, "no such argument"), sources).find(" |     ^\n") != std::string::npos);
  CHECK(plain(sink.error("E0001", {file, 8, 8}, "the file ends here"), sources) ==
        "\np.tr:3:1: error[E0001]: the file ends here\n 3 |\n   | ^\n");
}

TEST_CASE("what terminals would obey is not printed") {
  Sources sources;
  int file = sources.add("p.tr", "x \x1b[2J y \xff z");
  Diagnostics sink;
  CHECK(plain(sink.error("E0001", find(sources, file, "z"), "stray z"), sources) ==
        "\np.tr:1:12: error[E0001]: stray z\n 1 | x \uFFFD[2J y \uFFFD z\n   |            ^\n");
}

TEST_CASE("a long line shows a window around the place") {
  Sources sources;
  int file = sources.add("p.tr", std::string(1000, 'a') + "?" + std::string(1000, 'b'));
  Diagnostics sink;
  std::string text = plain(sink.error("E0001", find(sources, file, "?"), "stray ?"), sources);
  CHECK(text.size() < 400);
  CHECK(text.find("aaa?bbb") != std::string::npos);
  CHECK(text.find("   | " + std::string(40, ' ') + "^\n") != std::string::npos);
}

TEST_CASE("a place in another file says which, a diagnostic from nowhere has no place") {
  Sources sources;
  int one = sources.add("one.tr", "tensor a(n)"), two = sources.add("two.tr", "tensor a(m)");
  Diagnostics sink;
  Diagnostic& d = sink.warning("W0201", {two, 7, 8}, "a is declared twice");
  d.notes.push_back({{one, 7, 8}, "first here"});
  CHECK(plain(d, sources) == R"(
two.tr:1:8: warning[W0201]: a is declared twice
 1 | tensor a(m)
   |        ^
 in one.tr:
 1 | tensor a(n)
   |        ^ first here
)");
  CHECK(plain(sink.error("E0501", {}, "out of memory"), sources) == "\nerror[E0501]: out of memory\n");
}

TEST_CASE("colour adds escapes and changes nothing else") {
  Sources sources;
  int file = sources.add("p.tr", "x = y");
  Diagnostics sink;
  Diagnostic& d = sink.error("E0201", {file, 4, 5}, "unknown name y", "here");
  std::string coloured = render(d, sources, Colour::on), stripped;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') i = coloured.find('m', i);
    else stripped += coloured[i];
  }
  CHECK(coloured != stripped);
  CHECK(stripped == render(d, sources, Colour::off));
}

TEST_CASE("a message comes to an end on a page of any width, whatever the line holds") {
  Sources sources;
  const int file = sources.add("prompt", "x(i) \x1b[200~tensor x(3) \x01\x1b[A + y(i)");
  const auto end = static_cast<std::uint32_t>(sources.content(file).size());
  Diagnostics sink;
  for (std::uint32_t at = 0; at < end; ++at) {
    Diagnostic& d = sink.error("E0001", {file, at, at + 1}, "unknown character", "here");
    d.notes.push_back({{file, end - 1 - at, end - at}, "and here"});
    for (int columns = 1; columns < 40; ++columns) CHECK(!render(d, sources, Colour::off, {columns}).empty());
  }
}
