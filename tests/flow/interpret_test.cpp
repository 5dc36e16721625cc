// Control flow, executed: what an observer hears, how many steps it takes, and what goes wrong. That its results are
// those of the reference and of both back ends is tested on random programs (tests/random/) and on every golden file.
#include "engine/flow/interpret.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/emit/flows.hpp"
#include "tests/flow/subject.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;
using flow::Execution;
using flow::FaultKind;

namespace {

std::string entries(const flow::Trail& trail) {
  std::string text;
  for (const flow::Entry& e : trail)
    text += "[" + std::to_string(e.position) + ":" + std::to_string(e.coordinate) + "]";
  return text;
}

/// All that is heard, one word each.
class Heard : public flow::Observer {
 public:
  std::string text;

  void opens(const flow::Moment&, const flow::Cursor& c, const flow::Trail& parent, std::int64_t first,
             std::int64_t last) override {
    say(c.name + entries(parent) + "=" + std::to_string(first) + ".." + std::to_string(last));
  }
  void stands(const flow::Moment&, const flow::Cursor& c, const flow::Entry& e, std::int64_t i) override {
    say(c.name + "@" + std::to_string(e.position) + (i == e.coordinate ? "" : "/" + std::to_string(e.coordinate)) +
        ":" + std::to_string(i));
  }
  void runs_out(const flow::Moment&, const flow::Cursor& c) override { say(c.name + "!"); }
  void enters(const flow::Moment&, const flow::Coiterate& c, int point, const std::vector<flow::Standing>&) override {
    say(point < 0 ? "end"
                  : "point" + std::to_string(point) + "(" +
                        std::to_string(c.points[static_cast<std::size_t>(point)].leads.size()) + ")");
  }
  void at(const flow::Moment&, const flow::Coiterate& c, std::int64_t i, const std::vector<flow::Standing>&) override {
    say(c.variable + "=" + std::to_string(i));
  }
  void tests(const flow::Moment&, const flow::Test& t, bool here) override { say(t.cursor + (here ? "?yes" : "?no")); }
  void read(const flow::Moment&, const flow::Element& e, const format::Value&) override {
    say("r:" + e.tensor.name + entries(e.trail));
  }
  void write(const flow::Moment&, const flow::Element& e, const format::Value&, const format::Value& v) override {
    say("w:" + e.tensor.name + entries(e.trail) + "=" + format::to_string(v));
  }
  void inserts(const flow::Moment&, const flow::Insert& i, const flow::Trail& trail, bool fresh) override {
    say((fresh ? "new:" : "old:") + i.tensor + entries(trail));
  }
  void appends(const flow::Moment&, const flow::Element& e, const format::Value& v) override {
    say("a:" + e.tensor.name + entries(e.trail) + "=" + format::to_string(v));
  }
  void freezes(const flow::Moment&, const flow::Tensor& t) override { say("freeze:" + t.name); }
  void fails(const flow::Moment&, const flow::Fault& f) override { say("fault: " + f.message); }

 private:
  void say(const std::string& word) { text += (text.empty() ? "" : " ") + word; }
};

std::string heard(const std::string& program) {
  Heard heard;
  const Execution e = interpreted(subject(program), &heard);
  CHECK((e.end == Execution::End::finished || e.fault));
  return heard.text;
}

}  // namespace

TEST_CASE("an observer hears cursors open, stand and run out, points, cases and appended entries") {
  const std::string said = heard(
      "param n = 6\ntensor a(n): {compressed}; tensor b(n): {compressed}; tensor y(n): {compressed}\n"
      "fill_with a [1, 0, 2, 3, 0, 0]; fill_with b [0, 4, 5, 0, 0, 0]\ny(i) = a(i) + b(i)\n");
  CHECK(said ==
        "pa=0..3 pa@0:0 pb=0..2 pb@0:1 point0(2) "
        "i=0 pa?yes pb?no r:a[0:0] a:y[0:0]=1 pa@1:2 "
        "i=1 pa?no pb?yes r:b[0:1] a:y[1:1]=4 pb@1:2 "
        "i=2 pa?yes pb?yes r:a[1:2] r:b[1:2] a:y[2:2]=7 pa@2:3 pb! "
        "point2(1) i=3 pa?yes r:a[2:3] a:y[3:3]=3 pa! end freeze:y");
}

TEST_CASE("reversed, sliced and stretched cursors say where they stand and what is stored there") {
  const std::string start =
      "param n = 4\ntensor a(2*n): {compressed}; tensor y(n)\nfill_with a [0, 5, 6, 0, 7, 0, 0, 0]\n";
  const std::string reversed = heard(start + "s = sum(i < n)(a(n-1-i)) : 0 <= i\n");
  CHECK(reversed.find("pa=0..3 pa@1/2:1") != std::string::npos);
  CHECK(reversed.find("pa@0/1:2") != std::string::npos);
  const std::string sliced = heard(start + "y(i) = a(2*i)\n");
  CHECK(sliced.find("i=1") != std::string::npos);
  CHECK(sliced.find("r:a[1:2]") != std::string::npos);
  CHECK(sliced.find("r:a[0:1]") == std::string::npos);
  const std::string stretched =
      heard("param n = 6\ntensor a(n): {compressed}; tensor y(n)\nfill_with a [0, 5, 0, 0, 0, 0]\ny(i) = a(i/2)\n");
  CHECK(stretched.find("pa@0/1:2") != std::string::npos);
  CHECK(stretched.find("pa@0/1:3") != std::string::npos);
}

TEST_CASE("workspaces are inserted into and frozen, and an element is named by its level's entries") {
  const std::string said = heard(
      "param n = 3\ntensor A(n,n): csr; tensor B(n,n): csr; tensor C(n,n): csr\n"
      "fill_with A [[0, 2, 0], [0, 0, 0], [1, 0, 0]]; fill_with B [[3, 0, 0], [0, 4, 0], [0, 0, 0]]\n"
      "C(i,j) = sum(k)(A(i,k) * B(k,j))\norder i k j\n");
  CHECK(said.find("r:A[0:0][0:1]") != std::string::npos);
  CHECK(said.find("new:") != std::string::npos);
  CHECK(said.find("a:C[0:0][0:1]=8") != std::string::npos);
  CHECK(said.find("a:C[2:2][1:0]=3") != std::string::npos);
}

TEST_CASE("the steps that are counted are what the time is proportional to") {
  const auto sum = [](int n, const std::string& format, const std::string& density) {
    return subject("param n = " + std::to_string(n) + "\ntensor a(n): " + format + "; random a seed 1 density " +
                   density + "\ns = sum(i)(a(i))\n");
  };
  // As many as are stored, not as there are.
  for (const int n : {1000, 100000}) {
    const Subject s = sum(n, "{compressed}", n == 1000 ? "0.02" : "0.0002");
    const std::int64_t stored = s.found.tensors.at("a").entries();
    CHECK(stored > 0);
    CHECK(interpreted(s).steps <= 4 * stored + 10);
  }
  CHECK(interpreted(sum(1000, "{dense}", "0.02")).steps > 1000);
}

TEST_CASE("a loop that an entry ends takes no more steps where there is more between entries") {
  for (const char* loop : {"for i until p >= 0", "for i down until p >= 0"})
    for (const int n : {1000, 100000}) {
      CAPTURE(loop);
      const Subject s = subject("param n = " + std::to_string(n) + "\ntensor a(n): {compressed}; tensor p: i64\n" +
                                "random a seed 1 density " + (n == 1000 ? "0.02" : "0.0002") + "\nloops { p = -1; " +
                                loop + " { if a(i) > 0.9 { p = i } } }\n");
      CHECK(interpreted(s).steps <= 8 * s.found.tensors.at("a").entries() + 20);
    }
}

// Each number as often as said, in a list as the language writes it.
std::string magnified(const std::vector<std::string>& values, int times) {
  std::string list;
  for (const std::string& value : values)
    for (int k = 0; k < times; ++k) list += (list.empty() ? "" : ", ") + value;
  return "[" + list + "]";
}

TEST_CASE("what is stored in runs is dealt with run by run, however long they are") {
  const std::vector<std::string> greys = {"1", "1", "5", "2", "2", "2", "0", "7"},
                                 others = {"3", "4", "4", "4", "4", "0", "0", "1"};
  const std::vector<std::string> black = {"false", "true", "true", "false", "true", "true", "true", "false"};
  const auto steps = [&](int times, const std::string& program, const std::string& type) {
    const bool truths = type == "bool";
    const std::string n = std::to_string(8 * times);
    return interpreted(subject("param n = " + n + "\ntensor a(n): rle " + type + "; tensor b(n): rle " + type +
                               "; tensor c(n): rle " + type + "\nfill_with a " +
                               magnified(truths ? black : greys, times) + "\nfill_with b " +
                               magnified(truths ? black : others, times) + "\n" + program))
        .steps;
  };
  for (const auto& [program, type] : std::vector<std::pair<std::string, std::string>>{
           {"s = sum(i)(a(i))\n", "f64"},                                         // a sum
           {"s = sum(i)(a(i) * b(i))\n", "f64"},                                  // of products
           {"c(i) = 0.25 * a(i) + 0.75 * b(i)\n", "f64"},                         // blending two pictures
           {"c(i) = a(i-1) && a(i) && a(i+1) : 1 <= i, i < n - 1\n", "bool"}}) {  // erosion
    CAPTURE(program);
    CHECK(steps(8, program, type) == steps(64, program, type));
    CHECK(steps(64, program, type) < 400);
  }
}

TEST_CASE("what is stored in runs of rows is dealt with once for all rows of a run") {
  const std::vector<std::vector<std::string>> picture = {
      {"0", "0", "0", "0", "0", "0"}, {"0", "1", "1", "1", "1", "0"}, {"1", "1", "1", "1", "1", "0"},
      {"1", "1", "1", "1", "1", "0"}, {"0", "1", "1", "1", "0", "0"}, {"0", "0", "0", "0", "0", "1"}};
  const auto steps = [&](int times, const std::string& format, const std::string& program) {
    std::vector<std::string> rows;
    for (const auto& row : picture) rows.push_back(magnified(row, times));
    const std::string of = "(n, n): " + format;
    return interpreted(subject("param n = " + std::to_string(6 * times) + "\ntensor a" + of + "; tensor b" + of +
                               "; tensor t" + of + "; tensor c" + of +
                               "; tensor x(n); tensor y(n); tensor s\nfill_with a " + magnified(rows, times) +
                               "\nfill_with b " + magnified(rows, times) + "\n" + program))
        .steps;
  };
  const std::string erosion =
      "t(y,x) = coalesce(a(~(y-1),x), true) && a(y,x) && coalesce(a(~(y+1),x), true)\n"
      "c(y,x) = coalesce(t(y,~(x-1)), true) && t(y,x) && coalesce(t(y,~(x+1)), true)\norder y x\n";
  for (const auto& [program, format] : std::vector<std::pair<std::string, std::string>>{
           {"s = sum(i,j)(a(i,j))\norder i j\n", "{rle, rle}"},
           {"s = max(i,j)(a(i,j) * b(i,j))\norder i j\n", "{sparse_rle, sparse_rle}"},
           {"c(i,j) = 0.25 * a(i,j) + 0.75 * b(i,j)\norder i j\n", "{rle, rle}"},
           {"c(i,j) = a(i,j) * b(i,j)\norder i j\n", "{rle, sparse_rle}"},
           {erosion, "{rle, sparse_rle, pattern}"}}) {
    CAPTURE(program);
    CAPTURE(format);
    CHECK(steps(4, format, program) == steps(32, format, program));
  }
  // Dense rows of n are multiplied once for each run of rows, dense results copied for each of the others.
  const std::string product = "y(i) = a(i,j) * x(j)\norder i j\n";
  CHECK(steps(32, "{rle, dense}", product) < 2 * 5 * 6 * 32 + 4 * 6 * 32);
}

TEST_CASE("an execution stops at its limit, or where its observer says") {
  const Subject s = subject("param n = 100; tensor x(n); tensor y(n)\ny(i) = x(i) + 1\n");
  flow::Options options;
  options.most_steps = 20;
  CHECK(interpreted(s, nullptr, options).end == Execution::End::limit);
  class Stops : public flow::Observer {
    Go begin(const flow::Moment& m) override { return m.step > 5 ? Go::stop : Go::on; }
  } stops;
  const Execution stopped = interpreted(s, &stops);
  CHECK(stopped.end == Execution::End::stopped);
  CHECK(stopped.steps == 6);
  CHECK(s.found.tensors.at("y").get_flat(99).real == 0);
}

TEST_CASE("faults are those of kernels, with their place") {
  const Subject outside =
      subject("param n = 3; tensor p(n): i64; tensor x(n); tensor y(n)\nfill_with p [0, 7, 1]\ny(i) = x(p(i))\n");
  const Execution e = interpreted(outside);
  REQUIRE(e.fault);
  CHECK(e.fault->kind == FaultKind::index_out_of_range);
  CHECK(e.fault->message == "index p(i) of x is out of range");
  CHECK(e.fault->loops == flow::LoopValues{{"i", 1}});
  CHECK(e.fault->span.known());

  const Subject runs = subject("tensor a(4)\nfill_with a [2, 2, 0, 5]\ntensor b(4): interval\nb(i) = a(i)\n");
  const Execution second = interpreted(runs);
  REQUIRE(second.fault);
  CHECK(second.fault->kind == FaultKind::region_taken);
  CHECK(second.fault->message == "b: interval has no room for element (3): `interval` holds one run of equal values");

  const Subject divided =
      subject("param n = 2; tensor a(n): i64; tensor b(n): i64; tensor c(n): i64\nc(i) = a(i) / b(i)\n");
  REQUIRE(interpreted(divided).fault);
  CHECK(interpreted(divided).fault->message == "integer division by zero");

  const Subject large = subject(
      "param n = 4; tensor a(n): {compressed}; tensor b(n): {compressed}\nfill_with a [1, 2, 3, 4]\nb(i) = a(i) + 1\n");
  flow::Options options;
  options.most_bytes = 24;
  const Execution full = interpreted(large, nullptr, options);
  CHECK(full.end == Execution::End::fault);
}

TEST_CASE("a flow that leaves an array is unsound, and says so") {
  using namespace flows;
  const Expr n = size("n"), i = var("i");
  const auto f = flow_of("beyond", {"n"}, {array("x", {n}, operand), array("y", {n}, result)},
                         {flows::loop("i", num(0), n + num(1), {set("y", {i}, get("x", {i}))})});
  const Execution e = flow::interpret(
      f, {{{"n", Value::of_integer(ScalarType::i64, 2)}}, {{"x", reals({1, 2})}, {"y", reals({0, 0})}}});
  REQUIRE(e.fault);
  CHECK(e.fault->kind == FaultKind::unsound);
  CHECK(e.fault->message == "x: the values are left");
  CHECK(e.fault->loops == flow::LoopValues{{"i", 2}});
}
