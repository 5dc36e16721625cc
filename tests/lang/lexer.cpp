#include <doctest/doctest.h>

#include <string>

#include "engine/lang/lexer.hpp"

using namespace trellis;
using Kind = lang::Token::Kind;

namespace {

/// The tokens' texts, separated by blanks; separators show as `;`.
std::string tokens(const std::string& source) {
  text::Diagnostics diagnostics;
  std::string result;
  for (const auto& token : lang::tokenize(source, 0, diagnostics).tokens) {
    if (token.kind == Kind::end) break;
    if (!result.empty()) result += ' ';
    result += token.kind == Kind::separator ? ";" : std::string(token.text);
  }
  CHECK_FALSE(diagnostics.has_errors());
  return result;
}

Kind kind_of(const std::string& source) {
  text::Diagnostics diagnostics;
  return lang::tokenize(source, 0, diagnostics).tokens.front().kind;
}

}  // namespace

TEST_CASE("the longest symbol wins") {
  CHECK(tokens("a<<=b<<c<=d<e") == "a <<= b << c <= d < e");
  CHECK(tokens("w.=0") == "w .= 0");
  CHECK(tokens("k->(i,j)=>-1") == "k -> ( i , j ) => - 1");
  CHECK(tokens("x=-1;y!=!z") == "x = - 1 ; y != ! z");
  CHECK(tokens("i--j") == "i - - j");
}

TEST_CASE("words, numbers, characters and strings") {
  CHECK(kind_of("tensor") == Kind::reserved);
  CHECK(kind_of("kernel") == Kind::name);
  CHECK(kind_of("x1_y") == Kind::name);
  CHECK(kind_of("0xFF") == Kind::integer);
  CHECK(kind_of("18446744073709551615") == Kind::integer);
  CHECK(kind_of("2.5e-3") == Kind::real);
  CHECK(kind_of("1e10") == Kind::real);
  CHECK(kind_of("'A'") == Kind::character);
  CHECK(kind_of("\"a # b\"") == Kind::string);
  CHECK(lang::character_code("'A'") == 65);
  CHECK(lang::character_code("'\\''") == 39);
  CHECK(lang::character_code("'\\x7f'") == 127);
  CHECK(lang::string_value(R"("a\"b\\c\n")") == "a\"b\\c\n");
  CHECK(lang::string_value(R"("C:\data")") == R"(C:\data)");
}

TEST_CASE("what cannot be read is reported once and becomes an error token") {
  for (const std::string source : {"$", "\xff\xfe", "\xce\xb1\xce\xb2", "\"abc", "'ab'", "''", "1.", ".5", "2x",
                                   "1e999", "0x1G", "18446744073709551616"}) {
    CAPTURE(source);
    text::Diagnostics diagnostics;
    const auto list = lang::tokenize(source, 0, diagnostics).tokens;
    CHECK(list.front().kind == Kind::error);
    REQUIRE_FALSE(diagnostics.empty());
    CHECK(diagnostics.all().front().span.begin == 0);
  }
}

TEST_CASE("a line's end ends a statement unless a parenthesis or bracket is open") {
  CHECK(tokens("a\nb\n\n# comment\n\nc") == "a ; b ; c");
  CHECK(tokens("f(a,\n b)\nc") == "f ( a , b ) ; c");
  CHECK(tokens("a[i\n]\nc") == "a [ i ] ; c");
  CHECK(tokens("k {\na\nb }") == "k { ; a ; b }");
  CHECK(tokens("f({\na })\nb") == "f ( { ; a } ) ; b");
  CHECK(tokens("a\r\nb") == "a ; b");
  CHECK(tokens("\xEF\xBB\xBF"
               "a") == "a");
}

TEST_CASE("a line that starts with a colon continues the one before") {
  CHECK(tokens("a\n : b") == "a : b");
  CHECK(tokens("a\n# comment\n\n : b\nc") == "a : b ; c");
  CHECK(tokens("}\nelse {") == "} else {");
  CHECK(tokens("a;\n: b") == "a ; : b");
}

TEST_CASE("a forgotten bracket does not swallow the lines that follow") {
  CHECK(tokens("f(a\ng(b)") == "f ( a ; g ( b )");
  CHECK(tokens("f(a\ntensor b(n)\n)") == "f ( a ; tensor b ( n ) ; )");
  CHECK(tokens("k {\nf(a\nb }\nc)") == "k { ; f ( a ; b } ; c )");
}

TEST_CASE("brackets know their partners") {
  text::Diagnostics diagnostics;
  const auto list = lang::tokenize("f(a[i], b) }", 0, diagnostics).tokens;
  CHECK(list[1].partner == 8);
  CHECK(list[8].partner == 1);
  CHECK(list[3].partner == 5);
  CHECK(list[9].partner == -1);
}

TEST_CASE("joined tells touching tokens from separate ones") {
  text::Diagnostics diagnostics;
  const auto list = lang::tokenize("order i- j", 0, diagnostics).tokens;
  CHECK_FALSE(list[1].joined);
  CHECK(list[2].joined);
  CHECK_FALSE(list[3].joined);
}
