// What is right is not refused: updates however they are written, orders of loops that keep to their places, sizes that
// are numbers, and commands about loops of one iteration.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

/// The value after a run that agrees with the reference, or what went wrong.
std::string computed(const std::string& program, const std::string& result) {
  Transcript t;
  const auto answer = t.say(program + "\nrun\ncheck\n");
  return answer.ok() ? t.value(result) : answer.codes;
}

const std::string sum_of_rows = "tensor A(5, 4): i64; random A seed 1 range 0:9; tensor a: i64; tensor y(5): i64\n";

}  // namespace

TEST_CASE("an assignment that updates is an update: its loops change places, and run on threads") {
  const auto within = [](const std::string& statement, const std::string& schedule) {
    return computed(
        sum_of_rows + "kernel f { loops { for i in 0:5 { for j in 0:4 { " + statement + " } } }\n" + schedule + " }",
        "a");
  };
  CHECK(within("a = a + 1", "order j i") == "20");
  CHECK(within("a -= 1", "order j i") == "-20");
  CHECK(within("a = 2 - i + a + j", "order j i") == "30");
  CHECK(within("a = a + 1", "order j i\nparallel j") == "20");
  CHECK(within("a = max(A(i,j), a)", "order j i") == within("a max= A(i,j)", ""));
  for (const char* statement : {"a = 1 - a", "a = a - a", "a = a / 2", "a = a*2 + 1", "a = 3 - (a + i)"})
    CHECK(contains(within(statement, "order j i"), "E0140"));
  CHECK(
      computed(sum_of_rows + "kernel f { loops { for i in 0:5 { for j in 0:4 { y(i) = y(i) + A(i,j) } } }\norder j i }",
               "y") == computed(sum_of_rows + "y(i) = sum(j)(A(i,j))", "y"));
}

TEST_CASE("what is guarded by the value so far stays so") {
  const std::string found =
      "tensor x(4): i64; tensor p(4): i64; fill_with p [1, 2, 9, 9]; fill_with x [0, 5, 0, 0]; tensor f: bool\n"
      "loops { for i in 0:4 { f = f || x(p(i)) == 5 } }";
  CHECK(computed(found, "f") == "true");
}

TEST_CASE("one value from many iterations is no conflict, of different ones the last one stays") {
  const std::string histogram =
      "tensor img(3, 4): i64; tensor h(5): i64; fill_with img [[1, 2, 3, 1], [0, 0, 1, 2], [4, 4, 4, 4]]\n";
  const auto marks = [&](const std::string& value, const std::string& schedule) {
    return computed(histogram + "kernel f { loops { for x in 0:3 { for y in 0:4 { h(img(x,y)) = " + value + " } } }\n" +
                        schedule + " }",
                    "h");
  };
  CHECK(marks("1", "order y x") == "[1 1 1 1 1]");
  CHECK(marks("1", "order y x\nparallel y") == "[1 1 1 1 1]");
  CHECK(contains(marks("x", "order y x"), "E0140"));
  CHECK(contains(marks("x", "parallel x"), "E0107"));
  CHECK(contains(marks("h(0) + 1", "order y x"), "E0140"));
}

TEST_CASE("in place where reads are ahead of writes") {
  const auto shifted = [](const std::string& by, const std::string& where, const std::string& order) {
    return computed("tensor a(5): i64; fill_with a [1, 2, 3, 4, 5]\na[m](i) = a[m-1](" + by + ") + 3 : " + where +
                        ", m < 3\norder " + order + "\ninplace a",
                    "a");
  };
  CHECK(shifted("i+1", "i < 4", "m i") == "[13 14 11 8 5]");
  CHECK(shifted("i+2", "i < 3", "m i") == "[11 7 8 4 5]");
  CHECK(shifted("i-1", "1 <= i", "m i-") == "[1 4 7 10 11]");
  CHECK(contains(shifted("i-1", "1 <= i", "m i"), "E0120"));
  CHECK(contains(shifted("i+1", "i < 4", "m i-"), "E0120"));
}

TEST_CASE("a loop that one buffer puts in order is not run in parallel") {
  const auto answer = Transcript().say(
      "tensor a(5): i64; fill_with a [1, 2, 3, 4, 5]\na[m](i) = a[m-1](i+1) + 3 : i < 4, m < 3\norder m i\ninplace a\n"
      "parallel i\nrun\ncheck\n");
  CHECK(contains(answer.codes, "E0107"));
}

TEST_CASE("orders of a loop program are legal where reorder takes them") {
  Transcript t;
  t.say(
      "param m = 5; param n = 4; tensor A(m, m): i64; tensor C(m, n): i64; random A seed 1\n"
      "kernel f { loops { for i in 0:m { for j in 0:n { tensor t: i64\n for k in 0:i { t += A(i,k) }\n C(i,j) = t } } "
      "} }");
  const auto orders = t.say("orders f");
  CHECK(contains(orders.output, "✓ j i k"));
  CHECK(contains(orders.output, "✗ i k j"));
  CHECK(t.say("order j i k; run f; check f").ok());
}

TEST_CASE("statements beside a loop that stays inside stay beside it") {
  Transcript t;
  t.say(
      "param n = 3; tensor A(n, n): i64; random A seed 1; tensor y(n, n): i64; tensor z(n, n): i64\n"
      "kernel f { loops { for i in 0:n { for j in 0:n { y(i,j) = 1; for k in 0:n { z(i,j) += A(k,j) * y(i,j) } } } "
      "}\norder j i k }");
  CHECK(t.say("run; check").ok());
  const std::string loops = t.say("show loops f").output;
  CHECK(loops.find("i in") == loops.rfind("i in"));  // once
}

TEST_CASE("functions of the user reduce in loops as they do in equations") {
  const std::string gcd =
      "def common(x, y) {\n  x, 0 => abs(x)\n  0, y => abs(y)\n"
      "  x, y => { x = abs(x); y = abs(y); while x != 0 { t = x; x = y % x; y = t }; y }\n"
      "  commutative; associative; identity 0\n}\n"
      "tensor a(2, 3): i64; tensor g: i64; tensor r(2): i64; fill_with a [[12, 18, 30], [8, 20, 6]]\n";
  CHECK(computed(gcd + "g = common(i,j)(a(i,j))", "g") == "2");
  CHECK(computed(gcd + "loops { g = common(i,j)(a(i,j)) }", "g") == "2");
  CHECK(computed(gcd + "loops { for i in 0:2 { r(i) = 1 + common(j < 2)(a(i,j)) } }", "r") == "[7 5]");
  CHECK(computed(gcd + "loops { g = common(j)(common(i)(a(i,j))) }", "g") == "2");
  const auto none = Transcript().say("def f(x, y) { x, y => x + y }; tensor a(3); loops { s = f(i)(a(i)) }; run");
  CHECK(contains(none.codes, "E0239"));
}

TEST_CASE("argmin and argmax over several indices give the position of the first in reading order") {
  const std::string data =
      "tensor A(3, 4); tensor S(3, 4): csr; tensor z: i64; tensor w(3): i64\n"
      "fill_with A [[5, 4, 3, 2], [9, 8, 1, 7], [1, 2, 3, 4]]; fill_with S [[0, 4, 0, 2], [0, 8, 0, 7], [0, 0, 0, "
      "9]]\n";
  CHECK(computed(data + "z = argmin(i,j)(A(i,j))", "z") == "6");
  CHECK(computed(data + "z = argmax(i,j)(S(i,j)*A(i,j))", "z") == "5");
  CHECK(computed(data + "loops { z = argmin(i,j)(A(i,j)) }", "z") == "6");
  CHECK(computed(data + "loops { for r in 0:3 { w(r) = argmin(i,j)(A(i,j)*A(r,j)) } }", "w") ==
        computed(data + "w(r) = argmin(i,j)(A(i,j)*A(r,j))", "w"));
  CHECK(computed(data + "z = argmin(i,j)(i < j ? A(i,j) : inf)", "z") == "6");
  CHECK(contains(computed(data + "z = argmin(i, j, j < i)(A(i,j))", "z"), "E0213"));
  CHECK(contains(computed(data + "loops { z = argmin(i, j, j < i)(A(i,j)) }", "z"), "E0213"));
}

TEST_CASE("a left side of fewer elements says how far its index ranges, whether sizes are numbers or names") {
  const std::string data = "random a seed 1; random b seed 2\n";
  const std::string numbers = "tensor a(12); tensor b(12); tensor r(10)\n" + data;
  const std::string names = "param n = 10; tensor a(n+2); tensor b(n+2); tensor r(n)\n" + data;
  for (const char* equation : {"r(i) = a(i+2)*b(i)", "r(i) = b(i)", "r(i) = a(i) + b(i+1)"})
    CHECK(computed(numbers + equation, "r") == computed(names + equation, "r"));
  CHECK(contains(computed("tensor b(10); tensor r(12); r(i) = b(i)", "r"), "E0301"));
  CHECK(contains(computed("tensor a(10); tensor b(12); r(i) = a(i) + b(i)", "r"), "E0301"));
  CHECK(contains(computed("tensor A(2, 3); tensor x(2); y(i) = sum(j)(A(i,j)*x(j))", "y"), "E0301"));
}

TEST_CASE("commands name loops over dimensions of no and of one element") {
  for (const int n : {0, 1, 2}) {
    const std::string size = std::to_string(n);
    const std::string data = "tensor A(" + size + ", " + size + "): csr; tensor B(" + size + ", " + size +
                             "); tensor C(" + size + ", " + size +
                             "); random A seed 1; random B seed 2; C(i,j) = A(i,j)*B(i,j)\n";
    for (const char* command : {"parallel i", "vectorize j 4", "unroll i 4", "split i into io ii 4", "tile i j 4 4",
                                "skew i j", "reorder j i", "lead A"}) {
      INFO(command, " at ", n);
      const auto answer = Transcript().say(data + command + "\nrun\ncheck\n");
      CHECK(answer.ok());
    }
    const std::string loops = "tensor a(" + size + "): i64; kernel f { loops { for i in 0:" + size +
                              " { for j in 0:" + size + " { a(i) += j } } }\norder j i }\n";
    CHECK(Transcript().say(loops + "run\ncheck\norders f\n").ok());
  }
  CHECK(
      computed("tensor a(1): compressed; tensor b(1); tensor c(1); fill_with a [3]; fill_with b [5]; fill_with c [7]\n"
               "s = sum(j)(a(j)*b(j)*c(j))\nlead a",
               "s") == "105");
}

TEST_CASE("a space may begin with a parenthesis") {
  const std::string program =
      "def f(x, y, z) {\n  x, y, z => (x + y) * z\n  space (x | y) & z\n}\n"
      "tensor a(4): compressed; tensor b(4): compressed; tensor c(4): compressed\n"
      "fill_with a [1, 0, 0, 2]; fill_with b [0, 3, 0, 2]; fill_with c [1, 1, 1, 0]\ntensor r(4)\nr(i) = f(a(i), b(i), "
      "c(i))";
  CHECK(computed(program, "r") == "[1 3 0 0]");
  for (const char* clause : {"f(x, y) = x", "f(x, y) => x"})
    CHECK(contains(Transcript().say("def f(x, y) { " + std::string(clause) + " }").messages(), "a clause reads"));
}
