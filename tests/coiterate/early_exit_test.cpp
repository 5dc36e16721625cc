// Loops that are left once nothing can change any more.
#include "tests/coiterate/shown.hpp"

using namespace trellis::testing;

namespace {

const std::string graph =
    "param n = 9; tensor G(n, n): csr bool; tensor F(n): bool; tensor x: bool; random G seed 1 density 0.3; random F "
    "seed 2 density 0.3\n";

}  // namespace

TEST_CASE("a walk is left where the answer is known") {
  const std::string program = graph + "x = any(i,j)(G(i,j) && F(j))\norder i j\n";
  const std::string flow = shown("flow", program);
  CHECK(has(flow, "loop i in 0:n reduces x unless x_any\n"));
  CHECK(has(flow, "coiterate j in 0:n reduces x unless x_any every 8\n"));
  const std::string c = shown("c", program);
  CHECK(has(c, "for (int64_t i = 0; i < n && !x_any; i++) {"));
  CHECK(has(c, "for (; G_pos[i + 1] - pG_block >= 8 && !x_any; pG_block += 8) {"));
  check_agrees(program);
}

TEST_CASE("dense loops over truth values are left as well") {
  const std::string program =
      "param n = 9; tensor A(n); tensor x: bool; random A seed 3 density 0.5\nx = all(i)(A(i) < 0.9)\n";
  CHECK(has(shown("flow", program), "unless !x_all every 1024\n"));
  const std::string c = shown("c", program);
  CHECK(has(c, "for (int64_t i_block = 0; i_block < n && x_all; i_block += 1024) {"));
  CHECK(has(c, "for (int64_t i = i_block; i < i_stop; i++) {"));
  check_agrees(program);
  CHECK(has(shown("c", program + "order i-\n"), "i_block > 0 && x_all; i_block -= 1024"));
  for (const char* n : {"1023", "1024", "1025", "5000"})
    for (const char* order : {"i", "i-"})
      check_agrees("param n = " + std::string(n) + program.substr(program.find(';')) + "order " + order + "\n");
}

TEST_CASE("merges of several operands are left at every point") {
  const std::string program =
      graph + "tensor H(n, n): csr bool; random H seed 3 density 0.3\nx = any(i,j)(G(i,j) xor H(i,j))\norder i j\n";
  const std::string c = shown("c", program);
  CHECK(has(c, "while (pG < pG_end && pH < pH_end && !x_any) {"));
  CHECK(has(c, "while (pG < pG_end && !x_any) {"));
  CHECK(has(c, "while (pH < pH_end && !x_any) {"));
  check_agrees(program);
}

TEST_CASE("walks downwards, of hashed levels and over every coordinate are left too") {
  check_agrees(graph + "x = any(i,j)(G(i,j) && F(j))\norder i- j-\n");
  CHECK(has(shown("c", graph + "x = any(i,j)(G(i,j) && F(j))\norder i j-\n"), ">= G_pos[i] && !x_any; pG--"));
  const std::string hashed =
      "param n = 9; tensor G(n, n): {dense, hashed} bool; tensor x: bool; random G seed 1 density 0.3\nx = "
      "any(i,j)(G(i,j) && G(j,i))\norder i j\n";
  CHECK(has(shown("c", hashed), "&& !x_any"));
  check_agrees(hashed);
  const std::string each =
      graph +
      "tensor H(n, n): csr bool; random H seed 3 density 0.9\nx = all(i,j)(G(i,j) || H(i,j) || F(j))\norder i j\n";
  CHECK(has(shown("c", each), "j < n && x_all; j++"));
  check_agrees(each);
}

TEST_CASE("each element of a result has its own end") {
  const std::string program = graph + "tensor N(n): bool\nN(k) = any(j)(G(k,j) && F(j))\norder k j\n";
  const std::string c = shown("c", program);
  CHECK(has(c, "for (int64_t k = 0; k < n; k++) {"));
  CHECK(has(c, "G_pos[k + 1] - pG_block >= 8 && !N_k; pG_block += 8"));
  check_agrees(program);
}

TEST_CASE("a loop that does more goes on, without what is over") {
  const std::string program = graph + "tensor s: i64\nloops { for i { for j { x ||= G(i,j) && F(j) }\n s += 1 } }\n";
  const std::string c = shown("c", program);
  CHECK(has(c, "for (int64_t i = 0; i < n; i++) {"));
  CHECK(has(c, "G_pos[i + 1] && !x_any"));
  check_agrees(program);
}

TEST_CASE("two reductions in one loop end it together") {
  const std::string program =
      graph + "tensor y: bool; loops { y = true; for i, j { if G(i,j) { x ||= F(j); y &&= F(i) } } }\n";
  CHECK(has(shown("flow", program), "unless x_any && !y_all"));
  check_agrees(program);
}

TEST_CASE("numbers end where their type or their product does") {
  const std::string bytes =
      "param n = 9; tensor A(n, n): csr u8; tensor x: u8; random A seed 1 density 0.9 range 200:256\n";
  CHECK(has(shown("c", bytes + "x = max(i,j)(A(i,j))\norder i j\n"), "x_max != 255"));
  check_agrees(bytes + "x = max(i,j)(A(i,j))\norder i j\n");
  CHECK(has(shown("c", bytes + "x = min(i,j)(A(i,j))\norder i j\n"), "x_min != 0"));
  check_agrees(bytes + "x = min(i,j)(A(i,j))\norder i j\n");
  const std::string product =
      "param n = 9; tensor A(n): {compressed} i32 fill 1; tensor x: i32; random A seed 1 density 0.9 range 0:3\nx = "
      "prod(i)(A(i))\n";
  CHECK(has(shown("c", product), "x_prod != 0"));
  check_agrees(product);
  CHECK_FALSE(has(
      shown(
          "flow",
          "param n = 9; tensor A(n): {compressed} fill 1; tensor x; random A seed 1 density 0.9\nx = prod(i)(A(i))\n"),
      "unless"));
}

TEST_CASE("updates that are written out end like the others") {
  for (const char* update : {"x = x || G(i,j) && F(j)", "x = G(i,j) && F(j) || x", "x = x | G(i,j) & F(j)"}) {
    const std::string program = graph + "loops { for i, j { " + update + " } }\n";
    CHECK(has(shown("flow", program), "unless x_any"));
    check_agrees(program);
  }
  const std::string bytes = "param n = 9; tensor A(n): u8; tensor x: u8; random A seed 1 range 0:20\n";
  CHECK(has(shown("flow", bytes + "loops { x = 255; for i { x = min(A(i), x) } }\n"), "unless x_min == 0"));
  check_agrees(bytes + "loops { x = 255; for i { x = min(A(i), x) } }\n");
  // Each step makes another value of the old one than what an annihilator would keep.
  CHECK_FALSE(has(shown("flow", graph + "loops { for i { x = x || (F(i) && !x) } }\n"), "unless"));
  CHECK_FALSE(has(shown("flow", graph + "tensor s: i64; loops { for i in 0:n { s = 5 - s * i } }\n"), "unless"));
}

TEST_CASE("functions of the user end at their annihilators") {
  const std::string common =
      "def common(x, y) { x, y => x & y; commutative; associative; identity -1; annihilator 0 }\n"
      "def left(x, y) { x, y => x == 7 ? 7 : y + 1; annihilator 7 at 0 }\n"
      "param n = 9; tensor A(n, n): csr i64; tensor a(n): i64; tensor x: i64; tensor N(n): i64; random A seed 1 "
      "density 0.5 range 1:8; random a seed 2 range 0:9\n";
  CHECK(has(shown("flow", common + "x = common(i)(a(i))\n"), "unless x_common == 0"));
  CHECK(has(shown("flow", common + "N(i) = common(j)(A(i,j))\norder i j\n"), "unless N_i == 0"));
  CHECK(has(shown("flow", common + "loops { for i { x = left(x, a(i)) } }\n"), "unless x_left == 7"));
  CHECK_FALSE(has(shown("flow", common + "loops { for i { x = left(a(i), x) } }\n"), "unless"));
  for (const char* equation : {"x = common(i)(a(i))", "N(i) = common(j)(A(i,j))",
                               "loops { for i { x = left(x, a(i)) } }", "loops { for i { x = left(a(i), x) } }"})
    check_agrees(common + equation + "\n");
  // What does not end by itself may go on for ever at an annihilator too.
  const std::string waits =
      "def gcd(x, y) { x, 0 => abs(x)\n x, y => { x = abs(x); y = abs(y); while x != 0 { t = x; x = y % x; y = t }; y "
      "}; commutative; associative; identity 0; annihilator 1 }\n";
  CHECK_FALSE(
      has(shown("flow",
                waits + "param n = 9; tensor a(n): i64; tensor x: i64; random a seed 2 range 1:9\nx = gcd(i)(a(i))\n"),
          "unless"));
}

TEST_CASE("loops go on where their scalar is read, or where something may fail") {
  CHECK_FALSE(
      has(shown("flow", graph + "tensor s: i64; loops { for i, j { if G(i,j) { x ||= F(j); s += x ? 1 : 0 } } }\n"),
          "unless"));
  // 1 / 0 is an error wherever it stands.
  const std::string divides =
      "param n = 9; tensor A(n): {compressed} i64; tensor x: bool; random A seed 1 density 0.9 range 0:3\nx = any(i)(7 "
      "/ A(i) > 3)\n";
  CHECK_FALSE(has(shown("flow", divides), "unless"));
  const std::string gathers =
      "param n = 9; tensor I(n): i64; tensor F(n): bool; tensor x: bool; random I seed 1 range 0:9\nx = "
      "any(i)(F(I(i)))\n";
  CHECK_FALSE(has(shown("flow", gathers), "unless"));
}

TEST_CASE("of a parallel loop, each thread leaves the loops inside") {
  const std::string program = graph + "x = any(i,j)(G(i,j) && F(j))\norder i j\nparallel i\n";
  const std::string flow = shown("flow", program);
  CHECK(has(flow, "loop i in 0:n parallel reduces x_any by ||=\n"));
  CHECK(has(flow, "coiterate j in 0:n reduces x unless x_any every 8\n"));
  check_agrees(program);
}

TEST_CASE("a level that falls is walked from its end, and asked at each entry whether that is over") {
  for (const std::string format : {"{dense, compressed(decreasing)}", "{rle, compressed(decreasing)}"})
    for (const std::string order : {"i j", "i j-"})
      check_agrees_with_formats(
          "param n = 2; param m = 3; tensor D(n, m): bool " + format +
          "\nfill_with D [[false, true, false], [false, true, true]]\nx(i) = any(j)(D(i,j))\norder " + order + "\n");
}

TEST_CASE("leads move on where nothing is done with what they stand at") {
  const std::string program =
      "param n = 3; tensor A(n, n): bool {dense, bytemap, pattern}; tensor B(n, n): bool {dense, compressed, pattern}; "
      "tensor C(n, n): bool {dense, compressed, pattern}\n"
      "random A seed 1 density 0.6; random C seed 1 density 0.6; random B seed 2 density 0\n"
      "X = all(i,j)(!(A(i,j) || C(i,j)) || C(i,j) != B(i,j))\norder i- j\n";
  CHECK(has(shown("flow", program),
            "        if pC here\n          if pB here\n            X_all &&= false\n        else\n"));
  check_agrees(program);
}

TEST_CASE("an element that is chosen once ends the loop that would choose it again") {
  const std::string program =
      graph + "tensor P(n): i64 fill -1; loops { for j { for k { if F(k) && G(j,k) { P(j) choose(-1)= k } } } }\n";
  CHECK(has(shown("flow", program), "coiterate k in 0:n unless !(P[j] == -1)\n"));
  CHECK(has(shown("c", program), "pG < G_pos[j + 1] && P[j] == -1; pG++"));
  check_agrees(program);
  const std::string first = graph + "tensor p: i64 fill -1; loops { for k { if F(k) { p choose(-1)= k } } }\n";
  CHECK(has(shown("flow", first), "unless !(p"));
  check_agrees(first);
  // Another element in each iteration, another update of the same one, and one that others read.
  for (const char* body :
       {"P(k) choose(-1)= j", "P(j) choose(-1)= k; P(k) = 3", "P(j) choose(-1)= k; P(j) choose(2)= 5",
        "P(j) choose(-1)= P(k) + 1", "P(j) choose(-1)= k; s += 1"}) {
    const std::string other = graph +
                              "tensor P(n): i64 fill -1; tensor s: i64; loops { for j { for k { if F(k) && G(j,k) { " +
                              std::string(body) + " } } } }\n";
    CHECK_MESSAGE(!has(shown("flow", other), "unless"), body);
    check_agrees_with_formats(other);
  }
}
