#pragma once
// Loops from their notation, for tests: matrices A, B, C, L (n, n), vectors x, y, z (n), wide W (n, m), integers p (n),
// truths F (n), scalar s; sizes n and m, at least 0.

#include <string>

#include <doctest/doctest.h>
#include "engine/lang/parse.hpp"
#include "engine/lang/program.hpp"
#include "engine/loop/print.hpp"
#include "engine/loop/read.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"

namespace trellis::loop::testing {

inline lang::Program declared(const std::string& declarations) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int source = sources.add("test", declarations);
  const auto program = lang::resolve(lang::parse(sources, source, diagnostics), diagnostics);
  for (const auto& d : diagnostics.all()) FAIL_CHECK(text::render(d, sources, text::Colour::off));
  REQUIRE(program);
  return *program;
}

inline const lang::Program& world() {
  static const lang::Program program = declared(
      "tensor A(n,n); tensor B(n,n); tensor C(n,n); tensor L(n,n); tensor x(n); tensor y(n); tensor z(n)\n"
      "tensor W(n,m); tensor p(n): i64; tensor F(n): bool; tensor s; param half = 0.5\n");
  return program;
}

inline Stmt loops(const std::string& notation) {
  text::Diagnostics diagnostics;
  auto stmt = read(notation, world(), diagnostics);
  for (const auto& d : diagnostics.all()) FAIL_CHECK(d.message << "  in  " << notation);
  REQUIRE_MESSAGE(stmt, notation);
  CHECK(verify(*stmt, world()) == "");
  return *stmt;
}

inline math::Solver& solver() {
  static math::Solver one(lang::size_assumptions(world()));
  return one;
}

}  // namespace trellis::loop::testing
