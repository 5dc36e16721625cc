#include <doctest/doctest.h>

#include <string>

#include "engine/lang/parse.hpp"

using namespace trellis;

namespace {

/// For each error the line, carets under its range, the code and what it says.
std::string errors(const std::string& source) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  lang::parse(sources, sources.add("t.tr", source), diagnostics);
  std::string result;
  for (const auto& d : diagnostics.all()) {
    const auto begin = sources.begin(d.span);
    const auto width = d.span.end > d.span.begin ? sources.end(d.span).column - begin.column : 1;
    result += std::string(sources.line(0, begin.line)) + "\n";
    result += std::string(begin.column - 1, ' ') + std::string(width, '^') + " " + d.code + " " + d.message;
    if (!d.label.empty()) result += "; " + d.label;
    for (const auto& note : d.notes) result += "; " + note.message;
    result += "\n";
  }
  return result;
}

std::size_t count_errors(const std::string& source) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  lang::parse(sources, sources.add("t.tr", source), diagnostics);
  return diagnostics.all().size();
}

}  // namespace

TEST_CASE("unreadable text") {
  CHECK(errors("s = i ≤ 3") ==
        "s = i ≤ 3\n"
        "      ^ E0001 unknown character `≤`; write <=\n");
  CHECK(errors("s = αβ + 1") ==
        "s = αβ + 1\n"
        "    ^^ E0001 unknown character `αβ`; names are made of A-Z, a-z, 0-9 and _\n");
  CHECK(errors("load A \"x.mtx") ==
        "load A \"x.mtx\n"
        "       ^^^^^^ E0002 this string is never closed; a string ends with `\"` on the same line\n");
  CHECK(errors("s = 2x") ==
        "s = 2x\n"
        "    ^^ E0003 `2x` is neither a number nor a name; a product needs its sign: 2*x\n");
  CHECK(errors("load A 1138_bus.mtx") ==
        "load A 1138_bus.mtx\n"
        "       ^^^^^^^^ E0003 `1138_bus` is neither a number nor a name; file names stand in double quotes\n");
  CHECK(errors("s = 1e999") ==
        "s = 1e999\n"
        "    ^^^^^ E0004 this number does not fit f64\n");
  CHECK(errors("load A 'x.mtx'") ==
        "load A 'x.mtx'\n"
        "       ^^^^^^^ E0005 `'` encloses one ASCII character; text stands in double quotes; "
        "other bytes are written '\\x7F'\n");
}

TEST_CASE("conditions and indices that other languages write behind what is summed") {
  for (const char* word : {"if", "where"})
    CHECK(errors("s = sum(i)(P(i) " + std::string(word) + " P(i) > 1)")
              .find("found `" + std::string(word) +
                    "`; a choice of values is written c ? a : b, and what a sum "
                    "leaves out c ? a : 0\n") != std::string::npos);
  CHECK(errors("s = sum(P(i) for i in 0:4)") ==
        "s = sum(P(i) for i in 0:4)\n"
        "             ^^^ E0010 expected `,` or `)`, found `for`; indices stand in front: sum(i)(x(i))\n");
}

TEST_CASE("something is missing") {
  CHECK(errors("s = a +\nt = b") ==
        "s = a +\n"
        "       ^ E0010 expected an expression, found the end of the line; "
        "a statement ends with its line, unless a `(` is open\n");
  CHECK(errors("tensor A(n) csr") ==
        "tensor A(n) csr\n"
        "            ^^^ E0010 expected `:` before the format, found `csr`; as in tensor A(n, m): csr f32\n");
  CHECK(errors("tensor x(n): {compressed unordered}") ==
        "tensor x(n): {compressed unordered}\n"
        "                         ^^^^^^^^^ E0010 expected `,` or `}`, found `unordered`; "
        "options stand in parentheses behind their level: compressed(unordered)\n");
  CHECK(errors("tensor x(n): {unordered compressed}") ==
        "tensor x(n): {unordered compressed}\n"
        "                        ^^^^^^^^^^ E0010 expected `,` or `}`, found `compressed`; "
        "options stand in parentheses behind their level: compressed(unordered)\n");
  CHECK(errors("A: csr") ==
        "A: csr\n"
        " ^ E0010 expected a statement, found `:`; a declaration starts with its word: tensor A: csr\n");
  CHECK(errors("kernel k\n{\n  x = 1\n}") ==
        "kernel k\n"
        "        ^ E0010 expected `{`, found the end of the line; the `{` stands on the line of the kernel's name\n");
  CHECK(errors("A[i,j] = 3") ==
        "A[i,j] = 3\n"
        "   ^ E0010 a timestep is one expression; indices stand in parentheses, as in A(i,j)\n");
}

TEST_CASE("brackets without partners") {
  CHECK(errors("L(i,j = A(i,j)\ny(i) = x(i)") ==
        "L(i,j = A(i,j)\n"
        " ^ E0011 this `(` is never closed; no `)` belongs to it\n");
  CHECK(errors("s = a) + b") ==
        "s = a) + b\n"
        "     ^ E0011 this `)` closes nothing\n");
  CHECK(errors("kernel k {\n  x = 1\n\n  kernel j { y = 1 }") ==
        "kernel k {\n"
        "         ^ E0011 this `{` is never closed; no `}` belongs to it\n");
  CHECK(errors("x = 1 }\ny = 2") ==
        "x = 1 }\n"
        "      ^ E0011 this `}` closes nothing\n");
}

TEST_CASE("words and signs of other languages") {
  CHECK(errors("s = a and b") ==
        "s = a and b\n"
        "      ^^^ E0012 expected the end of the statement, found `and`; logical and is written &&\n");
  CHECK(errors("s := a") ==
        "s := a\n"
        "  ^^ E0013 `:=` defines nothing; write =\n");
  CHECK(errors("s(i) = a(i) : i => 3") ==
        "s(i) = a(i) : i => 3\n"
        "                ^^ E0013 `=>` is no comparison; write >=\n");
  CHECK(errors("s = a ** b") ==
        "s = a ** b\n"
        "       ^ E0010 expected an expression, found `*`; a power is written x^2\n");
  CHECK(errors("x = [1, 2]") ==
        "x = [1, 2]\n"
        "    ^ E0010 expected an expression, found `[`; data is given by a command, as in fill_with x [1, 2, 3]\n");
  CHECK(errors("tensor x(2) = [1, 2]") ==
        "tensor x(2) = [1, 2]\n"
        "            ^ E0012 expected the end of the statement, found `=`; data is given by a command, as in fill_with "
        "x [1, 2, 3]\n");
  CHECK(errors("s(i) = a(i) : i < 3 && j < 3") ==
        "s(i) = a(i) : i < 3 && j < 3\n"
        "                    ^^ E0012 constraints are joined by `,`; write a comma\n");
}

TEST_CASE("comparisons where they cannot stand") {
  CHECK(errors("s = i < k < j") ==
        "s = i < k < j\n"
        "          ^ E0014 comparisons form no chain inside an expression; write both: i < k && k < j; "
        "constraints behind `:` may be chains\n");
  CHECK(errors("x(i) = c ? a : i < 3") ==
        "x(i) = c ? a : i < 3\n"
        "               ^^^^^ E0015 a comparison as an arm of `? :` needs parentheses; write (…) around it; "
        "a constraint follows the whole expression: x(i) = c ? a : b : i < n\n");
  CHECK(errors("x = c ? a == b : (a < b)") ==
        "x = c ? a == b : (a < b)\n"
        "        ^^^^^^ E0015 a comparison as an arm of `? :` needs parentheses; write (…) around it; "
        "a constraint follows the whole expression: x(i) = c ? a : b : i < n\n");
}

TEST_CASE("what a statement would be is offered, where that is another spelling") {
  const auto fix = [](const std::string& source) {
    text::Sources sources;
    text::Diagnostics diagnostics;
    lang::parse(sources, sources.add("t.tr", source), diagnostics);
    REQUIRE(!diagnostics.all().empty());
    const auto& fixes = diagnostics.all()[0].fixes;
    return fixes.empty() ? std::string() : fixes[0].command;
  };
  CHECK(fix("A[i,j] = 3") == "A(i,j) = 3");
  CHECK(fix("x(0) = 1\nC[i,j] = A[i,j] + B[j,i]  # sum") == "C(i,j) = A(i,j) + B(j,i)");
  CHECK(fix("A[i,j] = 3 +") == "");  // wrong even so
  CHECK(fix("kernel k { A[i,j] = 3 }") == "");
  CHECK(fix("y(i) = x(i)**2 + x(i)**3") == "y(i) = x(i)^2 + x(i)^3");
  CHECK(errors("for i in 0:n { x(i) = 1 }") ==
        "for i in 0:n { x(i) = 1 }\n"
        "^^^ E0018 `for` belongs in loops { … }; as a loop program: loops { for i in 0:n { x(i) = 1 } }\n");
  CHECK(errors("for i in 0:3") ==
        "for i in 0:3\n"
        "^^^ E0018 `for` belongs in loops { … }; "
        "a loop program is written loops { for i in 0:n { x(i) = 0 } }; an equation needs none: x(i) = 0\n");
  CHECK(errors("m = x.sum()") ==
        "m = x.sum()\n"
        "     ^ E0012 expected the end of the statement, found `.`; nothing is asked of a tensor behind a dot: "
        "a sum is sum(i)(x(i)), sizes have names, functions stand in front\n");
}

TEST_CASE("the notation of other languages prints as it is written, and characters stay characters") {
  const auto printed = [](const std::string& source) {
    text::Sources sources;
    text::Diagnostics diagnostics;
    const auto file = lang::parse(sources, sources.add("t.tr", source), diagnostics);
    return diagnostics.has_errors() ? "wrong" : lang::print(file).characters;
  };
  for (const char* source : {"C = A'\n", "C = (A + B)' @ x\n", "C = A .* B + A ./ B\n", "C = x .^ 2 * A'\n",
                             "y(j) = A(0,:)\n", "C = A @ (B @ x)\n", "c(i) = s(i) == 'A'\n"})
    CHECK(printed(source) == source);
  CHECK(printed("C = A.T\n") == "C = A'\n");
  CHECK(printed("C = A@B'\n") == "C = A @ B'\n");
}

TEST_CASE("words that mean something else") {
  CHECK(errors("tensor max(n)") ==
        "tensor max(n)\n"
        "       ^^^ E0016 `max` is built in and cannot be declared; choose another name\n");
  CHECK(errors("tensor for(n)") ==
        "tensor for(n)\n"
        "       ^^^ E0016 `for` is a reserved word; expected the tensor's name\n");
  CHECK(errors("loops { whlie x { } }") ==
        "loops { whlie x { } }\n"
        "        ^^^^^ E0017 `whlie` starts no action; did you mean `while`?\n");
  CHECK(errors("loops { for i paralel { } }") ==
        "loops { for i paralel { } }\n"
        "              ^^^^^^^ E0010 expected `{` or a mark of the loop, found `paralel`; did you mean `parallel`?\n");
  CHECK(errors("tensor A(n): fil 0") ==
        "tensor A(n): fil 0\n"
        "             ^^^ E0017 `fil` takes no value; did you mean fill?\n");
}

TEST_CASE("right words in the wrong place") {
  CHECK(errors("s += 3") ==
        "s += 3\n"
        "  ^^ E0018 updates belong in loops { … }; an equation says what an element is, with `=`; "
        "as a loop: loops { s += 3 }; as an equation, a sum is written y(i) = sum(k)(…)\n");
  CHECK(errors("if a { }\nelse { }") ==
        "if a { }\n"
        "^^ E0018 `if` belongs in loops { … }; as a loop program: loops { if a { }\nelse { } }\n");
  CHECK(errors("loops { A(i) = 3 : i < n }") ==
        "loops { A(i) = 3 : i < n }\n"
        "                 ^ E0018 a loop program has no constraints; write if c { … } around the assignment\n");
  CHECK(errors("loops { if x(0) = 1 { } }") ==
        "loops { if x(0) = 1 { } }\n"
        "                ^ E0010 expected `{`, found `=`; two values are compared with ==\n");
  CHECK(errors("loops { while a and b { } }") ==
        "loops { while a and b { } }\n"
        "                ^^^ E0010 expected `{`, found `and`; logical and is written &&\n");
  CHECK(
      errors("loops { for i in 0:n:2 { } }") ==
      "loops { for i in 0:n:2 { } }\n"
      "                    ^ E0010 expected `{`, found `:`; a range has no step; for i down in 0:n counts downwards\n");
  CHECK(errors("loops { for i { x(i)++ } }") ==
        "loops { for i { x(i)++ } }\n"
        "                    ^ E0010 expected `=` or an update such as `+=`, found `+`; an element grows by one with "
        "+= 1\n");
  CHECK(errors("loops { for (i = 0; i < 6) { } }") ==
        "loops { for (i = 0; i < 6) { } }\n"
        "            ^ E0010 expected a loop's index, found `(`; a loop is written for i in 0:n { … }\n");
  CHECK(errors("tensor best = 0") ==
        "tensor best = 0\n"
        "            ^ E0010 expected the end of the statement, found `=`; at first every element is the fill, as in "
        "tensor best: fill 1\n");
  CHECK(errors("until x[t](0) < 1 : t > 2") ==
        "until x[t](0) < 1 : t > 2\n"
        "                  ^ E0010 expected the end of the statement, found `:`; conditions are joined by &&\n");
  CHECK(errors("loops { while a { break } }").find("a loop ends early with until") != std::string::npos);
  CHECK(errors("loops { while a { x(0) = 1; break } }").find("a loop ends early with until") != std::string::npos);
  CHECK(errors("a(i)(j) = 3") ==
        "a(i)(j) = 3\n"
        "^^^^^^^ E0022 this is no left side of an equation; expected NAME, NAME(…) or NAME[…](…)\n");
}

TEST_CASE("several errors come at once, in the order of the text, one for each cause") {
  CHECK(errors("a = $\nb = (1\nc = 3\nloops {\n  d = = 4\n  if x { e = }\n  else { f = 1 }\n  g := 2\n}\nh = )") ==
        "a = $\n"
        "    ^ E0001 unknown character `$`\n"
        "b = (1\n"
        "    ^ E0011 this `(` is never closed; no `)` belongs to it\n"
        "  d = = 4\n"
        "      ^ E0010 expected an expression, found `=`; equations have one `=`\n"
        "  if x { e = }\n"
        "             ^ E0010 expected an expression, found `}`\n"
        "  g := 2\n"
        "    ^^ E0013 `:=` does not assign; write =\n"
        "h = )\n"
        "    ^ E0011 this `)` closes nothing\n");
  CHECK(count_errors("loops {\n  for i\n    w = 0\n  }\n}\ns = 1") == 1);
  CHECK(count_errors("f(a; b) = 3\nx = 4") == 1);
  CHECK(count_errors("tensor A(n): {dense 3}\nx = 4") == 1);
}

TEST_CASE("statements without errors survive their neighbours") {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const auto file = lang::parse(sources, sources.add("t.tr", "a = 1\nb = \nkernel k {\n c = )\n}\nd = 2"), diagnostics);
  CHECK(lang::print(file).characters == "a = 1\nd = 2\n");
}

TEST_CASE("nesting is limited, not the stack") {
  const auto repeat = [](const std::string& part, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += part;
    return result;
  };
  constexpr int many = 5000;
  for (const std::string& source :
       {"s = " + repeat("(", many) + "1" + repeat(")", many), "s = " + repeat("-", many) + "1",
        "s = 1" + repeat(" + 1", many), "s = " + repeat("a ? b : ", many) + "c", "s = " + repeat("a^", many) + "2",
        "s = " + repeat("f(", many) + repeat(")", many), repeat("kernel k {", many) + repeat("}", many),
        "loops {" + repeat("for i {", many) + repeat("}", many) + "}",
        "loops {" + repeat("if a { } else ", many) + "{ } }",
        "def f(x) { x => {" + repeat("if x { } else ", many) + "{ } } }"}) {
    CAPTURE(source.substr(0, 40));
    text::Sources sources;
    text::Diagnostics diagnostics;
    lang::parse(sources, sources.add("t.tr", source), diagnostics);
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].code == "E0019");
  }
  CHECK(count_errors("s = " + repeat("(", 100) + "1" + repeat(")", 100)) == 0);
  CHECK(count_errors("s = 1" + repeat(" + 1", 400)) == 0);
}

TEST_CASE("brackets without end are read in linear time") {
  constexpr int many = 50000;
  CHECK(count_errors(std::string(many, '(') + std::string(many, ']')) == 1);
  CHECK(count_errors(std::string(many, '\n')) == 0);
}

TEST_CASE("a text in another language does not flood the screen") {
  std::string garbage;
  for (int i = 0; i < 1000; ++i) garbage += "$ garbage\n";
  CHECK(count_errors(garbage) == 100);
}
