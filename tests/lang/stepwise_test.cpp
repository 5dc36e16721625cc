// Programs that grow statement by statement become what all statements together resolve to.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "engine/lang/parse.hpp"
#include "engine/lang/stepwise.hpp"
#include "tests/programs.hpp"

using namespace trellis;

namespace {

using lang::Growth;

/// Whether both are the same to whoever reads them: what is computed, and the nodes that others point at.
void check_same(const lang::Program& grown, const lang::Program& whole) {
  CHECK(grown.tensors == whole.tensors);
  CHECK(std::ranges::equal(grown.tensors, whole.tensors, {}, &lang::TensorInfo::kind, &lang::TensorInfo::kind));
  CHECK(std::ranges::equal(grown.parameters, whole.parameters, {}, &lang::ParameterInfo::name,
                           &lang::ParameterInfo::name));
  REQUIRE(grown.kernels.size() == whole.kernels.size());
  for (std::size_t k = 0; k < whole.kernels.size(); ++k) {
    const lang::Kernel &a = grown.kernels[k], &b = whole.kernels[k];
    CHECK(a.span == b.span);
    CHECK(a.inherited == b.inherited);
    CHECK(lang::print_equations(grown, a).characters == lang::print_equations(whole, b).characters);
    const auto number = [](const lang::Equation& e) { return std::pair(e.id, e.right.id()); };
    CHECK(std::ranges::equal(a.equations, b.equations, {}, number, number));
    CHECK(std::ranges::equal(a.equations, b.equations, {}, &lang::Equation::domain, &lang::Equation::domain));
  }
}

/// A letter for each statement: `a` when it could be resolved without those before, `t` when together with them, `e`
/// when that was in error. What comes out is what all together are.
std::string resolved(const std::string& text) {
  text::Sources texts;
  text::Diagnostics read;
  const lang::syntax::File file = lang::parse(texts, texts.add("text", text), read);
  std::optional<lang::Program> grown;
  std::optional<Growth> growth;
  std::string how;
  for (std::size_t k = 1; k <= file.statements.size(); ++k) {
    CAPTURE(k);
    const Growth::Statements all = std::span(file.statements).first(k), last = all.last(1);
    text::Diagnostics said, added;
    const auto whole = lang::resolve({{all.begin(), all.end()}}, said);
    auto addition = grown ? growth->addition(*grown, last, added, {}) : std::nullopt;
    if (!whole) {
      CHECK(!addition);
      growth.reset();
      grown.reset();
      how += "e";
      continue;
    }
    how += addition ? "a" : "t";
    if (addition) lang::extend(*grown, std::move(*addition));
    else grown = whole;
    check_same(*grown, *whole);
    for (const text::Diagnostic& d : added.all())
      CHECK(std::ranges::any_of(said.all(), [&](const text::Diagnostic& other) {
        return other.message == d.message && other.span == d.span && other.code == d.code;
      }));
    if (growth) growth->follow(*grown, last);
    else growth.emplace().follow(*grown, all);
  }
  return how;
}

}  // namespace

TEST_CASE("stepwise: statements that stand by themselves are resolved without those before them") {
  CHECK(resolved("tensor x(n)\ny(i) = 2 * x(i)\ntensor A(n, n)\nz(i) = A(i,j) * x(j)\nw(j) = z(j) + y(j)\n") ==
        "taaaa");
  CHECK(resolved("param n = 5\ntensor x(n): i64\ny(i) = x(i) / 2\ntensor s: i64\ns = sum(i)(y(i))\n") == "taaaa");
  CHECK(resolved("tensor y(3)\ntensor x(3)\nz(i) = y(i)\ny(i) = x(i)\n") == "taaa");
  // Those that are declared come first among the tensors, whenever they come.
  CHECK(resolved("tensor x(n)\ny(i) = x(i)\ntensor a(n): compressed\nz(i) = a(i)\ntensor b(k): i32\n") == "taaaa");
}

TEST_CASE("stepwise: what says something new about a name of the text before is resolved with it") {
  // The index of an equation becomes a size, or a tensor.
  CHECK(resolved("tensor x(n)\ny(i) = x(i)\ntensor z(i)\n") == "tat");
  CHECK(resolved("tensor x(n)\ny = sum(k)(x(k))\ntensor k\n") == "tae");
  // The same tensor, declared or defined again; another part of one.
  CHECK(resolved("tensor x(n)\ny(i) = x(i)\ntensor y(n)\n") == "tat");
  CHECK(resolved("tensor x(4)\ny(i) = x(i) : i < 2\ny(i) = 2*x(i) : 2 <= i\n") == "tat");
  // Functions, timesteps, shape operators, and all that is no tensor and no equation.
  CHECK(resolved("tensor x(n)\ndef f(a) = a + 1\ny(i) = f(x(i))\nz(i) = x(i)\n") == "ttta");
  CHECK(resolved("tensor x(n)\ntensor u(n)\nu[0](i) = x(i)\ny(i) = x(i)\n") == "tatt");
  CHECK(resolved("tensor x(n)\ny(j) = roll(x(i), i->j, 1)\nz(i) = x(i)\n") == "ttt");
  CHECK(resolved("tensor x(n)\ny(i) = x(i)\norder i\nz(i) = x(i)\nkernel k { w(i) = x(i) }\nv(i) = x(i)\n") ==
        "tatttt");
  // Whether a quotient is rounded is known when it is used as a size.
  CHECK(resolved("param h = 7 / 2\ntensor x(3)\ny(i) = h * x(i)\ntensor z(h)\n") == "tatt");
  // What is wrong is wrong together with all the rest.
  CHECK(resolved("tensor x(n)\ny(i) = x(i, j)\n") == "te");
}
