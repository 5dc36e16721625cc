// Layouts in programs: what is read, what is refused and why.

#include <doctest/doctest.h>

#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "engine/lang/resolve/standard_layouts.hpp"

using namespace trellis;

namespace {

struct Read {
  std::optional<lang::Program> program;
  text::Diagnostics diagnostics;
};

Read read(const std::string& text) {
  Read result;
  text::Sources sources;
  const auto file = lang::parse(sources, sources.add("test", text), result.diagnostics);
  result.program = lang::resolve(file, result.diagnostics);
  return result;
}

/// "E0250: …" of the first error; the format of A where there is none.
std::string said(const std::string& text) {
  const Read result = read(text);
  for (const text::Diagnostic& d : result.diagnostics.all())
    if (d.severity == text::Severity::error) return d.code + ": " + d.message;
  return format::to_string(result.program->tensor("A")->format);
}

const std::string blocked = "layout blocked(R, C): (i, j) -> (i/R, j/C, i%R, j%C) {dense, compressed, dense, dense}\n";

}  // namespace

TEST_CASE("layouts: each of the standard library is the format of its name") {
  for (const std::string& name : format::format_names()) {
    const auto known = format::Format::named(name, 2);
    if (!known || name == "dense") continue;
    CAPTURE(name);
    const auto* layout = lang::standard_layout(name);
    REQUIRE(layout);
    const lang::syntax::File file{{lang::syntax::Statement(lang::syntax::StatementNode{*layout, {}})}};
    std::string text = lang::print(file).characters;
    text.replace(text.find(name), name.size(), "mine");
    const Read result = read(text + "\ntensor A(n, m): mine");
    REQUIRE(result.program);
    CHECK(format::same_storage(result.program->tensor("A")->format, *known));
  }
}

TEST_CASE("layouts: names, parameters and orders print back") {
  CHECK(said(blocked + "tensor A(n, m): blocked(4, 2)") == "blocked(4, 2)");
  CHECK(said(blocked + "param C = 3\ntensor A(n, m): blocked(4, C) f32") == "blocked(4, C)");
  CHECK(said("tensor A(n, m): bcsr(4, 2) @ (1, 0)") == "bcsr(4, 2) @ (1, 0)");
  CHECK(said("tensor A(n, m): ell(3)") == "{dense, compressed(3)}");
  CHECK(said("tensor A(n, m): csr\nformat A dia") == "dia");
  CHECK(said("layout mine: (a, b) -> (b, a) {dense, compressed}\ntensor A(n, m): mine") == "csc");
  const std::string text = "layout strip(W): (i, j) -> (j-i, i) {dense, dense} : -W <= j-i <= W\n";
  text::Sources sources;
  text::Diagnostics none;
  CHECK(lang::print(lang::parse(sources, sources.add("test", text), none)).characters == text);
}

TEST_CASE("layouts: those that are not one-to-one are refused with two elements that meet") {
  CHECK(said("layout b: (i, j) -> (i + j, 0) {dense, dense}\ntensor A(n, m): b") ==
        "E0250: b is not one-to-one: (0, 1) and (1, 0) go to one place");
  CHECK(said("layout b: (i, j) -> (i/2, j) {dense, dense}\ntensor A(n, m): b") ==
        "E0250: b is not one-to-one: (0, 0) and (1, 0) go to one place");
  CHECK(said("layout b: (i, j) -> (2*i, j) {dense, dense}\ntensor A(n, m): b") ==
        "E0250: how b is undone cannot be told");
}

TEST_CASE("layouts: a symmetric one is for square matrices") {
  const std::string sym = "layout sym: (i, j) -> (max(i, j), min(i, j)) {dense, compressed}\n";
  CHECK(said(sym + "tensor A(n, n): sym") == "sym");
  CHECK(said(sym + "tensor A(n, m): sym") == "E0252: A, n x m, has elements that sym has no place for");
  CHECK(said(sym + "tensor A(4, 3): sym") == "sym");  // what it mirrors is there
  CHECK(said(sym + "tensor A(3, 4): sym") == "E0252: A, 3 x 4, has elements that sym has no place for");
}

TEST_CASE("layouts: what is written wrongly is said where it stands") {
  CHECK(said("layout dia: (i, j) -> (i, j) {dense, dense}") == "E0250: dia is a format already");
  CHECK(said("layout b: (i, j) -> (i, j) {dense}") == "E0250: 2 coordinates for 1 level");
  CHECK(said("layout b: (i, i) -> (i, i) {dense, dense}") == "E0250: i stands twice");
  CHECK(said("layout b: (i, j) -> (i, k) {dense, dense}\ntensor A(n, m): b") ==
        "E0250: k is neither a coordinate nor a parameter of the layout");
  CHECK(said("layout b: (i, j) -> (i*j, j) {dense, dense}\ntensor A(n, m): b") ==
        "E0250: the product of two coordinates is no quasi-affine form");
  CHECK(said("tensor A(n, m): bcsr") == "E0251: bcsr takes 2 numbers");
  CHECK(said("tensor A(n, m): bcsr(0, 2)") == "E0251: R of a layout is a number from 1 on");
  CHECK(said("tensor A(n, m): bcsr(k, 2)") == "E0251: R of a layout is a number, or a param with a value");
  CHECK(said("tensor A(n): dia") == "E0207: dia is a layout of 2 dimensions");
  CHECK(said("tensor A(n, m): blokced(2)") == "E0205: unknown format or element type blokced");
  CHECK(said(blocked + "tensor A(n, m): bocked(2, 2)") == "E0205: unknown format or element type bocked");
  CHECK(said(blocked + "tensor blocked(n)") == "E0202: blocked is declared twice");
}
