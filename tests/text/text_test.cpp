#include <doctest/doctest.h>

#include "engine/text/diagnostic.hpp"
#include "engine/text/glyphs.hpp"
#include "engine/text/text.hpp"

using namespace trellis::text;

TEST_CASE("columns count code points from 1") {
  Sources sources;
  int file = sources.add("p.tr", "αβ = 1\r\ny = 2");
  CHECK(sources.begin({file, 5, 6}).column == 4);
  CHECK(sources.end({file, 5, 6}).column == 5);
  CHECK(sources.line(file, 1) == "αβ = 1");
  CHECK(sources.begin({file, 10, 11}).line == 2);
  CHECK(sources.line(file, 3).empty());
  CHECK(sources.slice({file, 10, 11}) == "y");
}

TEST_CASE("a span covers both of its parts, or the one that is known") {
  CHECK(cover({0, 3, 5}, {0, 1, 4}) == Span{0, 1, 5});
  CHECK(cover({}, {0, 1, 4}) == Span{0, 1, 4});
  CHECK(cover({0, 1, 4}, {}) == Span{0, 1, 4});
}

TEST_CASE("spans of annotated text nest, and start behind the indentation") {
  TextBuilder builder;
  {
    TextBuilder::Scope loop(builder, {Stage::loops, 1}, {});
    builder << "for i {\n";
    builder.indent();
    {
      TextBuilder::Scope body(builder, {Stage::loops, 2}, {{Stage::equations, 7}});
      builder << "x(" << std::int64_t{-3} << ") = 1\n";
    }
    builder.dedent();
    builder << "}\n";
  }
  Text text = builder.take();
  CHECK(text.characters == "for i {\n  x(-3) = 1\n}\n");
  REQUIRE(text.spans.size() == 2);
  CHECK(text.characters.substr(text.spans[1].begin, text.spans[1].end - text.spans[1].begin) == "x(-3) = 1");
  CHECK(text.spans[1].origin == Origin{{Stage::equations, 7}});
  CHECK(text.spans[0].begin == 0);
  CHECK(text.spans[0].end == text.characters.size() - 1);
}

TEST_CASE("a merged node keeps the origins of all its parts") {
  NodeId a{Stage::equations, 1}, b{Stage::equations, 2}, c{Stage::loops, 0};
  CHECK(merge({a, c}, {b, c}) == Origin{a, b, c});
}

TEST_CASE("warnings are no errors") {
  Diagnostics sink;
  sink.warning("W0001", {}, "careful");
  CHECK_FALSE(sink.has_errors());
  Diagnostics other;
  other.error("E0001", {}, "wrong");
  sink.append(other);
  CHECK(sink.has_errors());
  CHECK(sink.all().size() == 2);
}

TEST_CASE("a near miss is suggested, a far one is not") {
  std::vector<std::string> names{"tensor", "order", "parallel", "run", "a"};
  CHECK(did_you_mean("tnesor", names) == "tensor");
  CHECK(did_you_mean("ordr", names) == "order");
  CHECK(did_you_mean("paralell", names) == "parallel");
  CHECK(did_you_mean("nur", names).empty());
  CHECK(did_you_mean("b", names).empty());
  CHECK(did_you_mean("matrix", names).empty());
}

TEST_CASE("what could move the cursor is shown as it is written in programs") {
  CHECK(printable("\x1b]0;OWNED\a") == "\\x1b]0;OWNED\\x07");
  CHECK(printable("a\tb\nc\r") == "a\tb\nc\\x0d");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\xc2\\x9b31m");  // the same in one character
  CHECK(printable("\x9b"
                  "31m") == "\\x9b31m");
  CHECK(printable("größer ≤ λ") == "größer ≤ λ");
}

TEST_CASE("words for a shell are quoted where they have to be") {
  CHECK(shell_word("a/b-1.c") == "a/b-1.c");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("a; touch b") == "'a; touch b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("a\x1b'\\") == "$'a\\x1b\\'\\\\'");
}
