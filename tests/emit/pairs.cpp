// Two entries in each round of a walk.

#include "engine/emit/pairs.hpp"

#include <doctest/doctest.h>

using namespace trellis;
using namespace trellis::emit;

namespace {

c::Expr element_of(const char* array, c::Expr at) { return c::expr(c::Index{c::token(array), std::move(at)}); }
c::Stmt summed(c::Expr value) { return c::stmt(c::Assignment{c::token("s"), "+=", std::move(value)}); }

/// for (; p < pos[i + 1]; p++) with that body, or from `first` on.
std::string paired(std::vector<c::Stmt> body, std::optional<c::Expr> first = {}) {
  const c::Expr end = element_of("pos", c::binary("+", c::token("i"), c::number(1)));
  c::Stmt walk = c::stmt(c::For{"p", std::move(first), c::binary("<", c::token("p"), end), "p++", c::stmt(c::Block{std::move(body)})});
  const c::Stmt whole = c::pairing_entries(c::stmt(c::Block{{std::move(walk)}}), {"pos"}, [] { return std::string("unsure"); });
  return c::print({{"static void", "f", {}, whole}}).characters;
}
bool pairs(std::vector<c::Stmt> body, std::optional<c::Expr> first = {}) {
  return paired(std::move(body), std::move(first)).find("unsure") != std::string::npos;
}

}  // namespace

TEST_CASE("a carried walk whose entries choose elements has two of them in each round") {
  CHECK(paired({summed(element_of("x", element_of("crd", c::token("p"))))}) == R"(static void f(void) {
  #pragma GCC unroll at_once
  for (int64_t p_end = pos[i + 1]; p < p_end; p++, unsure(p_end)) {
    s += x[crd[p]];
  }
}
)");
  const c::Stmt j = c::stmt(c::Declaration{"const int64_t", "j", {}, element_of("crd", c::token("p"))});
  CHECK(pairs({j, summed(element_of("x", c::token("j")))}));
}

TEST_CASE("walks over neighbours, walks that begin anew and walks that know such an end stay as they are") {
  CHECK_FALSE(pairs({summed(element_of("A", c::token("p")))}));
  CHECK_FALSE(pairs({summed(element_of("x", c::token("i")))}));
  CHECK_FALSE(pairs({summed(element_of("x", element_of("crd", c::token("p"))))}, element_of("pos", c::token("i"))));
  CHECK_FALSE(pairs({summed(element_of("x", element_of("crd", c::token("p")))), summed(c::token("p_end"))}));
}
