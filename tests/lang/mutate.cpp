#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "engine/lang/lexer.hpp"
#include "engine/lang/parse.hpp"
#include "tests/lang/parse_corpus.hpp"

using namespace trellis;

namespace {

/// Breaks programs the way that hurried people and bad transfers do.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutated() {
    std::string source = sample();
    for (int edits = 1 + pick(3); edits > 0; --edits) source = once(source);
    return source;
  }

 private:
  int pick(std::size_t below) { return static_cast<int>(random_() % (below == 0 ? 1 : below)); }
  std::string sample() { return lang::tests::corpus[pick(lang::tests::corpus.size())].source; }

  /// Where the tokens of a source stand.
  static std::vector<text::Span> tokens(const std::string& source) {
    text::Diagnostics ignored;
    std::vector<text::Span> spans;
    for (const auto& token : lang::tokenize(source, 0, ignored).tokens) spans.push_back(token.span);
    return spans;
  }

  std::string once(const std::string& source) {
    static const std::vector<std::string> snippets = {
        "(",     ")",        "[",       "]",     "{",      "}",       ",",        ":",      ";",        "\n",
        "=",     "==",       "=>",      "->",    ".=",     "? ",      "-",        "~",      "!",        "^",
        "\"",    "'",        "'a'",     "\"s\"", "#",      " for ",   " if ",     " else ", " tensor ", " xor ",
        " def ", " kernel ", " loops ", " at ",  " fill ", " in ",    " down ",   "1",      "2.5",      "0x",
        "inf",   "missing",  "\xff",    "$",     "x",      "sum(k)(", "a ? b : c"};
    const auto spans = tokens(source);
    const text::Span a = spans[pick(spans.size())];
    const text::Span b = spans[pick(spans.size())];
    const std::string written = source.substr(a.begin, a.end - a.begin);
    switch (pick(8)) {
      case 0: return std::string(source).erase(a.begin, a.end - a.begin);
      case 1: return std::string(source).insert(a.begin, written + " ");
      case 2: return swapped(source, std::min(a, b), std::max(a, b));
      case 3:
      case 4: return std::string(source).insert(a.begin, snippets[pick(snippets.size())]);
      case 5: return flipped(source);
      case 6: return source.substr(0, pick(source.size()));
      default: return source + sample();
    }
  }

  static std::string swapped(const std::string& source, text::Span first, text::Span second) {
    if (first == second) return source;
    return source.substr(0, first.begin) + source.substr(second.begin, second.end - second.begin) +
           source.substr(first.end, second.begin - first.end) + source.substr(first.begin, first.end - first.begin) +
           source.substr(second.end);
  }

  std::string flipped(std::string source) {
    if (!source.empty()) source[pick(source.size())] ^= static_cast<char>(1 << pick(8));
    return source;
  }

  std::mt19937 random_;
};

/// Every broken statement is reported; what is left prints and reads back as the same tree.
void check_survives(const std::string& source) {
  text::Sources sources;
  text::Diagnostics diagnostics, again;
  const auto file = lang::parse(sources, sources.add("broken.tr", source), diagnostics);
  const std::string printed = lang::print(file).characters;
  const auto read_back = lang::parse(sources, sources.add("printed.tr", printed), again);
  CAPTURE(source);
  CAPTURE(printed);
  CHECK(again.empty());
  CHECK(read_back == file);
  for (const auto& diagnostic : diagnostics.all()) {
    CHECK(diagnostic.code.starts_with("E00"));
    CHECK_FALSE(diagnostic.message.empty());
    CHECK(diagnostic.span.source == 0);
    CHECK(diagnostic.span.begin <= diagnostic.span.end);
    CHECK(diagnostic.span.end <= source.size());
  }
  lang::is_incomplete(source);
}

}  // namespace

TEST_CASE("no mutation of a program crashes the parser or prints as another program") {
  constexpr unsigned mutations = 2000;
  for (unsigned seed = 0; seed < mutations; ++seed) {
    CAPTURE(seed);
    check_survives(Mutator(seed).mutated());
  }
}
