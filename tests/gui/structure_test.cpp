// Panes that show what the compiler makes of a program: graph, placement, lattice, operands, stages, C, formats,
// storage.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "gui/script.hpp"
#include "tests/environment.hpp"
#include "tests/folder.hpp"

namespace trellis::gui {
namespace {

const char* const union_program =
    "param n = 24\n"
    "tensor b(n): {compressed}\n"
    "tensor c(n): {compressed}\n"
    "tensor d(n): {compressed, pattern} bool\n"
    "tensor y(n): {compressed}\n"
    "random b seed 3 density 0.42\n"
    "random c seed 8 density 0.42\n"
    "random d seed 5 density 0.35\n"
    "y(i) = (b(i) + c(i)) * f64(!d(i))\n"
    "run\n";

/// An example by its name, or the program itself.
struct StructureScript : Script {
  StructureScript(const std::string& preset, const std::string& program) : Script({}, {1600, 1000, 1}) {
    CHECK(run("command window preset " + preset) == "");
    if (program.find('\n') == std::string::npos) {
      CHECK(run("open " + program) == "");
    } else {
      const testing::Folder folder;
      CHECK(run("open " + folder.file("program.tr", program)) == "");
    }
  }
};

std::string state_of(const Script& s, const std::string& id) {
  const Item* item = s.find(id);
  return item ? item->state : "no item " + id;
}

}  // namespace

TEST_CASE("graph: results, temporaries and the edge that an illegal order violates") {
  StructureScript s("illegal", "viterbi");
  CHECK(s.run("command window kernel forward") == "");
  CHECK(s.find("graph/violations") == nullptr);
  const auto node = [&](const std::string& label) {
    for (const Item& item : s.app().ui.items())
      if (item.pane == "graph" && item.role == "node" && item.label == label) return item.state;
    return std::string("none");
  };
  CHECK(node("V(i,j)") == "result");
  CHECK(node("tV2(i,j)") == "temporary");
  CHECK(node("A(k,i)") == "none");
  CHECK(s.run("click graph/inputs") == "");
  CHECK(node("A(k,i)") == "input");
  CHECK(s.run("command order i j k\n"
              "expect violations illegal\n"
              "expect violations 3 of 18 reads come too early\n") == "");
  const auto& items = s.app().ui.items();
  CHECK(std::ranges::count(items, std::string("violated"), &Item::state) == 1);
}

TEST_CASE("graph: while a placement is stepped, nodes say what has become of them") {
  StructureScript s("learn", "cholesky");
  CHECK(s.run("command window goto placement 1") == "");
  const auto state = [&](const std::string& label) {
    for (const Item& item : s.app().ui.items())
      if (item.pane == "graph" && item.role == "node" && item.label == label) return item.state;
    return std::string();
  };
  CHECK(state("tL1(i,j)") == "waits");
  CHECK(s.run("command window goto placement 6") == "");
  CHECK(state("tL1(i,j)") == "placed");
}

TEST_CASE("placement: cards, events and the nest follow the step, and a click on an event goes there") {
  StructureScript s("learn", "cholesky");
  CHECK(state_of(s, "card:tL1") == "placed");
  CHECK(state_of(s, "placement/outcome") == "legal");
  CHECK(s.run("command window goto placement 0") == "");
  CHECK(state_of(s, "card:tL1").starts_with("waits"));
  CHECK(s.find("placement/outcome") == nullptr);
  CHECK(s.find("placement/nothing"));
  REQUIRE(s.find("event:5"));
  const std::string sentence = s.find("event:5")->label;
  CHECK(s.click("event:5"));
  CHECK(s.run_until_idle());
  CHECK(state_of(s, "event:5") == "now");
  CHECK(state_of(s, "event:4") == "done");
  CHECK(state_of(s, "event:6") == "to come");
  CHECK(sentence.starts_with("place"));
  CHECK(state_of(s, "card:tL1") == "placed");
  CHECK(s.find("placement/nothing") == nullptr);
}

TEST_CASE("placement: an illegal order ends where no place is left") {
  StructureScript s("learn", "viterbi");
  CHECK(s.run("command window kernel forward\n"
              "command order i j k\n") == "");
  CHECK(state_of(s, "placement/outcome") == "illegal");
}

TEST_CASE("lattice: the point and the case of the step, and the edge of an operand that runs out") {
  StructureScript s("lattice", union_program);
  CHECK(s.find("lattice:0"));
  CHECK(state_of(s, "point:0") == "");
  CHECK(s.run("command window goto lattice 7") == "");
  CHECK(state_of(s, "point:0") == "now");
  const auto now = [&](const std::string& role) {
    std::string label;
    for (const Item& item : s.app().ui.items())
      if (item.pane == "lattice" && item.role == role && item.state == "now") label += item.label + ";";
    return label;
  };
  CHECK(now("row") == "y(i) = c(i);");
  CHECK(s.run("command window next event") == "");
  CHECK(now("text").ends_with("runs out;"));
  CHECK(state_of(s, "point:0") == "b is at its end");
  CHECK(s.run("command window last lattice") == "");
  CHECK(state_of(s, "point:end") == "now");
}

TEST_CASE("operands: pointers stand at the next entries, and the result shows what was done") {
  StructureScript s("lattice", union_program);
  CHECK(s.run("command window goto lattice 7") == "");
  CHECK(s.find("operands/coordinate")->label == "i=11");
  CHECK(state_of(s, "pointer:c") == "here");
  CHECK(state_of(s, "pointer:b") == "not here");
  CHECK(state_of(s, "crd:c:5") == "here");
  CHECK(state_of(s, "crd:c:4") == "behind");
  CHECK(state_of(s, "crd:c:6") == "ahead");
  CHECK(state_of(s, "result:11") == "written, now");
  CHECK(s.find("result:12") == nullptr);
  CHECK(s.run("command window goto lattice 9") == "");
  CHECK(state_of(s, "result:11") == "written");
}

TEST_CASE("this step: who is here, and what is done, in words") {
  StructureScript s("lattice", union_program);
  CHECK(s.find("step/nothing"));
  CHECK(s.run("command window goto lattice 7") == "");
  CHECK(s.find("step/step")->label == "i=11 is the smallest coordinate left");
  CHECK(state_of(s, "operand:b") == "is not here: next at 12");
  CHECK(state_of(s, "operand:c") == "is here");
  CHECK(s.find("step/does")->label == "y(i) = c(i)");
  CHECK(s.run("command window goto execution 3") == "");
  CHECK(s.find("operand:b") == nullptr);
  CHECK(s.find("step/step")->label.find("step 3 of") != std::string::npos);
}

TEST_CASE("stages: each stage by its chip, as far as the order gets") {
  StructureScript s("learn", "viterbi");
  CHECK(s.run("command window kernel forward\n"
              "click stages/stage:graph\n"
              "expect stages/stage:graph chosen\n"
              "key ]\n"
              "expect stages/stage:placement chosen\n"
              "key [\n"
              "key [\n"
              "expect stages/stage:fragments chosen\n"
              "command order i j k\n"
              "expect stages/stage:c not reached\n"
              "click stages/stage:c\n"
              "expect stages/nothing illegal") == "");
}

TEST_CASE("passes: from one that changes the kernel to the next, with the reason and what it changes") {
  StructureScript s("learn", "spmv");
  CHECK(s.run("command window pane passes\n"
              "expect passes/pass 1 / 4\n"
              "click passes/on\n"
              "expect passes/pass 2 / 4\n") == "");
  CHECK(s.find("passes/pass")->label == "carry_positions");
  CHECK(s.find("passes/reason")->label == "the next row begins where this one ends");
  CHECK(s.run("click passes/on\nclick passes/on\nclick passes/on\nexpect passes/pass 4 / 4\nclick passes/back\n"
              "expect passes/pass 3 / 4\n") == "");
}

TEST_CASE("structure: another fill value changes lattice, storage and C in the same frame") {
  StructureScript s("lattice",
                    "tensor b(24): {compressed} f64 fill 0\nrandom b seed 3 density 0.42\n"
                    "tensor c(24): {compressed}\nrandom c seed 8 density 0.42\n"
                    "tensor y(24): {compressed}\ny(i) = b(i) * c(i)\nrun\n");
  CHECK(s.run("command window dock storage operands right\nclick storage/tensor:b\nclick program/text\n"
              "key Ctrl+Home\nkey End\nkey Backspace") == "");
  CHECK(s.run("type 0") == "");
  const auto seen = [&] {
    std::string cases;
    for (const Item& item : s.app().ui.items())
      if (item.pane == "lattice" && item.role == "row") cases += item.label + "; ";
    return std::vector<std::string>{cases, s.find("storage/about")->label, state_of(s, "c/c")};
  };
  const std::vector<std::string> before = seen();
  // Where only c is stored, b is 1, and the product is to be computed there as well.
  s.key("Backspace"), s.type("1");
  REQUIRE(s.run_until_idle());
  const std::vector<std::string> after = seen();
  for (std::size_t i = 0; i < before.size(); ++i) {
    CAPTURE(before[i]);
    CHECK(after[i] != before[i]);
  }
  CHECK(after[1].ends_with("fill 1"));
  CHECK(s.app().scene().snapshot->tensors.at("b").value->fill().as_double() == 1);
}

TEST_CASE("C: there is none of an illegal order, and copying takes all of it") {
  StructureScript s("learn", "viterbi");
  CHECK(s.run("command window kernel forward\n"
              "click c/copy") == "");
  CHECK(s.app().ui.pasted().find(" forward(") != std::string::npos);
  CHECK(s.run("command order i j k\n"
              "expect c/nothing illegal") == "");
}

TEST_CASE("lattice and C say how what does not lead is found") {
  StructureScript s("lattice",
                    "tensor A(6, 6): csr\ntensor b(6): compressed\nrandom A density 0.5 seed 1\n"
                    "random b density 0.5 seed 2\ny(i) = A(i,j) * b(j)\norder i j\nrun\n");
  CHECK(s.run("expect lattice/find:0 looks up b(j) by bisection\n"
              "expect not lattice/find:1\n"
              "command window pane c\n") == "");
  const auto& items = s.app().ui.items();
  CHECK(std::ranges::any_of(items, [](const Item& item) {
    return item.pane == "c" && item.id.starts_with("c remark:") && item.label == "b(j): by bisection";
  }));
}

TEST_CASE("formats: a level is chosen from a list, and the program says so") {
  StructureScript s("lattice", "spmv");
  CHECK(s.run("command window pane formats\n"
              "expect formats/format:A csr\n"
              "click formats/level:A:0\n"
              "expect formats/choose:dense chosen\n"
              "click formats/choose:compressed\n"
              "expect formats/format:A dcsr\n"
              "expect not formats/menu") == "");
}

TEST_CASE("formats: keys choose a row, open its list and swap dimensions") {
  StructureScript s("lattice", "spmv");
  CHECK(s.run("command window pane formats\n"
              "key Down\n"
              "expect formats/dimension:A:0 chosen\n"
              "key Alt+Down\n"
              "expect formats/format:A csc\n") == "");
}

TEST_CASE("storage: cells of a tensor say which element they are about") {
  StructureScript s("lattice", union_program);
  CHECK(s.run("command window pane storage\n"
              "click tensor:c\n"
              "expect storage/crd0:5 c(11)\n"
              "expect storage/vals:5 c(11)\n") == "");
}

TEST_CASE("storage: a matrix stands beside what is stored of it, with the same places") {
  StructureScript s("lattice",
                    "tensor A(4, 5): bcsr(2, 3)\nfill_with A [[1, 2, 0, 0, 0], [0, 3, 0, 0, 0], [0, 0, 0, 0, 4], "
                    "[0, 0, 0, 0, 0]]\ny(i) = A(i,j)\nrun\n");
  CHECK(s.run("command window pane storage\n"
              "click tensor:A\n"
              "expect storage/element:1:1 4\n"
              "expect storage/element:1:1 A(1,1) is at place 4: i/2 = 0, j/3 = 0, i%2 = 1, j%3 = 1\n"
              "expect storage/place:4 1:4\n"
              "expect storage/place:4 place 4 holds A(1,1)\n"
              "expect storage/element:0:2 pads\n"
              "expect storage/place:8 no element\n"
              "expect not storage/legend:never stored\n") == "");
}

TEST_CASE("values: blocks of a layout are framed, and padding is no entry") {
  StructureScript s("lattice",
                    "tensor A(4, 5): bcsr(2, 3)\nfill_with A [[1, 2, 0, 0, 0], [0, 3, 0, 0, 0], [0, 0, 0, 0, 4], "
                    "[0, 0, 0, 0, 0]]\ny(i) = A(i,j)\nrun\n");
  CHECK(s.run("command window pane values\n"
              "expect values/blocks:A rows 2, 3\n"
              "expect values/cell:A(0,2) padding\n"
              "expect values/cell:A(0,3) not stored\n"
              "expect values/legend:padding\n") == "");
  CHECK(state_of(s, "values/cell:A(1,1)").find("padding") == std::string::npos);
}

TEST_CASE("pattern: entries that fill in say of what, and a column lights the way up its tree") {
  StructureScript s("lattice",
                    "tensor A(4, 4): csc\ntensor L(4, 4): csc\n"
                    "fill_with A [[4, 0, 1, 1], [0, 4, 0, 0], [1, 0, 4, 0], [1, 0, 0, 4]]\n"
                    "kernel factor {\n"
                    "  L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
                    "  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i\n"
                    "  mask L auto\n}\nrun\n");
  CHECK(s.run("command window kernel factor\ncommand window pane pattern\n"
              "expect pattern/about 4 rows, 6 given, 1 filled in\n"
              "expect pattern/entry:3,2 as (3,0) and (2,0) have entries\n"
              "expect pattern/entry:2,0 given\n"
              "expect not pattern/entry:1,0\n"
              "expect pattern/column:3 column\n"
              "hover pattern/entry:2,0\n"
              "expect pattern/column:0 lit\n"
              "expect pattern/column:3 lit\n"
              "expect pattern/column:1 column\n") == "");
}

TEST_CASE("ranks: whose elements are, who sends whom, and lanes behind a run; choices are commands") {
  StructureScript s("tune",
                    "param n = 8\ntensor x(n)\ntensor y(n)\nrandom x seed 1\ny(i) = x(i-1) + x(i+1) : 1 <= i < n-1\n"
                    "ranks p\ndistribute i over p\nrun\n");
  CHECK(s.run("command window pane ranks\n"
              "expect ranks/ranks:4 chosen\n"
              "expect ranks/x:0,2 x(2) of rank 1, sent to rank 0\n"
              "expect ranks/bytes:0,1 rank 0 sends rank 1 8 bytes\n"
              "expect not ranks/lanes\n"
              "hover ranks/to:1\n"
              "expect ranks/from:1 lit\n"
              "click ranks/ranks:2\n"
              "expect ranks/ranks:2 chosen\n"
              "expect ranks/x:0,2 x(2) of rank 0\n"
              "command run ranks 2\n"
              "expect ranks/lanes the last run, 2 ranks as threads\n"
              "expect ranks/paper on paper\n") == "");
}

TEST_CASE("plan: queries as boxes, with the plan that came second and what would change the choice") {
  StructureScript s("tune",
                    "param n = 50\ntensor A(n, n): csr\ntensor B(n, n): csr\ntensor v(n)\n"
                    "random A seed 1 density 0.1\nrandom B seed 2 density 0.1\n"
                    "kernel chain { y(i) = sum(j,k)(A(i,j) * B(j,k) * v(k)) }\n"
                    "kernel sums { x(i) = x(i-1) + v(i) : 1 <= i }\n");
  CHECK(s.run("command window kernel chain\ncommand window pane plan\n"
              "expect plan/chosen sum(k)(B(j,k) * v(k))\n"
              "expect plan/second about\n"
              "expect plan/remark:0 flips at\n"
              "expect plan/chosen:0 operand\n") == "");
  CHECK(s.run("command window kernel sums\nexpect plan/nothing its equations are no queries\n") == "");
}

TEST_CASE(
    "assembly: a line of C lights its instructions, an instruction its line of C, and who lacks objdump is told") {
  StructureScript s("tune", "spmv");
  CHECK(s.run("click tab:assembly\nexpect assembly/assembly lines") == "");
  const Item* document = s.find("assembly/assembly");
  REQUIRE(document);
  const auto nodes = [&] {
    std::set<text::NodeId> all;
    const auto listing = s.app().scene().machine_code();
    REQUIRE(listing);
    for (const text::TextSpan& span : listing->text.spans) all.insert(span.node);
    return all;
  };
  const session::CompiledView& compiled = *s.app().scene().compiled();
  // The sum is one line of C, and of the machine code too.
  const std::size_t sum = compiled.c.characters.find(" += ");
  REQUIRE(sum != std::string::npos);
  const auto at_sum = text::nodes_at(compiled.c, static_cast<std::uint32_t>(sum + 1));
  REQUIRE_FALSE(at_sum.empty());
  CHECK(nodes().contains(at_sum.front()));

  const trellis::testing::Environment variable("OBJDUMP", "no-such-objdump");
  CHECK(s.run("command order j i\nexpect assembly/nothing install binutils") == "");
}

}  // namespace trellis::gui
