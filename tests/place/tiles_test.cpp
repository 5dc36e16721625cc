// Orders with tiles: the nests that come of them, and what is said where there is none.
#include <doctest/doctest.h>

#include "engine/place/dependences.hpp"
#include "engine/place/naming.hpp"
#include "engine/place/tiles.hpp"
#include "tests/place/kernels.hpp"

namespace trellis::place {
namespace {

const std::string blocked_cholesky =
    "param n = 9\ntensor A(n,n)\ntensor L(n,n)\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)*L(i,k))) : k < i\n";
const std::string blocked_paths =
    "param n = 9\ntensor D(n,n)\nD[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))\n";

TEST_CASE("tiles: a name with a tile is one word, and is printed as it was written") {
  CHECK(lang::tile_of("j/96") == lang::TileName{"j", 96});
  CHECK(!lang::tile_of("j"));
  CHECK(!lang::tile_of("j/0"));
  CHECK(lang::loop_variable("j/96") == "j_96");
  for (const char* order : {"j/96 j", "i-/8 i- j", "j/96 j/8 j"})
    CHECK(lang::to_string(*lang::parse_order(order)) == order);
  for (const char* order : {"j/0 j", "j/ j", "j/-2", "j/x"}) CHECK(!lang::parse_order(order));
}

TEST_CASE("tiles: equal tiles go by the outermost of their names, and only tiles of one size are renamed") {
  CHECK(digit_names("i,j/8") == std::vector<std::string>{"i/8", "j/8"});
  CHECK(is_of_kind("i/8", "j/8"));
  CHECK(!is_of_kind("i/8", "j/4"));
  CHECK(!is_of_kind("i/8", "j"));
}

TEST_CASE("tiles: Cholesky's update is cut in four, and a solve by what is related") {
  const Analysis base = analysed(blocked_cholesky);
  const auto tiled = place::tiled(base, *lang::parse_order("j/4 k/4 i/4 j k i"));
  REQUIRE(tiled);
  int parts = 0;
  for (const Fragment& f : tiled->fragments.fragments) parts += f.name.starts_with("tL1 ");
  CHECK(parts == 4);
  CHECK(!place::tiled(*tiled, *lang::parse_order("i/4 k/4 j/4 i j k")));  // the same tiles
  CHECK(place::tiled(*tiled, *lang::parse_order("i j k")) == tiled->untiled);
  const Analysis solve = analysed(
      "param n = 9\ntensor L(n,n)\ntensor B(n,n)\ntensor X(n,n)\n"
      "X(i,j) = (B(i,j) - sum(k)(L(i,k)*X(k,j)))/L(i,i) : k < i\n");
  const auto by_rows = place::tiled(solve, *lang::parse_order("i/4 j/4 k/4 i j k"));
  REQUIRE(by_rows);
  CHECK(by_rows->fragments.fragments.size() == 3);  // I,K and IK of the update, and X, which i and j do not cut
}

TEST_CASE("tiles: whole tiles have no guards, and one certificate holds for all of them") {
  const std::string text = nest(blocked_cholesky, "j/4 k/4 i/4 j k i");
  CHECK(text.find("forall k in 4*k_4:4*k_4 + 4 reduces tL1") != std::string::npos);
  CHECK(text.find("if ") == std::string::npos);
  const Placement placed = place(analysed(blocked_cholesky), *lang::parse_order("j/4 k/4 i/4 j k i"));
  REQUIRE(std::holds_alternative<Placed>(placed));
  CHECK(std::get<Placed>(placed).certificate.sizes.starts_with("for all sizes and all tiles"));
}

TEST_CASE("tiles: a variable also has the tiles of those that it stands for") {
  // Of L(i,i) the i is a j as well, and of L(j,j) the j an i.
  for (const char* diagonal : {"L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)*L(i,k))) : k < i\n",
                               "L(j,j) = sqrt(A(j,j) - sum(k)(L(j,k)*L(j,k))) : k < j\n"}) {
    const std::string source = blocked_cholesky.substr(0, blocked_cholesky.find("L(i,i)")) + diagonal;
    CAPTURE(source);
    for (const char* order : {"j/4 k/4 i/3 j/2 k j i", "j/4 k/4 i j k", "i/3 k j i"})
      CHECK_MESSAGE(std::holds_alternative<Placed>(place(analysed(source), *lang::parse_order(order))), order);
  }
}

TEST_CASE("tiles: what fails for the choices of some statements is not tried for all choices of the others") {
  // Twelve fragments that need each other, each of which has loops to choose from four times over.
  const Analysis analysis = analysed(
      "tensor X(n, n)\ntensor Y(n, n)\ntensor A(n, n)\ntensor c(n)\n"
      "X(i,j) = sum(k)(A(i,k)*X(k,k)) + (i/2 == j/2 ? c(j) : min(k,l)(c(k)*A(l,i)*X(j,l))) + A(i,j) : k < j, l < i\n"
      "Y(i,j) = A(j,j) : i%2 = 0\nY(q,i) = X(q,i) : q%2 = 1\n");
  CHECK(!is_legal(analysis, *lang::parse_order("q/1 j-/1 k-/1 i/1 q l/1 i k- l j-")));
}

TEST_CASE("tiles: what an illegal order breaks is named by the part that fails") {
  const Failure failed = failure(blocked_paths, "i/4 k/4 j/4 k i j");
  CHECK(failed.reason.find("tile") != std::string::npos);
  CHECK(legal_orders(blocked_paths).find("kij") != std::string::npos);
}

}  // namespace
}  // namespace trellis::place
