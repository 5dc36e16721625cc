// The interpreter: results, the order in which an observer sees effects, limits and faults.

#include "engine/loop/interpret.hpp"
#include "engine/tensor/convert.hpp"
#include "tests/loop/notation.hpp"

using namespace trellis;
using namespace trellis::loop;
using namespace trellis::loop::testing;

namespace {

Bindings memory(std::int64_t n) {
  Bindings bindings;
  bindings.parameters["n"] = format::Value::of_integer(format::ScalarType::i64, n);
  bindings.parameters["m"] = format::Value::of_integer(format::ScalarType::i64, 2);
  bindings.parameters["half"] = format::Value::of(format::ScalarType::f64, 0.5);
  for (const auto& info : world().tensors) {
    tensor::Index shape;
    for (const auto& size : info.shape) {
      shape.push_back(*size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
        return bindings.parameters.at(name).integer;
      }));
    }
    bindings.tensors[info.name] = *tensor::Tensor::create(info.type, shape, info.format, info.fill);
  }
  return bindings;
}

double at(const Bindings& bindings, const std::string& tensor, tensor::Index index) {
  return bindings.tensors.at(tensor).get(index).as_double();
}

/// `i=1: x(0)->3 x(1)<-4`: each read and write where it happens.
struct Trace : Observer {
  std::string text;
  std::int64_t stop_after = 0;
  Go begin(const Moment& moment) override { return stop_after && moment.step > stop_after ? Go::stop : Go::on; }
  void read(const Moment& moment, const Element& element, const format::Value& value) override {
    add(moment, element, element.defined ? "->" : "?->", value);
  }
  void write(const Moment& moment, const Element& element, const format::Value&, const format::Value& after) override {
    add(moment, element, "<-", after);
  }
  void add(const Moment& moment, const Element& element, const char* arrow, const format::Value& value) {
    for (const auto& [name, number] : moment.loops) text += name + "=" + std::to_string(number) + " ";
    text += element.tensor + "(";
    for (std::size_t d = 0; d < element.index.size(); ++d) text += (d ? "," : "") + std::to_string(element.index[d]);
    text += ")" + std::string(arrow) + format::to_string(value) + "\n";
  }
};

Execution run(const std::string& notation, const Bindings& bindings, const Options& options = {},
              Observer* observer = nullptr) {
  return interpret(loops(notation), bindings, options, observer);
}

}  // namespace

TEST_CASE("Cholesky of [[4,2],[2,5]]") {
  Bindings b = memory(2);
  const auto set = [&](tensor::Index index, double v) {
    b.tensors.at("A").set(index, format::Value::of(format::ScalarType::f64, v));
  };
  set({0, 0}, 4);
  set({1, 0}, 2);
  set({0, 1}, 2);
  set({1, 1}, 5);
  const Execution e = run(R"(for i in 0:n {
      for j in 0:i {
        tensor t: f64; t = 0
        for k in 0:j { t += L(i,k)*L(j,k) }
        L(i,j) = (A(i,j) - t)/L(j,j) }
      tensor d: f64; d = 0
      for k in 0:i { d += L(i,k)^2 }
      L(i,i) = sqrt(A(i,i) - d) })",
                          b);
  CHECK(e.end == Execution::End::finished);
  CHECK(at(b, "L", {0, 0}) == 2);
  CHECK(at(b, "L", {1, 0}) == 1);
  CHECK(at(b, "L", {1, 1}) == 2);
}

TEST_CASE("an observer sees reads and writes in order") {
  Trace trace;
  run("for i down in 0:n { x(i) = 1; s += x(i) }", memory(2), {}, &trace);
  CHECK(trace.text ==
        "i=1 x(1)<-1\ni=1 x(1)->1\ni=1 s()->0\ni=1 s()<-1\n"
        "i=0 x(0)<-1\ni=0 x(0)->1\ni=0 s()->1\ni=0 s()<-2\n");
}

TEST_CASE("an observer stops where it likes, and a limit ends what does not end") {
  Trace trace;
  trace.stop_after = 4;  // the loop, its first iteration, two assignments
  const Bindings b = memory(3);
  CHECK(run("for i in 0:n { x(i) = 1; y(i) = 1 }", b, {}, &trace).end == Execution::End::stopped);
  CHECK(trace.text == "i=0 x(0)<-1\ni=0 y(0)<-1\n");
  Options options;
  options.max_steps = 1000;
  const Execution e = run("while true { s += 1 }", b, options);
  CHECK(e.end == Execution::End::limit);
  CHECK(e.steps == 1000);
}

TEST_CASE("reading what nothing has written is a fault") {
  const Execution e = run("for i in 0:n { tensor t: f64; if i == 0 { t = 1 }; s += t }", memory(2));
  REQUIRE(e.fault);
  CHECK(e.fault->kind == FaultKind::undefined_read);
  CHECK(e.fault->loops == LoopValues{{"i", 1}});
  CHECK(e.fault->message == "t() is read before it is written");
}

TEST_CASE("a poisoned tensor shows reads that come too early") {
  Options options;
  options.poisoned = {"x"};
  const std::string early = "for i down in 1:n { x(i) = x(i-1) }";
  CHECK(run(early, memory(2), options).fault->message == "x(0) is read before it is written");
  options.undefined = Options::Undefined::allow;
  Trace trace;
  CHECK(run(early, memory(2), options, &trace).end == Execution::End::finished);
  CHECK(trace.text == "i=1 x(0)?->0\ni=1 x(1)<-0\n");
}

TEST_CASE("faults of arithmetic and indices") {
  CHECK(run("p(0) = 1 / p(1)", memory(2)).fault->kind == FaultKind::division_by_zero);
  const Execution e = run("x(p(0) + 5) = 1", memory(2));
  CHECK(e.fault->kind == FaultKind::index_out_of_range);
  CHECK(e.fault->message == "index (5) is outside x(2)");
  CHECK(e.fault->statement == 1);
  Bindings empty = memory(2);
  empty.tensors.erase("y");
  CHECK(run("x(0) = y(0)", empty).fault->kind == FaultKind::unbound);
}

TEST_CASE("conditions guard what stands behind them") {
  const Bindings b = memory(0);
  CHECK(run("if 0 < n && F(0) { s = 1 }", b).end == Execution::End::finished);
  CHECK(run("s = 0 < n ? x(0) : half", b).end == Execution::End::finished);
  CHECK(at(b, "s", {}) == 0.5);
}

TEST_CASE("let, while, else, reset") {
  const Bindings b = memory(4);
  run("x .= 2; let v = x(3)*3 { while s < v { s += 4 } }; if s == 8 { y(0) = 1 } else { y(0) = 2 }", b);
  CHECK(at(b, "s", {}) == 8);
  CHECK(at(b, "y", {0}) == 1);
}

TEST_CASE("sparse tensors are read, and written by whoever shares them") {
  Bindings b = memory(2);
  const auto csr = [](const tensor::Tensor& t) { return *with_format(t, *format::Format::named("csr", 2)); };
  const auto set = [&](tensor::Index index, double v) {
    b.tensors.at("A").set(index, format::Value::of(format::ScalarType::f64, v));
  };
  set({1, 0}, 3);
  b.tensors.at("A") = csr(b.tensors.at("A"));
  b.tensors.at("L") = csr(b.tensors.at("L"));
  const tensor::Tensor shared = b.tensors.at("L");
  CHECK(run("for i in 0:n {\n  for j in 0:n {\n    L(i,j) = 2 * A(i,j)\n  }\n}\n", b).end == Execution::End::finished);
  CHECK(shared.get(tensor::Index{1, 0}).as_double() == 6);
  CHECK(shared.entries() == 1);
}

TEST_CASE("a result that its level has no room for is a fault that names the element") {
  Bindings b = memory(4);
  format::Format interval;
  interval.name = "";
  interval.levels = {{"interval", {}}};
  interval.order = {0};
  const auto fill = format::Value::of(format::ScalarType::f64, 0);
  b.tensors["x"] = *tensor::Tensor::create(format::ScalarType::f64, {4}, interval, fill);
  const Execution e = run("x(0) = 2\nx(1) = 2\nx(3) = 5", b);
  REQUIRE(e.end == Execution::End::fault);
  CHECK(e.fault->kind == FaultKind::region_taken);
  CHECK(e.fault->index == tensor::Index{3});
  CHECK(e.fault->message == "x: interval has no room for element (3): `interval` holds one run of equal values");
}
