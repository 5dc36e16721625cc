// The report: a model of every stage, and a page that needs nothing besides itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/session/report/report.hpp"
#include "engine/trellis.hpp"
#include "tests/folder.hpp"
#include "tests/session/report_programs.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {

TEST_CASE("a report holds the program and every stage of every kernel, drawn and linked") {
  const Json model = model_of(cholesky_page);
  CHECK(model["program"]["text"] == cholesky_page);
  REQUIRE(model["kernels"].size() == 1);
  const Json& kernel = model["kernels"][0];
  CHECK(kernel["legal"] == true);
  for (const char* stage : {"equations", "fragments", "graph", "placement", "loops", "storage", "algebra", "lattice",
                            "flow", "c", "memory", "formats"}) {
    CAPTURE(stage);
    CHECK(kernel["stages"][stage]["ok"] == true);
    CHECK(!kernel["stages"][stage]["text"].get<std::string>().empty());
  }
  CHECK(kernel["drawings"]["graph"]["nodes"].size() == kernel["stages"]["graph"]["model"]["nodes"].size());
  CHECK(kernel["orders"]["total"] == 6);
  CHECK(kernel["refused"].empty());
  REQUIRE(model["tensors"].size() == 2);
  CHECK(model["tensors"][1]["values"]["count"] == 25);
}

TEST_CASE("in a report each origin of an equation is a place in the program") {
  const Json model = model_of(cholesky_page);
  std::set<int> places;
  const std::string text = model["program"]["text"];
  std::set<std::string> shown;
  for (const Json& span : model["program"]["spans"]) {
    places.insert(span["id"].get<int>());
    shown.insert(text.substr(span["begin"], span["end"].get<std::size_t>() - span["begin"].get<std::size_t>()));
  }
  CHECK(shown.contains("L(i,k)^2"));
  int origins = 0;
  for (const Json& span : model["kernels"][0]["stages"]["equations"]["spans"])
    for (const Json& origin : span["origin"]) {
      CHECK(places.contains(origin["id"].get<int>()));
      ++origins;
    }
  CHECK(origins > 20);
}

TEST_CASE("a report of an illegal order says why, with instances") {
  const Json model = model_of(viterbi_page);
  const Json& kernel = model["kernels"][0];
  CHECK(kernel["legal"] == false);
  CHECK(kernel["stages"]["placement"]["ok"] == true);
  CHECK(kernel["stages"]["loops"]["ok"] == false);
  CHECK(contains(kernel["stages"]["loops"]["rendered"], "error[E0101]"));
  CHECK(kernel["refused"].size() == 4);
  for (const Json& why : kernel["refused"]) {
    CHECK(why["legal"] == false);
    CHECK(why["instance"]["read"] != "");
  }
}

TEST_CASE("a report marks what is wrong where it stands in the program") {
  const auto marked = [](const Json& model, std::size_t message) {
    std::vector<std::string> places;
    const std::string text = model["program"]["text"];
    for (const Json& place : model["messages"].at(message)["places"]) {
      const std::size_t begin = place["begin"];
      places.push_back(text.substr(begin, place["end"].get<std::size_t>() - begin) + ": " +
                       place["says"].get<std::string>());
    }
    return places;
  };
  const Json refused = model_of(viterbi_page);
  REQUIRE(refused["messages"].size() == 1);
  CHECK(refused["messages"][0]["code"] == "E0101");
  CHECK(refused["messages"][0]["kernel"] == "main");
  CHECK(marked(refused, 0) == std::vector<std::string>{"V(k,j-1): needs all of column j-1", "V(i,j): computed here",
                                                       "i: finishes row i before it starts row i+1"});
  const Json searches = model_of(
      "param n = 4\ntensor A(n, n): csr\ntensor x(n)\nrandom A seed 1\ny(i) = A(i,j) * x(j)\norder j i\nrun\n");
  REQUIRE(searches["messages"].size() == 1);
  CHECK(searches["messages"][0]["severity"] == "warning");
  CHECK(marked(searches, 0) == std::vector<std::string>{"A(i,j): one search for each (j,i)"});
  CHECK(model_of(cholesky_page)["messages"].empty());
}

TEST_CASE("a report holds the program with each fix of a message, and what is compiled of it") {
  const Json model = model_of(viterbi_page);
  const Json& fixed = model["messages"][0]["fixed"];
  CHECK(!contains(model["messages"][0]["rendered"], "fixes:"));  // the page has buttons for them
  REQUIRE(fixed.size() == 3);
  std::string text = viterbi_page;
  text.replace(text.find("order i j k"), 11, "order j i k");
  CHECK(fixed[0]["command"] == "order j i k");
  CHECK(fixed[0]["program"]["text"] == text);
  CHECK(fixed[0]["program"]["spans"].size() == model["program"]["spans"].size());
  CHECK(fixed[0]["line"] == 7);
  for (const Json& one : fixed) CHECK(one["legal"] == true);
  const Json& others = model["kernels"][0]["others"];
  const auto same = std::ranges::find(others, "j i k", [](const Json& one) { return one["order_text"]; });
  REQUIRE(same != others.end());
  CHECK(fixed[0]["stages"]["loops"]["text"] == (*same)["stages"]["loops"]["text"]);
}

TEST_CASE("a report holds the program with a fix where nothing compiles without it, and says what is left to mend") {
  const std::string wrong = "param k = 8\ntensor A(4, k)\ntensor C(4, k)\nrandom A\nC(i,k) = A(i,k) * 2\n";
  const Json model = model_said_of(wrong);
  CHECK(model["kernels"].empty());
  const Json fixed = model["messages"][0]["fixed"][0];
  CHECK(fixed["line"] == 5);
  CHECK(fixed["legal"] == true);
  CHECK(contains(fixed["stages"]["c"]["text"], "A[i * k + j]"));
  const Json left = model_said_of(wrong + "s = sum(k)(A(0,k))\n")["messages"][0]["fixed"][0];
  CHECK(left["legal"] == false);
  CHECK(contains(left["problem"], "error[E0208]"));
}

TEST_CASE("a report says what went wrong while its program was read and run, once") {
  const auto told = [](const std::string& program) {
    std::string codes;
    const Json model = model_said_of(program);
    for (const Json& message : model["messages"]) {
      codes += message["code"].get<std::string>() + " ";
      CHECK(message["places"].size() > 0);
    }
    return codes;
  };
  CHECK(told("y(i) = z(i)\n") == "E0201 ");
  CHECK(told(viterbi_page) == "E0101 ");
  CHECK(told("tensor a(3): i32 fill 1\ntensor d(3): i32\nq(i) = a(i) / d(i)\nrun\n") == "E0502 ");
}

TEST_CASE("a report's execution shows temporaries, and resets") {
  const Json run = model_of(
      "tensor x(4); tensor s\nfill_with x [1, 2, 3, 4]\n"
      "loops {\n  tensor t(4)\n  for i { t(i) = 2 * x(i) }\n  t .= 7\n  s = t(0)\n}\nrun\n")["kernels"][0]["execution"];
  std::map<std::string, Json> tensors;
  for (const Json& tensor : run["tensors"]) tensors[tensor["tensor"].get<std::string>()] = tensor;
  CHECK(tensors["t"]["role"] == "temporary");
  CHECK(tensors["t"]["values"] == Json{nullptr, nullptr, nullptr, nullptr});
  CHECK(tensors["x"]["role"] == "operand");
  Json fills = Json::array();
  for (const Json& step : run["steps"])
    if (step.contains("fills")) {
      CHECK(step["starts"] == "t");
      fills.push_back(step["fills"]);
    }
  CHECK(fills == Json{0.0, 7.0});  // what a local tensor begins with is a reset too
}

TEST_CASE("a report draws the instance of a loop program's refused order too") {
  const Json model = model_of(
      "param n = 4\ntensor A(n, n)\nrandom A seed 1\n"
      "loops {\n  for i, j { if i > 0 && j < n-1 { A(i,j) = A(i-1,j+1) + 1 } }\n}\norder j i\n");
  REQUIRE(model["kernels"][0]["refused"].size() == 1);
  const Json& grid = model["kernels"][0]["refused"][0]["grid"];
  CHECK(grid["tensor"] == "A");
  CHECK(grid["reads"] == Json{1, 1});
  CHECK(grid["computes"] == Json{2, 0});
}

TEST_CASE("a report says why an execution cannot be stepped, or where it stops") {
  const Json large = model_of("param n = 300\ntensor A(n, n)\ny(i) = sum(j)(A(i,j))\n")["kernels"][0]["execution"];
  CHECK(contains(large["problem"], "90000 elements"));
  CHECK(large["notes"].size() == 1);
  const Json fails =
      model_of("tensor a(3): i32 fill 1\ntensor d(3): i32\nq(i) = a(i) / d(i)\n")["kernels"][0]["execution"];
  CHECK(fails["steps"].size() == 1);
  CHECK(contains(fails["fault"], "division by zero"));
}

TEST_CASE("a report of sparse operands draws a lattice for each loop and shows what is stored") {
  const Json model = model_of(sparse_sum);
  const Json& kernel = model["kernels"][0];
  REQUIRE(kernel["drawings"]["lattice"].size() == 1);
  const Json& lattice = kernel["drawings"]["lattice"][0];
  CHECK(lattice["nodes"].size() == kernel["stages"]["lattice"]["model"]["nodes"].size());
  CHECK(lattice["edges"].size() == kernel["stages"]["lattice"]["model"]["edges"].size());
  const Json& a = model["tensors"][0];
  CHECK(a["levels"][0]["positions"]["items"] == Json{0, 3});
  CHECK(a["levels"][0]["coordinates"]["items"] == Json{0, 3, 6});
  CHECK(a["values"]["items"] == Json{1.0, 2.0, 3.0});
}

TEST_CASE("a report's execution of an illegal order marks the reads that come too early") {
  const Json run = model_of(viterbi_page)["kernels"][0]["execution"];
  CHECK(run["legal"] == false);
  CHECK(run["order"] == "i j k");
  int early = 0;
  for (const Json& step : run["steps"])
    if (step.contains("early")) {
      ++early;
      const Json& read = step["reads"][step["early"][0].get<std::size_t>()];
      CHECK(read[0] == "V");
      CHECK(read[1][0].get<int>() > step["loops"]["i"].get<int>());  // a row that is computed later
    }
  CHECK(std::ranges::any_of(run["steps"],
                            [](const Json& step) { return step.contains("wrong") && step["writes"][0] == "V"; }));
  CHECK(early == 6);  // k > i, at the two steps that read what the recurrence computes
  const Json legal = model_of(cholesky_page);
  for (const Json& step : legal["kernels"][0]["execution"]["steps"]) CHECK(!step.contains("early"));
}

TEST_CASE("a report's execution computes what the kernel computes") {
  const Json model = model_of(cholesky_page);
  const Json& run = model["kernels"][0]["execution"];
  CHECK(run["complete"] == true);
  Json values;
  for (const Json& tensor : run["tensors"])
    if (tensor["tensor"] == "L") values = tensor["values"];
  for (const Json& step : run["steps"])
    if (step.contains("writes") && step["writes"][0] == "L")
      values[step["writes"][1][0].get<std::size_t>() * 5 + step["writes"][1][1].get<std::size_t>()] = step["writes"][2];
  for (Json& value : values)
    if (value.is_null()) value = 0.0;  // nothing writes it
  CHECK(values == model["tensors"][1]["values"]["items"]);
}

TEST_CASE("a report's walk through a lattice visits the union, and drops to lower points as operands run out") {
  const Json walk = model_of(sparse_sum)["kernels"][0]["lattice_walk"];
  CHECK(walk["complete"] == true);
  std::vector<int> visited;
  std::vector<std::string> ran_out;
  for (const Json& step : walk["steps"]) {
    if (step.contains("coordinate")) {
      visited.push_back(step["coordinate"].get<int>());
      CHECK(std::ranges::any_of(step["cursors"], [](const Json& c) { return c["here"] == true; }));
      CHECK(!step["does"].get<std::string>().empty());
      CHECK(step["case"].get<int>() >= 0);
    } else {
      ran_out.push_back(step["runs_out"].get<std::string>());
    }
  }
  CHECK(visited == std::vector<int>{0, 1, 3, 6, 8});
  CHECK(ran_out == std::vector<std::string>{"c(i)", "a(i)", "b(i)"});
}

TEST_CASE("a report of sparse operands executes control flow, and tells what is stored from what is not") {
  const Json run = model_of(sparse_sum)["kernels"][0]["execution"];
  CHECK(run["stage"] == "flow");
  CHECK(run["nest"]["text"].get<std::string>().find("coiterate i in 0:n") != std::string::npos);
  int stored = 0, gaps = 0;
  for (const Json& tensor : run["tensors"]) {
    if (tensor["role"] != "operand" || !tensor.contains("stored")) continue;
    for (const Json& one : tensor["stored"]) ++(one == true ? stored : gaps);
  }
  CHECK(stored > 0);
  CHECK(gaps > 0);
  bool reads_stored = true;
  for (const Json& step : run["steps"])
    for (const Json& read : step["reads"]) reads_stored = reads_stored && read.size() == 3;
  CHECK(reads_stored);
}

TEST_CASE("a report is one page that asks for nothing, and the same every time") {
  for (const char* program : {cholesky_page, viterbi_page, sparse_sum, "param n = 3\n", "y(i) = z(i)\n"}) {
    const std::string page = page_of(program);
    CHECK(page == page_of(program));
    CHECK(page.size() < 2'000'000);
    std::string own = page;
    for (const std::string& name : {std::string("http://www.w3.org/2000/svg")})  // the name of a space, not an address
      while (contains(own, name)) own.erase(own.find(name), name.size());
    for (const char* outside : {"http:", "https:", "src=", "url(", "import ", "fetch(", "<link"})
      CHECK_MESSAGE(!contains(own, outside), outside);
    CHECK(contains(page, "</html>"));
    for (const char* mark : {"/*STYLE*/", "/*SCRIPT*/", "/*MODEL*/", "<!--TITLE-->"}) CHECK(!contains(page, mark));
  }
}

TEST_CASE("what a program says cannot end the page's script") {
  const std::string page = page_of("# </script><script>alert(1)</script>\nparam n = 2\ny(i) = 1 : i < n\n");
  CHECK(!contains(page, "</script><script>alert"));
  CHECK(contains(page, "\\u003c/script>"));
}

TEST_CASE("report: a pattern that was found has its picture, others have none") {
  const Json model = model_of(
      "tensor A(3, 3): csc\ntensor L(3, 3): csc\nfill_with A [[4, 1, 1], [1, 4, 0], [1, 0, 4]]\n"
      "kernel factor {\n"
      "  L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
      "  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i\n"
      "  mask L auto\n}\nrun\n");
  for (const Json& kernel : model["kernels"]) {
    REQUIRE(kernel.contains("pattern"));  // the one that finds it as well
    CHECK(kernel["pattern"]["caption"] == "3 rows, 5 given, 1 filled in");
    CHECK(kernel["pattern"]["given"] == Json({1, 0, 0, 1, 1, 0, 1, 0, 1}));
    CHECK(kernel["pattern"]["filled"] == Json({0, 0, 0, 0, 0, 0, 0, 1, 0}));
    CHECK(kernel["pattern"]["tree"]["nodes"].size() == 3);
  }
  CHECK_FALSE(model_of(cholesky_page)["kernels"][0].contains("pattern"));
}

TEST_CASE("report: where there are several ways to compute a kernel its plan is drawn beside the second one") {
  const Json model = model_of(
      "param n = 50\ntensor A(n, n): csr\ntensor B(n, n): csr\ntensor v(n)\n"
      "random A seed 1 density 0.1\nrandom B seed 2 density 0.1\n"
      "kernel chain { y(i) = sum(j,k)(A(i,j) * B(j,k) * v(k)) }\nkernel once { z(i) = A(i,j) * v(j) }\n");
  const Json& plan = model["kernels"][0]["plan"];
  REQUIRE(plan.is_object());
  const Json& drawn = plan["chosen"]["drawing"];
  REQUIRE(drawn["nodes"].size() == 5);
  CHECK(drawn["edges"].size() == 4);
  CHECK(drawn["edges"][0].contains("label"));
  CHECK(plan["chosen"]["caption"].get<std::string>().starts_with("chosen, about "));
  CHECK(plan["second"]["drawing"]["nodes"].size() > 3);
  CHECK_FALSE(plan["remarks"].empty());
  CHECK(model["kernels"][1]["plan"].is_null());
}

TEST_CASE("report: where elements of a matrix in a layout are has its picture, plain ones have none") {
  const Json model = model_of(
      "tensor A(3, 4): bcsr(2, 3); tensor x(4)\nfill_with A [[1, 2, 0, 0], [0, 3, 0, 0], [0, 0, 0, 4]]; random x\n"
      "y(i) = A(i,j) * x(j)\nrun\n");
  REQUIRE(model["tensors"].size() == 3);
  const Json& touched = model["kernels"][0]["execution"]["tensors"][0];
  CHECK(touched["tensor"] == "A");
  CHECK(touched["pads"] == true);
  CHECK(touched["cuts"] == Json({{false, false, true}, {false, false, false, true}}));
  CHECK_FALSE(model["tensors"][1].contains("picture"));
  const Json& picture = model["tensors"][0]["picture"];
  CHECK(picture["column_cuts"] == Json({false, false, false, true}));
  CHECK(picture["grid"][5]["place"] == 4);
  CHECK(picture["grid"][5]["holds"] == "entry");
  CHECK(picture["grid"][4]["holds"] == "padding");
  CHECK(picture["grid"][3]["holds"] == "absent");
  CHECK(picture["fibers"][1]["cells"][1]["elements"] == Json({5}));
  CHECK(picture["fibers"][2]["cells"][1]["holds"] == "nobody");
}

}  // namespace trellis::testing
