// What a loop does where its operands store nothing is done once, behind it.
#include "tests/coiterate/shown.hpp"
#include "tests/random/wanted.hpp"

using namespace trellis::testing;

namespace {

const std::string stored =
    "param n = 9; param q = 4; tensor A(n, n): csr; tensor D(n, n): dcsr; tensor T(n, n, q): csf; tensor x(n): "
    "{compressed}\n"
    "tensor F(n): {compressed} fill 1.5; tensor I(n): {compressed} i32 fill 3; tensor B(n): {compressed} u8; tensor "
    "y(n); tensor m; tensor k: i64; tensor b: u8\n"
    "random A seed 1 density 0.3; random D seed 2 density 0.2; random T seed 3 density 0.1; random x seed 4 density "
    "0.5\n"
    "random F seed 5 density 0.4; random I seed 6 density 0.4 range 0:9; random B seed 7 density 0.5 range 1:200\n";

}  // namespace

TEST_CASE("a maximum walks the entries, and asks whether there was a gap") {
  const std::string program = stored + "m = max(i,j)(A(i,j))\norder i j\n";
  const std::string c = shown("c", program);
  CHECK(has(c, "    for (; pA < A_pos[i + 1]; pA++) {\n"));
  CHECK(has(c, "      if (A[pA] != 0.0) {\n        m_max = max_f64(m_max, A[pA]);\n        j_seen += 1;\n      }\n"));
  CHECK(has(c, "    if (j_seen < n) {\n      m_max = max_f64(m_max, 0.0);\n    }\n"));
  check_agrees(program);
}

TEST_CASE("rows and columns without entries have gaps only") {
  for (const char* equation : {"m = max(i,j)(D(i,j))\norder i j\n", "y(i) = min(j)(D(i,j))\norder i j\n",
                               "y(j) = max(i)(A(i,j) - 1)\norder i j\n", "m = min(i,j,l)(T(i,j,l))\norder i j l\n"})
    check_agrees(stored + equation);
  CHECK(has(shown("c", stored + "m = min(i,j,l)(T(i,j,l))\norder i j l\n"), "l_seen"));
}

TEST_CASE("sums count the gaps") {
  CHECK(has(shown("c", stored + "m = sum(i)(F(i))\n"), "(n - i_seen) * 1.5"));
  for (const char* equation : {"m = sum(i)(F(i))\n", "k = sum(i)(i64(I(i)))\n", "k = sum(i)(i64(I(i)) + 2)\n",
                               "m = sum(i)(F(i)) : 2 <= i, i < 7\n"})
    check_agrees(stored + equation);
}

TEST_CASE("what values an expression takes in gaps is worked out") {
  const std::string program = stored + "y(i) = max(j)(exp(A(i,j)) - D(i,j))\norder i j\n";
  CHECK(has(shown("c", program), "!= 1.0"));
  check_agrees(program);
  check_agrees(stored + "m = max(i)(x(i-1) - x(i)) : i > 0\n");
}

TEST_CASE("several reductions of one loop share what they have in common") {
  const std::string program =
      stored +
      "tensor z(n); tensor w(n); y(i) = min(j)(A(i,j))\nz(i) = max(j)(A(i,j))\nw(i) = sum(j)(A(i,j))\norder i j\n";
  const std::string c = shown("c", program);
  CHECK(has(c, "min_f64(y_i, A[pA]);\n        z_i = max_f64(z_i, A[pA]);\n        j_seen += 1;"));
  CHECK_FALSE(has(c, "j_seen2"));
  check_agrees(program);
  const std::string apart = stored + "tensor z(n); y(i) = min(j)(A(i,j))\nz(i) = max(j)(2 * A(i,j) + 1)\norder i j\n";
  CHECK(has(shown("c", apart), "j_seen2 += 1;"));
  check_agrees(apart);
  check_agrees(stored +
               "tensor p; loops { m = -9; p = 9; for i { for j { m max= A(i,j) }\n for j { p min= A(i,j) } } }\n");
  // A counter that is alive keeps its name to itself.
  check_agrees(
      stored +
      "tensor p; loops { m = -9; p = 9; for i { for j { m max= A(i,j) }\n if i > 2 { for j { p min= A(i,j) } } } }\n");
}

TEST_CASE("a loop that its gaps would end leaves early instead") {
  const std::string program = stored + "b = min(i)(B(i))\n";
  CHECK(has(shown("flow", program), "unless b_min == 0"));
  CHECK_FALSE(has(shown("flow", program), "_seen"));
  check_agrees(program);
}

TEST_CASE("loops that do more than update are left alone") {
  for (const char* equation :
       {"loops { for i { m max= x(i); y(i) = m } }\n", "loops { for i until m > 3 { m max= x(i) } }\n",
        "m = max(i)(x(i) + i)\n", "loops { for i { m max= x(i) - m } }\n",
        "loops { for i { m max= x(i) - 1; m += F(i) } }\n"}) {
    CHECK_FALSE(has(shown("flow", stored + equation), "_seen"));
    check_agrees(stored + equation);
  }
  // A division by zero in a gap is one, whether or not there is a gap.
  CHECK_FALSE(has(shown("flow", stored + "tensor J(n): {compressed} i64; k = max(i)(1 / J(i))\n"), "_seen"));
}

TEST_CASE("the first index of the best value walks the entries, and counts the first gap") {
  const std::string best =
      "param n = 7; tensor A(n, n): csr; tensor D(n, n): dcsr; tensor B(n, n): csr bool; tensor F(n): {compressed} "
      "fill 1.5; tensor H(n): hashed\n"
      "tensor y(n): i64; tensor k: i64\nrandom A seed 1 density 0.6 range -2:3; random D seed 2 density 0.2 range "
      "-2:3\n"
      "random B seed 3 density 0.5; random F seed 4 density 0.6 range 0:3; random H seed 5 density 0.5 range -2:3\n";
  const std::string program = best + "y(i) = argmin(j)(A(i,j))\norder i j\n";
  const std::string flow = shown("flow", program);
  CHECK(has(flow, "lead pA at A.2 below [i]\n"));
  CHECK(has(flow, "if j_gap < n\n"));
  check_agrees(program);
  for (const char* op : {"argmin", "argmax"}) {
    for (const char* e : {"(j)(A(i,j))", "(j)(D(i,j))", "(j)(A(i,j) - 1)", "(j)(B(i,j))", "(j <= i)(A(i,j))",
                          "(i < j)(A(i,j))", "(j)(A(i,j) * A(i,j) + D(i,j))"})
      for (const char* order : {"i j", "i j-", "j i"})
        check_agrees_with_formats(best + "y(i) = " + op + e + "\norder " + order + "\n");
    for (const char* e : {"(i)(F(i))", "(i)(H(i))", "(i)(F(i) * A(2,i))", "(i)(0 / F(i))"})
      check_agrees_with_formats(best + "k = " + op + e + "\n");
    check_agrees_with_formats(best + "loops { for i { y(i) = " + op + "(j)(A(i,j)) } }\n");
    check_agrees_with_formats(best + "loops { for i { y(i) = " + op + "(j)(B(i,j)) } }\n");
  }
  for (const char* row :
       {"[0, 0, 0, 0]", "[1, 2, 3, 4]", "[1, 0, -1, 0]", "[-1, 0, 0, -1]", "[0, 5, 0, 5]", "[2, 2, 0, 0]"})
    for (const char* op : {"argmin", "argmax"})
      check_agrees_with_formats("param n = 4; tensor x(n): compressed; tensor k: i64; fill_with x " + std::string(row) +
                                "\nk = " + op + "(i)(x(i))\n");
}

TEST_CASE("elements that an inner loop updates count their gaps one by one") {
  const std::string scattered =
      "param n = 7; tensor A(n, n): csr; tensor D(n, n): dcsr; tensor I(n, n): csr i64 fill 2; tensor B(n, n): csr "
      "bool\n"
      "tensor T(n, n, n): {dense, dense, compressed}; tensor x(n); tensor y(n); tensor z(n); tensor t(n): bool\n"
      "tensor s(n): i64; tensor a(n): i64; tensor Y(n, n)\n"
      "random A seed 1 density 0.6 range -2:3; random D seed 2 density 0.2 range -2:3; random I seed 3 density 0.5\n"
      "random B seed 4 density 0.5; random T seed 5 density 0.3 range -2:3; random x seed 6 range -2:3\n";
  int number = 0;
  const std::string program = scattered + "y(i) = max(k)(x(k) * A(k,i))\norder k i\n";
  const std::string flow = shown("flow", program);
  CHECK(has(flow, "lead pA at A.2 below [k]\n"));
  CHECK(has(flow, "if k_seen[i] < n\n"));
  check_agrees(program);
  CHECK(has(shown("flow", scattered + "y(i) = min(k)(D(k,i))\norder k i\n"), "lead pD1 at D.1\n"));
  CHECK(has(shown("flow", scattered + "a(i) = argmax(k)(A(k,i))\norder k i\n"), "if k_gap[i] < n\n"));
  for (const char* equation :
       {"y(i) = min(k)(D(k,i))", "y(i) = min(k)(D(k,i) - A(k,i) + 1)", "s(i) = sum(k)(I(k,i))",
        "s(i) = sum(k)(I(k,i) - 5)", "t(i) = all(k)(B(k,i))", "t(i) = any(k)(A(k,i) < 1)",
        "y(i) = max(k)(A(k,i)) : k < 3", "y(i) = max(k)(A(k,i)) : i < k", "y(i) = max(k)(A(k,i-1)) : 1 <= i",
        "y(i) = max(k)(A(k,i) + x(i))", "y(i) = max(k)(A(k,i))\nz(i) = min(k)(A(k,i))",
        "y(i) = max(k)(A(k,i))\nz(i) = sum(k)(D(k,i))", "a(i) = argmax(k)(A(k,i))", "a(i) = argmin(k)(D(k,i))",
        "a(i) = argmin(k)(A(k,i) + D(k,i))"})
    for (const char* order : {"k i", "k- i", "k i-"}) {
      const int turn = number++;
      if (trellis::randomised::is_taken(turn + turn / 3))
        check_agrees(scattered + equation + "\norder " + order + "\n");
    }
  for (const char* order : {"j k i", "k j i", "k i j"}) {
    check_agrees(scattered + "Y(j,i) = max(k)(T(j,k,i))\norder " + order + "\n");
    check_agrees(scattered + "Y(j,i) = max(k)(A(k,i) * A(j,k))\norder " + order + "\n");
  }
  // None and all of a column stored, and no row at all.
  check_agrees(
      "param n = 2; tensor A(n, n): csr; tensor y(n); fill_with A [[-1, 0], [-2, 0]]\n"
      "y(i) = max(k)(A(k,i))\norder k i\n");
  check_agrees("param n = 0; param m = 3; tensor A(n, m): csr; tensor y(m)\ny(i) = max(k)(A(k,i))\norder k i\n");
}

TEST_CASE("a region is looked up only where its condition holds, and beside what is stored downwards") {
  for (const char* level : {"vbl", "rle", "sparse_rle", "band"})
    check_agrees("param n = 1; tensor a(n): " + std::string(level) +
                 " i64; tensor x(n): i64; fill_with a [4]\nx(i) = (i >= 1 && i >= 0 ? a(i%i) : 3)\norder i-\n");
  check_agrees(
      "param n = 7; tensor D(n, n): {dense, compressed(decreasing)} i32; tensor E(n, n): {vbl, compressed} bool; "
      "tensor y(n): i32\n"
      "random D seed 1 density 0.5; random E seed 2 density 0.4\n"
      "y(i) = sum(j)((E(i,j) ? 2 : D(j,i))) : j < i\norder j i-\n");
}

TEST_CASE("over a run, a sum multiplies and a product raises, in types that cannot hold its length as well") {
  for (const char* type : {"f64", "u8", "i32", "u64"}) {
    CAPTURE(type);
    const std::string program =
        std::string("param n = 256; tensor a(n): rle ") + type + "; tensor p: " + type + "; tensor s: " + type +
        "; random a seed 1 range 2:3\nloops { p = 1; for i { p *= a(i) }\ns = 0; for i { s += a(i) } }\n";
    CHECK_FALSE(has(shown("flow", program), "loop i in i_first"));
    check_agrees(program);
  }
}

TEST_CASE("a run does not go on where 0 becomes -0") {
  for (const char* type : {"f64", "f32"}) {
    CAPTURE(type);
    const std::string of = std::string("(n): ") + type, runs = std::string("(n): rle ") + type + " fill 1";
    check_agrees("param n = 5; tensor b" + of + "; tensor c" + runs + "; tensor d" + of +
                 "\nfill_with b [2, 1, -1, -1, 3]\n" +
                 "loops { for i { c(i) = 0 * b(i) }\nfor i { d(i) = 1 / c(i) } }\n");
  }
}

TEST_CASE("gaps are counted for each iteration of a loop inside, also where that begins below 0") {
  const std::string program =
      "param n = 4\ntensor A(n, n): coo fill 1\ntensor X(n, n+1)\nrandom A seed 1 density 0.5\n"
      "X(i,j+1) = sum(k)(A(i,k))\norder i k j\n";
  const std::string flow = shown("flow", program);
  CHECK(has(flow, "k_seen[n + 1]"));
  CHECK(has(flow, "k_seen[j + 1] += 1"));
  check_agrees_with_formats(program);
}
