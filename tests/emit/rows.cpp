// Rows that a coordinate chooses.

#include "engine/emit/rows.hpp"

#include <doctest/doctest.h>

using namespace trellis;
using namespace trellis::emit;

namespace {

c::Expr name(const char* text) { return c::token(text); }
c::Expr sum(c::Expr a, c::Expr b) { return c::binary("+", std::move(a), std::move(b)); }
c::Expr product(c::Expr a, c::Expr b) { return c::binary("*", std::move(a), std::move(b)); }
c::Stmt read(c::Expr at) { return c::stmt(c::Assignment{c::token("s"), "+=", c::expr(c::Index{c::token("E"), std::move(at)})}); }
c::Stmt rounds(const char* variable, std::vector<c::Stmt> body, c::Expr first = c::number(0)) {
  return c::stmt(c::For{variable, std::move(first), c::binary("<", c::token(variable), c::token("r")), std::string(variable) + "++",
                        c::stmt(c::Block{std::move(body)})});
}
std::string chosen(std::vector<c::Stmt> body) {
  std::string all;
  for (const c::Expr& row : c::rows_chosen(c::stmt(c::Block{std::move(body)}), "j", "next"))
    all += c::print({{"", "", {}, c::stmt(c::Block{{c::stmt(c::Evaluate{row})}})}}).characters;
  std::string found;
  for (std::size_t at = all.find("  "); at != std::string::npos; at = all.find("  ", at + 1)) found += all.substr(at + 2, all.find('\n', at) - at - 2);
  return found;
}

}  // namespace

TEST_CASE("a coordinate chooses the rows that loops run through") {
  const c::Expr row = product(name("j"), name("r"));
  CHECK(chosen({rounds("k", {read(sum(row, name("k")))})}) == "E[next * r];");
  CHECK(chosen({rounds("k", {read(sum(row, name("k"))), read(sum(row, name("k")))})}) == "E[next * r];");
  CHECK(chosen({rounds("k", {read(sum(row, name("k")))}, sum(name("j"), c::number(1)))}) == "E[next * r + next + 1];");
  const c::Expr plane = product(sum(product(name("j"), name("m")), name("k")), name("r"));
  CHECK(chosen({rounds("k", {rounds("l", {read(sum(plane, name("l")))})})}) == "E[next * m * r];");
  const c::Stmt position = c::stmt(c::Declaration{"const int64_t", "p", {}, row});
  CHECK(chosen({position, rounds("k", {read(sum(name("p"), name("k")))})}) == "E[next * r];");
}

TEST_CASE("no row is chosen by another coordinate, along columns, under conditions, or by what is looked up") {
  const c::Expr row = product(name("j"), name("r"));
  CHECK(chosen({read(row)}).empty());
  CHECK(chosen({rounds("k", {read(sum(product(name("i"), name("r")), name("k")))})}).empty());
  CHECK(chosen({rounds("k", {read(sum(product(name("k"), name("r")), name("j")))})}).empty());
  CHECK(chosen({rounds("k", {read(sum(name("j"), name("k")))})}).empty());
  CHECK(chosen({c::stmt(c::If{name("c"), c::stmt(c::Block{{rounds("k", {read(sum(row, name("k")))})}}), {}})}).empty());
  const c::Expr looked_up = c::expr(c::Index{name("crd"), name("j")});
  CHECK(chosen({rounds("k", {read(sum(product(looked_up, name("r")), name("k")))})}).empty());
  const c::Stmt position = c::stmt(c::Declaration{"int64_t", "p", {}, row});
  CHECK(chosen({position, rounds("k", {read(sum(name("p"), name("k")))})}).empty());
}
