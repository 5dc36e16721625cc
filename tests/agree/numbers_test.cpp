// Numbers come out as they are written, or it is said that they do not: bounds beyond 64 bits, quotients of parameters,
// integers that are added up, sums in any order, nan and inf.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

std::string codes(const std::string& program) { return Transcript().run(program).codes; }

/// What `print` prints of one tensor, after the program.
std::string printed(const std::string& program, const std::string& name) {
  Transcript t;
  const auto said = t.say(program);
  CHECK_MESSAGE(said.ok(), said.messages());
  return t.value(name);
}

}  // namespace

TEST_CASE("bounds that 64 bits do not hold are refused") {
  CHECK(codes("param n = 9223372036854775807\ntensor y(5)\ny(i) = 1 : i <= n\nrun") == "E0606");
  CHECK(codes("param n = 2305843009213693952\ntensor y(5)\ny(i) = 1 : i < 8*n\nrun") == "E0606");
  CHECK(codes("param n = 3000000000000000000\ntensor y(5)\ny(i) = 1 : 4*n <= i < 5\nrun") == "E0606");
  CHECK(codes("tensor y(5)\ny(i) = 1 : i <= 9223372036854775807\nrun") == "E0606");
  CHECK(codes("param n = 2305843009213693952\ntensor x(5)\ntensor s\ns = sum(k < 8*n)(x(k))\nrun") == "E0606");
  CHECK(codes("param n = 1000000000000000000\ntensor y(5)\ny(i) = 1 : i < 3*n\nrun\ncheck") == "");
  // Values wrap, as they always did.
  CHECK(printed("param n = 4611686018427387904\ntensor y(2): i64\ny(i) = i*n*n\nrun", "y") == "[0 0]");
}

TEST_CASE("a quotient of parameters is a quotient, unless it has to be whole") {
  const std::string step = "tensor u(3)\nfill_with u [1, 1, 1]\nu[t](i) = u[t-1](i) + dt*u[t-1](i) : t < 10\nrun";
  CHECK(printed("param dt = 1/100\n" + step, "u") == "[1.10462 1.10462 1.10462]");
  CHECK(codes("param dt = 1/100\n" + step) == "");
  CHECK(printed("param n = 7\nparam h = n/2", "h") == "3.5");
  CHECK(printed("param n = 8\nparam h = n/2", "h") == "4");
  CHECK(printed("param n = 7\nparam h = n/2\ntensor x(h) : f64 fill 1\ns = sum(i)(x(i))\nrun", "s") == "3");
  CHECK(codes("param n = 7\nparam h = n/2\ntensor x(h)\nx(i) = 1\nrun") == "N0206");
  CHECK(codes("param n = 7\nparam h = n/2\nparam m = h + 1\ntensor x(m)\nx(i) = 1\nrun") == "N0206");
  CHECK(codes("param n = 7\nparam h = n/2\ntensor x(n) : f64 fill 1\ntensor y(n)\ny(i) = x(i) : i < h") == "N0206");
  CHECK(codes("param n = 7\nparam h = n/2\ntensor x(n) : f64 fill 1\ntensor y\ny = x(h)") == "N0206");
  CHECK(codes("param n = 7\nparam h = n/2\ntensor x(n)\nloops { for i in 0:h { x(i) = 1 } }") == "N0206");
  CHECK(codes("param n = 7\nparam h = floor(n/2)\ntensor x(h)") == "");
  CHECK(codes("param n = 8\nparam h = n/2\ntensor x(h)") == "");
}

TEST_CASE("integers are added up in 64 bits, and meet in a type that holds both") {
  const std::string image = "tensor I(4, 4): u8 fill 200\n";
  CHECK(printed(image + "s = sum(i,j)(I(i,j))\nrun", "s") == "3200");
  CHECK(printed(image + "s = sum(i,j)(I(i,j)) / 16\nrun", "s") == "200");
  CHECK(printed(image + "tensor m(4): u8\nm(i) = sum(j)(I(i,j)) / 4\nrun", "m") == "[200 200 200 200]");
  CHECK(printed(image + "tensor w: u8\nw = sum(i,j)(I(i,j))\nrun", "w") == "128");
  CHECK(printed(image + "d(i,j) = I(i,j) - 201\nrun", "sum(i,j)(d(i,j))") == "-16");
  CHECK(printed("tensor a(3): i16 fill 300\ntensor b(3): i32 fill 70000\nc(i) = a(i)*b(i)\nrun", "c") ==
        "[21000000 21000000 21000000]");
  CHECK(printed("tensor a(3): u8 fill 255\ntensor b(3): i16 fill -1\ntensor c(3): i32\nc(i) = a(i) + b(i)\nrun", "c") ==
        "[254 254 254]");
  CHECK(printed("tensor a(3): u32 fill 4000000000\ntensor s: i64\nloops { for i { s += a(i) } }\nrun", "s") ==
        "12000000000");
  CHECK(codes("tensor a(3): i64\ntensor c(3): i32\nc(i) = a(i)") == "E0220");
  CHECK(codes("tensor a(3): u64\ntensor b(3): i64\nc(i) = a(i) + b(i)") == "E0220");
  CHECK(codes("tensor a(3): u8 fill 1\ntensor b(3): u64 fill 1\nc(i) = sum(j)(a(j)) + b(i)\nrun\ncheck") == "N0201");
}

TEST_CASE("a sum of f32 is compared within what its order explains, and how far it is off is said") {
  const std::string ones = "param n = 18000000\ntensor v(n): f32 fill 1\ntensor t: f32\nt = sum(i)(v(i))\norder i\n";
  const auto vectors = Transcript().run(ones + "vectorize i 16\nrun\ncheck");
  CHECK_MESSAGE(vectors.ok(), vectors.output);
  CHECK(vectors.codes == "N0607");
  CHECK(codes("tensor v(1000): f32 fill 1\ntensor t: f32\nt = sum(i)(v(i))\nrun") == "");
}

TEST_CASE("nan and inf that a kernel makes are said, with the first place") {
  const std::string x = "tensor x(3)\nfill_with x [1, 0, 2]\ntensor y(3)\n";
  const auto divided = Transcript().run(x + "y(i) = 1/x(i)\nrun");
  CHECK(divided.codes == "W0605");
  CHECK(testing::contains(divided.messages(), "y(1) is inf"));
  CHECK(codes(x + "y(i) = x(i) > 0 ? x(i) : inf\nrun") == "");
  CHECK(codes(x + "y(i) = min(j < i)(x(j))\nrun") == "");
  CHECK(codes("tensor x(3): fill inf\ntensor y(3)\ny(i) = x(i) + 1\nrun") == "");
  const std::string steps =
      "tensor u(3)\nfill_with u [1, 2, 3]\nu[t](i) = 1e200*u[t-1](i) - 1e200*u[t-1](i)*u[t-1](i) : t < 50\n";
  const auto diverged = Transcript().run(steps + "until max(i)(abs(u[t](i) - u[t-1](i))) < 1e-9\nrun");
  CHECK(diverged.codes == "W0605");
  CHECK(testing::contains(diverged.messages(), "diverged"));
}

TEST_CASE("a narrow result that did not hold its value is said, with the first place") {
  const auto wide = Transcript().run("tensor I(4): u8 fill 200\ntensor s: u8\ns = sum(i)(I(i))\nrun\ncheck");
  CHECK(wide.codes == "W0606 W0606");
  CHECK(testing::contains(wide.messages(), "800 became 32 as u8"));
  CHECK(codes("tensor I(4): u8 fill 200\ntensor s: u8\ns = u8(sum(i)(I(i)))\nrun\ncheck") == "");
  CHECK(codes("tensor I(4): u8 fill 200\ntensor c(4): u8\nc(i) = (I(i) + I(i)) / 2\nrun") == "W0606");
  CHECK(codes("tensor I(4): u8 fill 200\ntensor c(4): u8\nc(i) = min(I(i), 7)\nrun\ncheck") == "");
  CHECK(codes("tensor a(4): i16 fill 20\ntensor c(4): i16\nc(i) = a(i) * a(i)\nrun\ncheck") == "");
  CHECK(codes("param n = 3000\ntensor H(n): i16\nH(i) = H(i-1) + 20 : 1 <= i\nH(0) = 0\nrun") == "W0606");
  CHECK(
      codes(
          "param n = 400\ntensor H(n, n): i16\nH(i,j) = H(i-1,j) + H(i,j-1) - H(i-1,j-1) + 1 : 1 <= i, 1 <= j\nrun") ==
      "W0606");
}

TEST_CASE("a window over an image of bytes adds up to more than a byte, with the fix that is offered, too") {
  const auto blurred = [](const std::string& type) {
    return "tensor I(4, 5): u8 fill 200\ntensor B(2, 3): " + type +
           "\nB(i,j) = sum(di,dj)(I(i+di,j+dj)) / 9 : 0 <= di, di < 3, 0 <= dj, dj < 3\n";
  };
  for (const char* type : {"u8", "i32", "i64"})
    CHECK(printed(blurred(type) + "run\ncheck", "B") == "[[200 200 200]\n     [200 200 200]]");
  for (const char* fix : {"fix 1", "fix 2"}) {
    Transcript t;
    t.enter({"tensor I(4, 5): u8 fill 200", "tensor B(2, 3): f64"});
    const std::string equation = "B(i,j) = sum(di,dj)(I(i+di,j+dj)) / 9 : 0 <= di, di < 3, 0 <= dj, dj < 3";
    CHECK(t.enter({equation, "show equations"}).codes.starts_with("E0220"));
    CHECK(t.enter({fix, "run", "check"}).ok());
    CHECK(t.value("B") == "[[200 200 200]\n     [200 200 200]]");
  }
}

TEST_CASE("scores of an alignment that fall below what their type holds are said to do so") {
  const auto aligned = [](const std::string& type) {
    return "param n = 120\ntensor a(n): u8\ntensor b(n): u8 fill 9\nrandom a seed 1 range 0:4\n"
           "tensor H(n+1, n+1): " +
           type +
           "\nH(i,0) = -330*i\nH(0,j) = -330*j : 1 <= j\n"
           "H(i,j) = max(H(i-1,j-1) + (a(i-1) == b(j-1) ? 1 : -330), max(H(i-1,j), H(i,j-1)) - 330) : 1 <= i, 1 <= j\n";
  };
  const auto narrow = Transcript().run(aligned("i16") + "run\ncheck");
  CHECK(narrow.codes == "W0606 W0606");
  CHECK(printed(aligned("i32") + "run\ncheck", "H(n,n)") == "-39600");
}

TEST_CASE("a 0 with a sign keeps it, whether it is stored or the fill's neighbour") {
  const testing::Folder folder;
  const std::string file =
      folder.file("v.mtx", "%%MatrixMarket matrix coordinate real general\n4 1 2\n1 1 -0\n2 1 0\n");
  for (const char* format : {"compressed", "dense", "hashed", "compressed(unordered)"}) {
    CAPTURE(format);
    CHECK(printed("tensor v(4): " + std::string(format) + "\nload v \"" + file +
                      "\"\nkernel k { v(3) = 7 }\ntensor q(4)\nkernel l { q(i) = 1 / v(i) }\nrun",
                  "q") == "[-inf inf inf 0.142857]");
  }
}
