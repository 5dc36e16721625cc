// How tensors are stored: formats as declared, and as `format` changes them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string two_rows = "tensor A(2, 3); fill_with A [[1, 2, 3], [4, 5, 6]]; y(i) = sum(j)(A(i,j))\n";

}  // namespace

TEST_CASE("format lays out anew what a tensor holds") {
  Transcript t;
  REQUIRE(t.say(two_rows + "run").ok());
  REQUIRE(t.say("format A @ (1, 0)").ok());
  CHECK(t.value("A") == "[[1 2 3]\n     [4 5 6]]");
  CHECK(t.say("show memory").output.find("A: operand, (2, 3) f64, stored @ (1, 0)") != std::string::npos);
  REQUIRE(t.say("run").ok());
  CHECK(t.value("y") == "[6 15]");
  REQUIRE(t.say("undo 2").ok());
  CHECK(t.value("A") == "[[1 2 3]\n     [4 5 6]]");
  CHECK(t.say("show memory").output.find("A: operand, (2, 3) f64, last index fastest") != std::string::npos);
}

TEST_CASE("a format command that is refused changes nothing") {
  Transcript t;
  REQUIRE(t.say(two_rows).ok());
  for (const char* command :
       {"format A", "format B csr", "format A {dense}", "format A csr csc", "format A fancy", "format A bcsr"})
    CHECK_MESSAGE(!t.say(command).ok(), command);
  CHECK(t.say("run").ok());
  CHECK(t.value("y") == "[6 15]");
}

TEST_CASE("show formats: of a tensor, a layout or a kernel, or it says that there is none") {
  Transcript t;
  REQUIRE(t.say("kernel rows { y(i) = 1 : i < 2 }\ntensor Abc(2, 3): csr").ok());
  CHECK(t.say("show formats Abc").output.find("numbers are places among the values") != std::string::npos);
  CHECK(t.say("show formats rows").ok());
  CHECK(t.say("show formats dia").output == "layout dia: (i, j) -> (j-i, i) {compressed, dense}\n");
  const testing::Answer none = t.say("show formats Abd");
  CHECK(none.codes.find("E0615") != std::string::npos);
  CHECK(none.messages().find("did you mean `Abc`?") != std::string::npos);
}

TEST_CASE("a tensor is laid out anew in any format, and keeps its elements") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 3): csr; fill_with A [[1, 0, 2], [0, 0, 0], [3, 4, 0]]").ok());
  CHECK(t.value("A") == "csr 3 x 3, 4 entries\n  (0,0)  1\n  (0,2)  2\n  (2,0)  3\n  (2,1)  4");
  REQUIRE(t.say("format A csc").ok());
  CHECK(t.value("A") == "csc 3 x 3, 4 entries\n  (0,0)  1\n  (2,0)  3\n  (2,1)  4\n  (0,2)  2");
  for (const char* format :
       {"coo", "dcsr", "{dense, hashed}", "{compressed, bytemap} @ (1, 0)", "{dense, compressed(decreasing)}", "dense"})
    REQUIRE_MESSAGE(t.say("format A " + std::string(format)).ok(), format);
  CHECK(t.value("A") == "[[1 0 2]\n     [0 0 0]\n     [3 4 0]]");
  REQUIRE(t.say("undo").ok());
  CHECK(t.say("print A").json.at(0)["format"] == "{dense, compressed(decreasing)}");
}

TEST_CASE("a kernel goes on from what a sparse result holds") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 3): csr; fill_with A [[1, 0, 2], [0, 0, 0], [3, 4, 0]]\n"
                "kernel upper { A(i,j) = 9 : i < j }\n"
                "kernel more { loops { for i { A(i,i) += 1 } } }\nrun")
              .ok());
  CHECK(t.value("A") ==
        "csr 3 x 3, 8 entries\n  (0,0)  2\n  (0,1)  9\n  (0,2)  9\n  (1,1)  1\n  (1,2)  9\n  (2,0)  3\n  (2,1)  4\n  "
        "(2,2)  1");
  CHECK(t.say("check").ok());
  CHECK(t.say("time more 3").ok());
  for (const char* format :
       {"coo", "{compressed, dense} @ (1, 0)", "{hashed, bytemap}", "{dense, compressed(decreasing)}"}) {
    REQUIRE(t.say("format A " + std::string(format) +
                  "; fill_with A [[1, 0, 2], [0, 0, 0], [3, 4, 0]]; run; format A dense")
                .ok());
    CHECK(t.value("A") == "[[2 9 9]\n     [0 1 9]\n     [3 4 1]]");
  }
}

TEST_CASE("show formats says how tensors are stored, and what they hold") {
  Transcript t;
  REQUIRE(t.say("tensor A(4, 4): csr; tensor v(4): hashed(wide) f32 fill inf; tensor S(4, 4): {dense, compressed, "
                "pattern} @ (1, 0) bool; tensor x(4)\n"
                "fill_with A [[1, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0], [3, 4, 0, 0]]")
              .ok());
  const auto answer = t.say("show formats");
  REQUIRE(answer.ok());
  CHECK(answer.output.starts_with("A(4, 4): csr f64, 4 entries of 16 (25 %), "));
  CHECK(answer.output.find("\n  dimension 0  dense       every coordinate, found at once\n"
                           "  dimension 1  compressed  stored coordinates in rising order, found by bisection; pos 20 "
                           "bytes, crd 16 bytes\n") != std::string::npos);
  CHECK(answer.output.find("v(4): hashed(wide) f32 fill inf, at its fill\n"
                           "  dimension 0  hashed(wide)  stored coordinates in rising order, found by hashing, 64-bit; "
                           "pos, crd, table\n") != std::string::npos);
  CHECK(answer.output.find("S(4, 4): {dense, compressed, pattern} @ (1, 0) bool, at its fill\n  dimension 1  dense") !=
        std::string::npos);
  CHECK(answer.output.find("x(4): dense f64, at its fill\n") != std::string::npos);
  const auto model = answer.last("show")["model"]["tensors"];
  CHECK(model[0]["entries"] == 4);
  CHECK(model[0]["density"] == 0.25);
  CHECK(model[0]["levels"][1]["locate"] == "binary");
  CHECK(model[1]["levels"][0]["wide"] == true);
  CHECK(!model[1].contains("entries"));
  CHECK(model[0]["levels"][1]["arrays"]["pos"] == 20);
  CHECK(model[0]["levels"][1]["arrays"]["crd"] == 16);
  CHECK(model[1]["levels"][0]["arrays"]["table"].is_null());
  CHECK(t.say("show formats nowhere").codes == "E0615");
}

TEST_CASE("tensors of runs, blocks and single entries are laid out, printed and refused what they cannot hold") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 4): csr; fill_with A [[0, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 1]]").ok());
  const std::string entries = " 3 x 4, 3 entries\n  (0,1)  2\n  (0,2)  2\n  (2,3)  1";
  for (const std::string format : {"{dense, rle}", "{rle, dense}", "{sparse_rle, sparse_rle}", "{dense, interval}",
                                   "{compressed, vbl}", "{dense, band}"}) {
    REQUIRE_MESSAGE(t.say("format A " + format).ok(), format);
    CHECK(t.value("A") == format + entries);
  }
  CHECK(t.say("show formats")
            .output.find("dimension 1  band   at most one block for each entry above, found by one comparison; end 12 "
                         "bytes, ofs 16 bytes\n") != std::string::npos);
  REQUIRE(t.say("format A {dense, pinpoint}").ok());
  const auto refused = t.say("print A");
  CHECK(refused.codes == "E0206");
  CHECK(
      refused.messages().find(
          "{dense, pinpoint} has no room for element (0,2): `pinpoint` holds one coordinate for each entry above it") !=
      std::string::npos);
  REQUIRE(t.say("format A {dense, interval}").ok());
  CHECK(t.value("A") == "{dense, interval}" + entries);
}

TEST_CASE("kernels read and write runs, blocks and single entries") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 4): {dense, vbl}; fill_with A [[0, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 1]]; y(i) = "
                "sum(j)(A(i,j))")
              .ok());
  for (const std::string format : {"{dense, vbl}", "{dense, rle}", "{dense, sparse_rle}", "{dense, interval}",
                                   "{dense, band}", "{rle, dense}", "csr"}) {
    CAPTURE(format);
    REQUIRE(t.say("format A " + format + "; run").ok());
    CHECK(t.value("y") == "[4 0 1]");
  }
  REQUIRE(t.say("reset\ntensor R(2): rle; loops { for i { R(i) = 1 } }\nrun").ok());
  CHECK(t.value("R") == "rle 2, 2 entries\n  (0)  1\n  (1)  1");
}

TEST_CASE("a result that its level has no room for is refused, and the element is named") {
  Transcript t;
  REQUIRE(t.say("tensor a(4)\nfill_with a [2, 2, 0, 5]\ntensor b(4): interval\nb(i) = a(i)").ok());
  const auto refused = t.say("run");
  CHECK(refused.codes.ends_with("E0206"));
  CHECK(refused.messages().find("interval has no room for element (3): `interval` holds one run of equal values") !=
        std::string::npos);
  REQUIRE(t.say("fill_with a [2, 2, 0, 0]\nrun").ok());
  CHECK(t.value("b") == "interval 4, 2 entries\n  (0)  2\n  (1)  2");
}

TEST_CASE("random draws runs, blocks and bands where the format has them, and the same for one seed") {
  Transcript t;
  for (const std::string format : {"{dense, rle}", "{sparse_rle, dense}", "{dense, interval}", "{dense, vbl}",
                                   "{dense, band}", "{compressed, pinpoint}"}) {
    CAPTURE(format);
    REQUIRE(t.say("reset\ntensor A(40, 30): " + format + "; random A seed 3 density 0.4").ok());
    const std::string first = t.value("A");
    CHECK(first.find(", 0 entries") == std::string::npos);
    REQUIRE(t.say("random A seed 3 density 0.4").ok());
    CHECK(t.value("A") == first);
    REQUIRE(t.say("random A seed 4 density 0.4").ok());
    CHECK(t.value("A") != first);
  }
}

TEST_CASE("sizes that data brings along make levels wide") {
  Transcript t;
  REQUIRE(t.say("tensor x(n): compressed; tensor y(n)\nparam n = 3000000000").ok());
  CHECK(t.value("x") == "compressed(wide) 3000000000, 0 entries");
}

TEST_CASE("every level and format explains itself") {
  Transcript t;
  for (const char* name : {"formats", "csr", "hashed", "wide", "pattern", "regions", "rle", "sparse_rle", "interval",
                           "vbl", "band", "pinpoint", "bcsr"}) {
    const auto answer = t.say("help " + std::string(name));
    REQUIRE_MESSAGE(answer.ok(), name);
    CHECK(answer.output.find("```") == std::string::npos);
  }
  CHECK(t.say("help formats").output.find("    tensor A(n, n): csr") != std::string::npos);
}

TEST_CASE("show formats says what is looked up, and what would walk it") {
  Transcript t;
  REQUIRE(t.say("param n = 6; tensor A(n, n): csr; tensor x(n); tensor y(n); tensor d(n)\n"
                "kernel product { y(i) = sum(j)(A(i,j) * x(j)); order j i }\nkernel diagonal { d(i) = A(i,i) }")
              .ok());
  const auto answer = t.say("show formats");
  const std::string walked =
      "kernel product\n  A(i,j) is found by bisection for each (j,i), against its storage; `order i j` (1.0×) or "
      "`format A csc` (";
  CHECK(answer.output.find(walked) != std::string::npos);
  CHECK(answer.output.find("×) would walk it, now ") != std::string::npos);
  CHECK(answer.output.find("kernel diagonal\n  A(i,i) is found by bisection for each i\n") != std::string::npos);
  CHECK(answer.last("show")["model"]["kernels"][0]["looked_up"].size() == 1);
  REQUIRE(t.say("format A csc").ok());
  CHECK(t.say("show formats product").output.find("kernel") == std::string::npos);
}

TEST_CASE("a kernel that walks against storage is warned of once, with fixes that walk") {
  const std::string program =
      "param n = 6; tensor A(n, n): csr; tensor x(n); tensor y(n); random A seed 1 density 0.4; random x\n"
      "kernel product { y(i) = sum(j)(A(i,j) * x(j)); order j i }\n";
  for (const char* fix : {"fix 1", "fix 2", "fix 3"}) {
    Transcript t;
    REQUIRE(t.say(program).ok());
    const auto ran = t.say("run");
    CHECK(ran.ok());
    CHECK(ran.codes == "W0210");
    const auto warning = ran.last("run")["diagnostics"][0];
    CHECK(warning["severity"] == "warning");
    CHECK(warning["line"] == 2);
    CHECK(warning["extent"].get<std::string>().starts_with("36 searches for "));
    CHECK(warning["fixes"].size() == 3);
    CHECK(t.say("run").codes == "");
    REQUIRE(t.say(fix).ok());
    CHECK(t.say("show formats").output.find("bisection for each") == std::string::npos);
    CHECK(t.say("run\ncheck").codes == "");
  }
  Transcript dense;
  CHECK(dense
            .say("param n = 6; tensor A(n, n): f64 fill 1; tensor x(n): f64 fill 1; tensor y(n)\ny(i) = sum(j)(A(i,j) "
                 "* x(j)); order j i\nrun")
            .codes == "");
}

TEST_CASE("what no order and no format walks is read from a copy") {
  Transcript t;
  REQUIRE(t.say("param n = 50; tensor A(n, n): csr; tensor C(n, n): csr; random A seed 1 density 0.05\nC(i,j) = A(i,j) "
                "+ A(j,i)\norder i j")
              .ok());
  const auto ran = t.say("run");
  CHECK(ran.codes == "W0210");
  CHECK(ran.last("run")["diagnostics"][0]["fixes"][0]["command"] == "workspace A_w for A(:,:) hash");
  REQUIRE(t.say("fix 1").ok());
  CHECK(t.say("show c").output.find("find(") == std::string::npos);
  CHECK(t.say("run\ncheck\nrun native\ncheck").codes == "");
  CHECK(t.say("format A csc\norder j i\nrun\ncheck").codes == "");
  CHECK(t.say("order i j\nformat A csr\nparallel i\nrun native threads 2\ncheck").codes == "");
}

TEST_CASE("identities of a user's function hold for what it gives, and not for its operands") {
  Transcript t;
  REQUIRE(t.say("def gcd(x, y) { x, 0 => abs(x); x, y => { x = abs(x); y = abs(y); while x != 0 { t = x; x = y % x; y "
                "= t }; y }\n"
                "commutative; associative; identity 0 }\n"
                "tensor a(3): i64 {compressed}; fill_with a [-4, 0, 6]\nb(i) = gcd(a(i), 0); c(i) = gcd(gcd(a(i), -4), "
                "0)\nrun\ncheck")
              .ok());
  CHECK(t.value("b") == "[4 0 6]");
  CHECK(t.value("c") == "[4 4 2]");
}

TEST_CASE("march looks up along the outermost loop by pointers that move on") {
  Transcript t;
  REQUIRE(t.say("param n = 30\ntensor A(n, n): csc\ntensor x(n)\nrandom A seed 1 density 0.2; random x seed 2\n"
                "y(i) = sum(j)(A(i,j) * x(j))\norder i j\nmarch A i")
              .ok());
  const std::string c = t.say("show c").output;
  CHECK(c.find("march(A_crd, &") != std::string::npos);
  CHECK(c.find("find(") == std::string::npos);
  CHECK(t.say("show flow").output.find("= march A") != std::string::npos);
  CHECK(t.say("run").ok());
  CHECK(t.say("check").ok());
  CHECK(t.say("run native; check").ok());
  CHECK(t.say("show formats").output.find("A(i,j) is found by a marching pointer") != std::string::npos);
}

TEST_CASE(
    "a dense result far larger than its sparse operands is refused unless a format is given, and not taken back") {
  const std::string program = "tensor A(4000, 4000): csr\ntensor x(4000)\nR(i,j) = exp(A(i,j)) * x(j)\n",
                    given = "format R dense\n";
  CHECK(testing::contains(Transcript().say(program + "run").codes, "E0702"));
  CHECK_FALSE(testing::contains(Transcript().say(program + given + "run").codes, "E0702"));
  CHECK(testing::contains(Transcript().say(program + given + "format R auto\nrun").codes, "E0702"));
}

TEST_CASE("each look-up that marches has pointers of its own") {
  Transcript t;
  REQUIRE(t.say("param n = 24\ntensor A(n, n): csc\ntensor T(n, n)\nrandom A seed 3 density 0.3\n"
                "kernel band { T(i,j) = A(i,j) + 2*A(i-1,j) - A(i-2,j) : 2 <= i; order i j; march A i }\n"
                "kernel twice { loops { S .= 0; for i in 1:n { for j in 0:n { S(i) += A(i,j) }\n for k in 0:n { S(i) "
                "+= 3*A(i-1,k) } } }\nmarch A i }")
              .ok());
  for (const char* kernel : {"band", "twice"}) {
    CHECK(t.say("run " + std::string(kernel)).ok());
    CHECK(t.say("check " + std::string(kernel)).ok());
    CHECK(t.say("show c " + std::string(kernel)).output.find("march(A_crd") != std::string::npos);
  }
}

TEST_CASE("a march that is of no use says why") {
  const auto answer = [](const std::string& formats, const std::string& schedule) {
    Transcript t;
    t.say("param n = 8\ntensor A(n, n): " + formats +
          "\ntensor x(n)\nrandom A seed 1 density 0.5; random x\ny(i) = sum(j)(A(i,j) * x(j))");
    t.say(schedule);
    const auto ran = t.say("run");
    return ran.codes + " " + ran.messages() + ran.last("run").dump();
  };
  CHECK(answer("csr", "order i j; march A j").find("it is walked in that loop") != std::string::npos);
  CHECK(answer("csc", "order i- j; march A i").find("runs downwards") != std::string::npos);
  CHECK(answer("csc", "order i j; parallel i; march A i").find("would share the pointers") != std::string::npos);
  CHECK(answer("{dense, hashed} @ (1, 0)", "order i j; march A i").find("without bisection") != std::string::npos);
  CHECK(answer("csc", "order i j; march A i").find("E0912") == std::string::npos);
}
