// show algebra, show lattice, show flow and their pictures: what loops over sparse storage walk, and what is left as
// operands run out.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Folder;
using testing::Transcript;

namespace {

const std::string matrices =
    "param n = 6\ntensor A(n, n): csr; tensor B(n, n): csr; tensor C(n, n): csr; tensor D(n, n): dcsr; tensor E(n, n): "
    "dcsr\n"
    "tensor a(n): compressed; tensor b(n): compressed; tensor c(n): compressed; tensor h(n): hashed; tensor x(n); "
    "tensor y(n); tensor s\n";

std::string shown(const std::string& program, const std::string& command) {
  Transcript t;
  const auto answer = t.say(matrices + program + "\n" + command);
  return answer.ok() ? answer.output : answer.messages();
}

}  // namespace

TEST_CASE("show algebra has a line for each loop, and says who leads") {
  CHECK(shown("y(i) = sum(j)(A(i,j) * x(j)); order i j", "show algebra") ==
        "for i: U           every i: y(i) is written everywhere, as y is dense\n"
        "  for j: A(i,j)    leads A(i,j)\n");
  CHECK(shown("C(i,j) = D(i,j) + E(i,j); order i j", "show algebra") ==
        "for i: D(i,:) ∪ E(i,:)      leads D(i,:), E(i,:)\n"
        "  for j: D(i,j) ∪ E(i,j)    leads D(i,j), E(i,j)\n"
        "  for j: D(i,j)             leads D(i,j), where E(i,:) is missing\n"
        "  for j: E(i,j)             leads E(i,j), where D(i,:) is missing\n");
  CHECK(shown("s = sum(i)(a(i) * h(i))", "show algebra") ==
        "for i: a(i) ∩ h(i)    leads a(i)\n"
        "                      looks up h(i) by hashing, which is found at once where others lead\n");
}

TEST_CASE("show algebra says why every coordinate is visited") {
  const auto why = [](const std::string& equation) { return shown(equation, "show algebra"); };
  CHECK(contains(why("s = prod(i)(2 * exp(a(i)))"), "every i: 2*exp(a(i)) is 2 where nothing is stored, not 1"));
  CHECK(contains(why("s = sum(i)(a(i) + x(i))"), "every i: x(i) is dense"));
  CHECK(contains(why("x(i) = a(i) + 1"), "every i: x(i) is written everywhere, as x is dense"));
  const std::string against = why("y(i) = sum(j)(A(i,j) * x(j)); order j i");
  CHECK(contains(against, "every j: A(i,j) is stored by i first"));
  CHECK(contains(against, "every i: A(i,j) is dense in i"));
  // What sums add in gaps comes behind the loop.
  CHECK(contains(why("s = sum(i)(exp(a(i)))"), "for i: a(i)    leads a(i)"));
}

TEST_CASE("show lattice prints points, cases and edges") {
  CHECK(shown("C(i,j) = A(i,j) + B(i,j); order i j", "show lattice j") ==
        "for j: A(i,j) ∪ B(i,j)\n"
        "  leads A(i,j), B(i,j)\n"
        "     {A(i,j), B(i,j)}\n"
        "          ╱     ╲\n"
        "    {A(i,j)}   {B(i,j)}\n"
        "          ╲     ╱\n"
        "            end\n"
        "  while A(i,j) and B(i,j) have entries\n"
        "    A(i,j) ∩ B(i,j)    C(i,j) = A(i,j) + B(i,j)\n"
        "    A(i,j) ∩ ¬B(i,j)   C(i,j) = A(i,j)\n"
        "    ¬A(i,j) ∩ B(i,j)   C(i,j) = B(i,j)\n"
        "    A(i,j) runs out → {B(i,j)}\n"
        "    B(i,j) runs out → {A(i,j)}\n"
        "  while B(i,j) has entries\n"
        "    C(i,j) = B(i,j)\n"
        "    B(i,j) runs out → end\n"
        "  while A(i,j) has entries\n"
        "    C(i,j) = A(i,j)\n"
        "    A(i,j) runs out → end\n");
}

TEST_CASE("show access says what each loop is offered, and what becomes of it") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 8): csr; tensor B(4, 6): dcsr; tensor c(24): {compressed}; tensor D(3, 8): csc\n"
                "tensor f(24): {compressed}; tensor g(3, 8): csr")
              .ok());
  REQUIRE(t.say("kernel one { f(k) = A(k/8,k%8) * B(k/6,k%6) * c(23-k) }").ok());
  REQUIRE(t.say("kernel two { g(i,j) = c(8*i+j) * D(i,j)\norder i j }").ok());
  CHECK(t.say("show access one").output ==
        "for k\n"
        "  A(k/8,k%8)    8*A.1 + A.2       leads, A.2 below A.1\n"
        "  B(k/6,k%6)    6*B.1 + B.2       leads, B.2 below B.1\n"
        "  c(-1*k + 23)  c.1 | reverse 23  leads\n");
  CHECK(t.say("show access two").output ==
        "for i\n"
        "  c(8*i + j)  c.1 | segments 8  leads, all entries of one coordinate together\n"
        "  D(i,j)      none              is stored by j first\n"
        "  for j\n"
        "    c(8*i + j)  c.1 | shift -8*i  leads\n");
  Transcript dense;
  REQUIRE(dense.say("tensor x(3); tensor y(3); y(i) = x(i)").ok());
  CHECK(dense.say("show access").output.find("all of its tensors are dense") != std::string::npos);
}

TEST_CASE("levels that are walked as one stand below their keys, and the entries of a segment together") {
  Transcript t;
  REQUIRE(t.say("tensor A(3, 8): csr; tensor B(4, 6): dcsr; tensor c(24): {compressed}; tensor f(24): {compressed}; "
                "tensor g(3, 8): csr\n"
                "fill_with c [0,0,0,7,0,7,0,0, 0,0,0,0,0,0,0,0, 0,7,0,0,0,0,0,0]\n"
                "fill_with A [[0,1,0,0,0,0,2,0],[0,0,0,0,0,0,0,0],[3,0,0,0,0,0,0,0]]\n"
                "fill_with B [[0,0,0,1,0,0],[0,0,0,0,0,0],[0,0,0,0,5,0],[0,0,0,0,0,0]]")
              .ok());
  REQUIRE(t.say("kernel one { f(k) = A(k/8,k%8) * B(k/6,k%6) }").ok());
  REQUIRE(t.say("kernel two { g(i,j) = c(8*i+j) * A(i,j)\norder i j }").ok());
  CHECK(contains(t.say("show lattice one").output,
                 "  leads A(k/8,k%8), B(k/6,k%6)\n"
                 "    A(k/8,k%8): k = 8*A.1 + A.2\n"
                 "      A.1    every coordinate\n"
                 "      └ A.2  what is stored below\n"
                 "    B(k/6,k%6): k = 6*B.1 + B.2\n"
                 "      B.1    what is stored\n"
                 "      └ B.2  what is stored below\n"));
  CHECK(contains(t.say("show lattice two").output, "    c(8*i + j): i = c.1 / 8, all entries of one i together\n"));
  REQUIRE(t.say("lattice step one\nlattice step\nlattice step").ok());
  CHECK(contains(t.say("lattice step").output,
                 "● A(k/8,k%8)  keys  1   6  [16]\n"
                 "    A.1     0   1  [2]\n"
                 "    └ A.2  [0]    8*2 + 0 = 16\n"
                 "● B(k/6,k%6)  keys  3  [16]\n"
                 "    B.1     0  [2]\n"
                 "    └ B.2  [4]    6*2 + 4 = 16\n"));
  CHECK(contains(t.say("lattice step two").output, "● c(8*i + j)  [3   5]  17\n"));
}

TEST_CASE("the lattice as data: every edge joins two nodes, every loop ends") {
  Transcript t;
  REQUIRE(t.say(matrices + "s = sum(i)(a(i)*b(i) + c(i))").ok());
  const auto model = t.say("show lattice").last("show")["model"];
  REQUIRE(model["loops"].size() == 1);
  CHECK(model["loops"][0]["loop"] == "i");
  CHECK(model["loops"][0]["algebra"] == "a(i) ∩ b(i) ∪ c(i)");
  CHECK(model["loops"][0]["operands"][2]["role"] == "leads");
  REQUIRE(model["nodes"].size() == 4);
  std::map<int, std::string> kinds;
  for (const auto& node : model["nodes"]) kinds[node["id"]] = node["kind"];
  int to_end = 0;
  for (const auto& edge : model["edges"]) {
    CHECK(kinds.count(edge["from"]) == 1);
    REQUIRE(kinds.count(edge["to"]) == 1);
    to_end += kinds[edge["to"]] == "end";
  }
  CHECK(model["edges"].size() == 6);
  CHECK(to_end == 3);
  CHECK(model["nodes"][0]["cases"][0]["body"] == "s += a(i)*b(i) + c(i)");
  CHECK(model["nodes"][0]["cases"][3]["body"] == "nothing");
}

TEST_CASE("with more than three alternatives there is one loop, and one body") {
  const std::string five =
      "tensor F(n, n): csr; tensor G(n, n): csr; tensor H(n, n): csr\nC(i,j) = A(i,j) + B(i,j) + F(i,j) + G(i,j) + "
      "H(i,j); order i j";
  const std::string text = shown(five, "show lattice j");
  CHECK(contains(text, "while any of A(i,j), B(i,j), F(i,j), G(i,j), H(i,j) has entries\n    in any case: C(i,j) = "));
  CHECK(contains(text, "all have run out → end"));
}

TEST_CASE("what a pattern stores is true, so that both together may leave nothing") {
  Transcript t;
  REQUIRE(t.say("param n = 4; tensor p(n): {compressed, pattern} bool; tensor q(n): {compressed, pattern} bool; tensor "
                "r(n): compressed bool\n"
                "fill_with p [true, true, false, false]; fill_with q [true, false, true, false]\nr(i) = p(i) != q(i)")
              .ok());
  CHECK(contains(t.say("show lattice").output, "p(i) ∩ q(i)    nothing\n"));
  REQUIRE(t.say("run\ncheck").ok());
  CHECK(t.value("r") == "compressed 4, 2 entries\n  (1)  true\n  (2)  true");
}

TEST_CASE("an operand that may outlast what it is multiplied with is kept at the coordinate") {
  for (const char* equation : {"s = sum(i)(c(i)*(1 + a(i)) + a(i)*b(i))", "s = sum(i)(c(i)*(1 + b(i)) + a(i)*b(i))",
                               "s = sum(i)(a(i)*b(i) + c(i))", "s = max(i)(c(i)*(1 + a(i)) + a(i)*b(i))"}) {
    CAPTURE(equation);
    Transcript t;
    REQUIRE(t.say(matrices + equation).ok());
    CHECK(t.say("fill_with a [0, 3, 0, 0, 0, 5]; fill_with b [1, 0, 0, 0, 0, 0]; fill_with c [1, 0, 0, 0, 0, "
                "2]\nrun\ncheck")
              .ok());
    for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
      CAPTURE(seed);
      std::string data;
      for (const auto& [name, first] : {std::pair("a", "1"), std::pair("b", "2"), std::pair("c", "3")})
        data += std::string("random ") + name + " density 0.4 seed " + first + seed + "\n";
      CHECK(t.say(data + "run\ncheck").ok());
    }
  }
  CHECK(contains(shown("s = sum(i)(c(i)*(1 + a(i)) + a(i)*b(i))", "show lattice"),
                 "while c(i) has entries, with a(i) following\n"));
}

TEST_CASE("dense kernels, and loops that are not there") {
  const std::string dense =
      "# no loop of kernel main walks sparse storage: all of its tensors are dense, so each loop visits every "
      "coordinate\n";
  CHECK(shown("y(i) = 2 * x(i)", "show algebra") == dense);
  CHECK(shown("y(i) = 2 * x(i)", "show lattice") == dense);
  CHECK(contains(shown("y(i) = sum(j)(A(i,j) * x(j)); order j i", "show lattice"), "`show algebra main` says why"));
  CHECK(shown("y(i) = 2 * x(i); z = a(3)", "show algebra") ==
        "for i: U    every i: y(i) is written everywhere, as y is dense\n");
  CHECK(shown("z = a(3)", "show algebra") == "# no loop of kernel main walks sparse storage: it has no loop\n");
  Transcript t;
  REQUIRE(t.say(matrices + "kernel k { y(i) = sum(j)(A(i,j) * x(j)); order i j }").ok());
  const auto refused = t.say("show lattice q");
  CHECK(refused.codes == "E0608");
  CHECK(contains(refused.messages(), "kernel k has no loop over `q`"));
  CHECK(contains(refused.messages(), "the loops are: i j"));
  for (const char* command :
       {"show lattice k", "show lattice j k", "show lattice k j", "show lattice j", "show algebra k"})
    CHECK_MESSAGE(t.say(command).ok(), command);
  CHECK(contains(t.say("show lattice i").output, "for i: U\n  every i: y(i) is written everywhere"));
  CHECK(t.say("show lattice j nowhere").codes == "E0605");
}

TEST_CASE("lattices, algebras and control flow for Graphviz and as pictures") {
  const Folder folder;
  Transcript t;
  REQUIRE(t.say(matrices + "C(i,j) = A(i,j) + B(i,j); order i j").ok());
  const auto drawn = [&](const std::string& what, const std::string& name) {
    CHECK(t.say("export " + what + " \"" + folder / name + "\"").ok());
    std::ifstream stream(folder / name);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string dot = drawn("dot lattice j", "l.dot");
  CHECK(dot.starts_with("digraph \"main\" {"));
  CHECK(contains(dot, "label=\"A(i,j) runs out\""));
  CHECK(contains(dot, "A(i,j) ∩ ¬B(i,j):  C(i,j) = A(i,j)\\l"));
  CHECK(contains(drawn("dot algebra", "a.dot"),
                 "n1 [label=\"for j: A(i,j) ∪ B(i,j)\\lleads A(i,j), B(i,j)\\l\"];\n  n0 -> n1;"));
  CHECK(contains(drawn("dot cfir main", "c.dot"), "[label=\"since pB here\\l\"];\n  n4 -> n8 [label=\"else\"];"));
  CHECK(contains(drawn("svg algebra", "a.svg"), ">leads A(i,j), B(i,j)</text>"));
  CHECK(contains(drawn("svg flow", "c.svg"), ">lead pA at A.2 below [i]</text>"));
  CHECK(folder.count() == 5);
  CHECK(t.say("export dot lattice q \"" + folder / "q.dot" + "\"").codes == "E0608");
  CHECK(t.say("export dot flow q \"" + folder / "q.dot" + "\"").codes == "E0605");
  CHECK(t.say("export dot loops \"" + folder / "q.dot" + "\"").codes == "E0601");
  CHECK(folder.count() == 5);
}

TEST_CASE("the nodes of the control flow are those that its text shows, with their origins") {
  Transcript t;
  REQUIRE(t.say(matrices + "C(i,j) = A(i,j) + B(i,j); order i j").ok());
  const auto shown = t.say("show flow").last("show");
  std::set<int> known;
  for (const auto& span : shown["spans"])
    if (span["stage"] == "flow" && !span["origin"].empty()) known.insert(span["id"].get<int>());
  int steps = 0;
  for (const auto& node : shown["model"]["nodes"])
    for (const int id : node["shows"]) {
      CHECK(known.contains(id));
      ++steps;
    }
  CHECK(steps > 10);
  CHECK(shown["model"]["edges"].size() + 1 == shown["model"]["nodes"].size());
}

TEST_CASE("regions are shown from their first to their last coordinate, and so is a run that is appended") {
  Transcript t;
  const auto answer = t.say(
      "param n = 8; tensor a(n): rle; tensor b(n): sparse_rle; tensor c(n): rle\n"
      "fill_with a [1,1,1,0,0,2,2,2]; fill_with b [0,5,5,5,0,0,3,3]\n"
      "c(i) = a(i) + b(i)\nlattice step\nlattice step\n");
  CHECK(contains(answer.output, "● a(i)  [0..2]  3..4   5..7"));
  CHECK(contains(answer.output, "● b(i)  [1..3]  6..7"));
  CHECK(contains(answer.output, "appends c(1) to c(2) = 6"));
  CHECK(answer.last("lattice")["step"]["cursors"][0]["starts"] == nlohmann::ordered_json({0, 3, 5}));
  // All elements of the run are drawn as written.
  const auto drawn = t.say("step 2\n");
  CHECK(contains(drawn.output, "c(1) to c(2) = 6  from "));
  CHECK(contains(drawn.output, "  1  [6] [6]  ·   ·   ·   ·   ·"));
}
