// Constants that nothing reads.

#include "engine/emit/unused.hpp"

#include <doctest/doctest.h>

using namespace trellis;
using namespace trellis::emit;

namespace {

c::Stmt constant(const char* name, c::Expr value) {
  return c::stmt(c::Declaration{"const int64_t", name, {}, std::move(value)});
}

std::string printed(std::vector<c::Stmt> statements) {
  const c::Stmt body = c::without_unused(c::stmt(c::Block{std::move(statements)}));
  return c::print({{"static void", "f", {}, body}}).characters;
}

}  // namespace

TEST_CASE("constants that nothing reads are not declared, nor those that only they are made of") {
  const c::Stmt use = c::stmt(c::Assignment{c::token("*s"), "+=", c::token("b")});
  const c::Stmt inner = c::stmt(
      c::For{"p", c::number(0), c::token("p < n"), "p++", c::stmt(c::Block{{constant("j", c::token("a")), use}})});
  CHECK(printed({constant("a", c::number(1)), constant("b", c::number(2)), inner}) == R"(static void f(void) {
  const int64_t b = 2;
  for (int64_t p = 0; p < n; p++) {
    *s += b;
  }
}
)");
}

TEST_CASE("what a function computes is kept, and what a pragma names") {
  const std::string text =
      printed({constant("slot", c::call("insert", {c::number(1)})), constant("chunk", c::number(64)),
               c::stmt(c::Pragma{"omp parallel for schedule(static, chunk)"}),
               c::stmt(c::For{"p", c::number(0), c::token("p < n"), "p++", c::stmt(c::Block{})})});
  CHECK(text.find("slot = insert(1)") != std::string::npos);
  CHECK(text.find("chunk = 64") != std::string::npos);
}
