// Entries and rows whose index may be out of range: looked up and fetched only where they are read.
#include <nlohmann/json.hpp>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis::testing;

namespace {

const std::string indexed =
    "param n = 6; tensor a(n); tensor b(n); tensor p(n): i64; tensor Z(n): {compressed}\n"
    "fill_with a [3, 1, 4, 1, 5, 9]; fill_with b [2, 7, 1, 8, 2, 8]; fill_with p [1, 3, 0, 5, 4, 2]; random Z seed 1 "
    "density 0.6\n";

const std::string rows =
    "param n = 4; tensor A(n, n): csr; tensor b(n); tensor p(n): i64; tensor y(n)\n"
    "random A seed 1 density 0.6; fill_with b [1, 0, 2, 3]; fill_with p [-5, 1, 3, 0]\n";

}  // namespace

TEST_CASE("an entry that is read under two conditions is looked up where either holds") {
  const std::string program = indexed + "x(i) = (a(i) < 2 ? Z(p(i)) : 1) + (b(i) < 2 ? Z(p(i)) : 2)\norder i\n";
  CHECK(has(shown("flow", program), "locate pZ = find Z.1 at p[i] checked if a[i] < 2 || b[i] < 2"));
  check_agrees(program);
}

TEST_CASE("a condition that depends on an entry decides whether it is read again") {
  check_agrees(indexed + "x(i) = a(i) - Z(i) < (b(i) < a(i) ? b(i) : Z(p(i))) ? a(i) : Z(p(i))\norder i\n");
  check_agrees(indexed + "x(i) = (a(i) < b(i) ? Z(p(i)) : 0) < 1 ? 4 : Z(p(i))\norder i\n");
}

TEST_CASE("where no condition holds the index may be out of range") {
  check_agrees(indexed +
               "x(i) = (i < 2 ? Z(4 - 3 * p(i) % 4 + 100 * (i / 2)) : 1) + (i == 1 ? Z(4 - 3 * p(i) % 4 + 100 * (i / "
               "2)) : 2)\norder i\n");
}

TEST_CASE("a row is fetched where it is there, even if the loop that would go along it runs nowhere") {
  const std::string program = rows + "y(i) = 7 + sum(k)(A(i-1,k)) : k < i\norder i k\n";
  CHECK(has(shown("flow", program), "lead pA at A.2 below [i - 1] if 0 <= i - 1"));
  check_agrees(program);
  const std::string above = rows + "y(i) = 7 + sum(k)(A(i+1,k)) : k > i\norder i k\n";
  CHECK(has(shown("flow", above), "lead pA at A.2 below [i + 1] if i + 1 < n"));
  check_agrees(above);
  const std::string inner =
      rows + "tensor B(n, n); random B seed 2\ny(i) = sum(k,l)(A(i-1,l) * B(k,l)) : k < i\norder i l k\n";
  CHECK(has(shown("flow", inner), "below [i - 1] if 0 <= i - 1"));
  check_agrees(inner);
}

TEST_CASE("a row's index is not worked out where no loop reads the row") {
  const std::string inner =
      rows + "tensor B(n, n); random B seed 2\ny(i) = sum(k,l)(A(p(i),l) * B(k,l)) : k < i\norder i l k\n";
  CHECK(has(shown("flow", inner), "below [p[i] checked] if 0 < n && 0 < i\n"));
  check_agrees(inner);
  const std::string named = rows + "loops { for i in 0:n { let j = p(i) { for k in 0:i { y(i) += A(j,k) } } } }\n";
  CHECK(has(shown("flow", named), "below [i64(j) checked] if 0 < i"));
  check_agrees(named);
}

TEST_CASE("a row is walked under conditions that are known before it") {
  const std::string program = rows + "y(i) = sum(k)(p(i) >= 0 ? A(p(i),k) * b(k) : 0)\norder i k\n";
  CHECK(has(shown("flow", program), "lead pA at A.2 below [p[i] checked] if 0 < n && p[i] >= 0\n"));
  check_agrees(program);
  const std::string nested = rows +
                             "loops { for i in 0:n { let j = p(i) { for k in 0:n { if b(i) > 1 { y(i) += 1; if b(j) > "
                             "0 { y(i) += A(j,k) } } } } } }\n";
  CHECK(has(shown("flow", nested), "below [i64(j) checked] if 0 < n && (b[i] > 1 && b[i64(j) checked] > 0)\n"));
  check_agrees(nested);
  const std::string proven = rows +
                             "loops { for i in 0:n { let j = p(i) { if 0 <= j && j < n { for k in 0:n { if b(k) > 0 { "
                             "y(i) += A(j,k) } } } } } }\n";
  CHECK(has(shown("flow", proven), "lead pA at A.2 below [j]"));
  check_agrees(proven);
}

TEST_CASE("a row whose index may only be worked out under a later condition is not walked") {
  const std::string program =
      rows + "loops { for i in 0:n { let j = p(i) { for k in 0:n { if b(i) * b(k) > 9 { y(i) += A(j,k) } } } } }\n";
  CHECK(has(shown("algebra", program), "has an index that may be out of range where it is not read"));
  check_agrees(program);
}

TEST_CASE("an index is out of range where the condition in front of the read holds") {
  const auto ending = [](const std::string& program) {
    return has(Transcript().say(program + "\nrun").codes, "E0502") ? "stopped" : "ran";
  };
  const std::string entry = indexed + "fill_with p [1, 9, 0, 5, 4, 2]\nX(i) = any(j)(a(i) < 2 && Z(p(i)) > b(j))\n";
  const std::string row = rows + "X(i) = any(j)(b(j) > 2 && A(p(i),j) > 0)\n";
  for (const std::string order : {"order i j", "order j i", "order j- i-"}) {
    CAPTURE(order);
    CHECK(ending(entry + order) == std::string("stopped"));
    CHECK(ending(entry + "fill_with a [3, 3, 3, 3, 3, 3]\n" + order) == std::string("ran"));
    CHECK(ending(row + order) == std::string("stopped"));
    CHECK(ending(row + "fill_with b [1, 0, 2, 2]\n" + order) == std::string("ran"));
  }
}

TEST_CASE("what is missing decides a product, and its other operand is asked for errors all the same") {
  const std::string program =
      "param n = 3; tensor B(n); tensor p(n): i64; tensor D(n, n): {compressed, dense}; tensor C(n, n): {dense, "
      "compressed} bool\n"
      "fill_with B [1, 2, 3]; fill_with p [2, 0, 1]; fill_with D [[0, 0, 0], [1, 2, 3], [0, 0, 0]]\n";
  const std::string product = "tensor X(n, n); X(j,l) = B(p(l)) * min(i)(D(i,l)) * D(j,l) : i < j\norder l i j\n";
  CHECK(has(shown("flow", program + product),
            "X[j][l] = pD1_here >= 0 ? B[p[l] checked] * tX[j] * D[pD1_here][l] : (B[p[l] checked] * tX[j]; 0)"));
  check_agrees_with_formats(program + product);
  // An empty minimum is infinite, and nothing of C is stored.
  check_agrees_with_formats(program +
                            "param m = 0\ntensor A(m, n)\nx(i) = min(j)(A(j,i)) * f64(C(p(i),i))\norder j i\n");
  Transcript t;
  REQUIRE(t.say(program + "fill_with p [2, 7, 1]\n" + product).ok());
  CHECK(t.say("run").codes.ends_with("E0502"));
}
