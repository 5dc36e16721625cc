// Sizes, coordinates and counts beyond 32 bits: computed in 64, or refused; never anything else.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

/// A matrix and a vector of 2^40 with a few entries, in files.
class Far {
 public:
  Far() {
    folder_.file("A.tns", "1 1 1.5\n1099511627776 3 2.5\n5 1099511627776 4\n7 9 1\n1099511627776 1099511627776 8\n");
    folder_.file("x.tns", "1 2\n3 5\n9 1\n1099511627776 3\n");
  }
  std::string program(const std::string& format) const {
    return "param n = 1099511627776; tensor A(n, n): " + format + "; tensor x(n): {compressed}; load A \"" +
           (folder_ / "A.tns") + "\"; load x \"" + (folder_ / "x.tns") + "\"\n";
  }

 private:
  testing::Folder folder_;
};

}  // namespace

TEST_CASE("five entries of a matrix of 2^40 rows and columns are loaded, multiplied, transposed and printed") {
  const Far far;
  for (const char* format : {"dcsr", "coo", "{compressed, compressed} @ (1, 0)", "{hashed, hashed}",
                             "{compressed(decreasing), compressed}", "{compressed, hashed}"}) {
    CAPTURE(format);
    Transcript t;
    const auto ran = t.say(far.program(format) +
                           "tensor y(n): {compressed}; tensor B(n, n): dcsr; tensor s\n"
                           "kernel total { s = sum(i,j)(A(i,j)) }\nkernel product { y(i) = sum(j)(A(i,j) * x(j)) "
                           "}\nkernel turned { B(i,j) = 2*A(j,i) }\nrun");
    REQUIRE_MESSAGE(ran.ok(), ran.messages());
    CHECK(t.value("s") == "17");
    const std::string y = t.say("print y").output;
    for (const char* entry : {"4 entries", "(0)  3\n", "(4)  12\n", "(6)  1\n", "(1099511627775)  36.5\n"})
      CHECK_MESSAGE(contains(y, entry), y);
    const std::string b = t.say("print B").output;
    for (const char* entry : {"5 entries", "(0,0)  3\n", "(2,1099511627775)  5\n", "(8,6)  2\n",
                              "(1099511627775,4)  8\n", "(1099511627775,1099511627775)  16\n"})
      CHECK_MESSAGE(contains(b, entry), b);
  }
}

TEST_CASE("a matrix of 2^40 rows is converted between sparse formats") {
  const Far far;
  Transcript t;
  REQUIRE(t.say(far.program("coo")).ok());
  for (const char* format : {"dcsr", "dcsc", "{hashed, compressed}", "coo"}) {
    REQUIRE(t.say(std::string("format A ") + format).ok());
    const std::string a = t.say("print A").output;
    for (const char* entry : {"5 entries", "(0,0)  1.5\n", "(4,1099511627775)  4\n", "(6,8)  1\n",
                              "(1099511627775,2)  2.5\n", "(1099511627775,1099511627775)  8\n"})
      CHECK_MESSAGE(contains(a, entry), a);
  }
}

TEST_CASE("what needs more memory than there is is refused before it is asked for") {
  const Far far;
  const auto codes = [](const std::string& program) { return Transcript().say(program).codes; };
  CHECK(codes("param n = 4294967296; tensor A(n, n); tensor s; s = sum(i,j)(A(i,j))\nrun") == "E0410");
  for (const char* format : {"csr", "{bytemap, compressed}", "{compressed, dense}", "{compressed, dense} fill 1",
                             "{hashed, dense}", "{dense, hashed}"}) {
    CAPTURE(format);
    CHECK(codes(far.program(format)) == "E0410");
  }
  Transcript t;
  REQUIRE(t.say(far.program("coo")).ok());
  for (const char* format : {"dense", "csr"})
    CHECK(t.say(std::string("format A ") + format + "\nprint A").codes == "E0410");
  CHECK(t.say("format A {compressed, dense}\nprint A").codes == "E0410");
  CHECK(contains(t.say("format A coo\nprint A").output, "5 entries"));
  CHECK(codes("param n = 2147483648; tensor A(n, n): dcsr; random A seed 1 spd density 0.000000000000000001") ==
        "E0410");
  CHECK(codes("param n = 1099511627776; tensor A(n, n): dcsr; random A seed 1 density 0.000000000000000000000005") ==
        "E0415");
}

TEST_CASE("sizes that 64 bits do not hold are errors") {
  const auto codes = [](const std::string& program) { return Transcript().say(program).codes; };
  CHECK(codes("param n = 4611686018427387904; tensor b(2*n): {compressed}; b(i) = 3 : i < 4\nrun") == "E0606");
  CHECK(codes("param n = 9223372036854775807; tensor b(n+1): {compressed}; random b seed 1") == "E0606");
  CHECK(codes("param n = 9223372036854775807; tensor b(n+1); fill_with b [1, 2]") == "E0606");
  CHECK(codes("tensor b(4000000000*4000000000): {compressed}") == "E0222");
  CHECK(codes("param n = 4000000000*4000000000") == "E0222");
  CHECK(codes("param n = 2^63") == "E0222");
  CHECK(codes("param n = 9223372036854775807 + 1") == "E0222");
  CHECK(codes("param n = 3037000499*3037000499") == "");
}

TEST_CASE("sizes that agree as numbers only are accepted, and the certificate says so") {
  Transcript t;
  const std::string head = "param m = 30; param k = 60; tensor x(k); tensor y(m); random x seed 1\n";
  CHECK(t.say(head + "y(i) = x(i(0:60:2))\nrun\ncheck").codes == "");
  CHECK(contains(t.say("show placement").output, "certified for m = 30: "));
  CHECK(contains(t.say("split i into io ii 4\nshow schedule").output, "   # certified for m = 30: "));
  // Proven anew, and refused, when the number is another one.
  CHECK(t.enter({"param m = 31"}).codes == "E0301");
  CHECK(t.say("run\ncheck").codes == "");
  Transcript names;
  CHECK(names
            .say("param n = 4; param m = 4; tensor x(m); tensor y(n); tensor z(n); random x seed 1; random y seed "
                 "2\nz(i) = x(i) + y(i)\nrun\ncheck")
            .codes == "");
  CHECK(contains(names.say("show placement").output, "certified for n = m: "));
  CHECK(contains(Transcript().say("param n = 4; tensor x(n); y(i) = x(i)\nshow placement").output,
                 "certified for all sizes: "));
  CHECK(Transcript().say("tensor x(m); tensor z(n); z(i) = x(i)").codes == "E0301");
}

TEST_CASE("left sides with parameters, and shorter operands under a constraint") {
  Transcript t;
  const std::string program = "param m = 3; param n = 7; tensor y(n); tensor x(4); fill_with x [1, 2, 3, 4]\n";
  CHECK(t.say(program + "y(m+i) = x(i) : m + i < n; y(i) = -1 : i < m\nrun\ncheck").codes == "");
  CHECK(t.value("y") == "[-1 -1 -1 1 2 3 4]");
  CHECK(Transcript().say("param m = 3; tensor x(4); random x seed 1; y(2*m+i-1) = x(i)\nrun\ncheck\nprint y").ok());
  CHECK(Transcript().say("param m = 3; tensor x(4); y(m*i) = x(i)").codes == "E0210");
  CHECK(Transcript().say("param m = 3; tensor x(4); y[m+t](i) = y[t](i) : t < 3").codes.find("E0210") !=
        std::string::npos);
  // A(l) and A(l+0) behave alike.
  const std::string longer = "tensor A(4); tensor r(6); fill_with A [1, 2, 3, 4]\n";
  for (const char* index : {"l", "l+0"}) {
    Transcript s;
    CHECK(s.say(longer + "r(l) = A(" + index + ") : l < 4\nrun\ncheck").codes == "");
    CHECK(s.value("r") == "[1 2 3 4 0 0]");
    CHECK(Transcript().say(longer + "r(l) = A(" + index + ") : l < 5\nrun").codes == "E0104");
    CHECK_FALSE(Transcript().say(longer + "r(l) = A(" + index + ")\nrun").ok());
  }
  const auto refused = Transcript().say(longer + "r(l) = A(l)");
  CHECK(refused.codes == "E0301");
  CHECK(refused.replies.back().diagnostics.all().back().instance_text == "at l=4 there is no coordinate 4 in A");
}
