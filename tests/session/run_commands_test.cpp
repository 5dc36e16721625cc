// run, check, and what surrounds them: announcements, kernels, options of the command line.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Answer;
using testing::contains;
using testing::Transcript;

namespace {

const std::string product = R"(
tensor A(n, n); tensor x(n)
y(i) = A(i, j) * x(j)
fill_with A [[1, 2], [3, 4]]; fill_with x [10, 1]
)";

session::Options with_size(const std::string& name, std::int64_t value) {
  session::Options options;
  options.parameters[name] = format::Value::of_integer(format::ScalarType::i64, value);
  return options;
}

session::Options with_order(const std::string& kernel, const std::string& order) {
  session::Options options;
  options.orders[kernel] = *lang::parse_order(order);
  return options;
}

}  // namespace

TEST_CASE("a program without a run line is run, and its results are printed") {
  const auto answer = Transcript().run(product);
  CHECK(answer.ok());
  CHECK(answer.output == "y = [12 34]\n");
  CHECK(answer.last("print")["tensor"] == "y");
}

TEST_CASE("a program that shows something is run, and prints nothing else") {
  const std::string program = "tensor x(2): f64 fill 3\ny(i) = 2 * x(i)\n";
  for (const std::string command : {"print x", "x(1)", "show loops", "orders", "why i", "plot x"}) {
    CAPTURE(command);
    Transcript t;
    const Answer answer = t.run(program + command);
    CHECK(answer.ok());
    CHECK_FALSE(answer.last("run").is_null());
    CHECK_FALSE(contains(answer.output, "y = "));
    CHECK(t.value("y") == "[6 6]");
  }
  // What prints nothing shows nothing.
  CHECK(contains(Transcript().run(program + "order i\nfill_with x [1, 2]").output, "y = [2 4]\n"));
  // What is shown has computed what it needs, and nobody asked for the rest.
  const Answer asked = Transcript().run(program + "kernel other { z(i) = x(i) }\nprint y");
  CHECK(asked.last("run").is_null());
  CHECK(asked.output == "y = [6 6]\n");
}

TEST_CASE("a large result that nobody asked for by name is summarised wherever it goes") {
  Transcript t;
  const Answer answer = t.run("tensor x(50, 50): f64 fill 3\ny(i,j) = i + x(i,j)\n");
  CHECK(answer.output.starts_with("y = dense 50 x 50, 2500 elements, least 3, greatest 52; `print y whole` prints "));
  CHECK(answer.last("print")["entries"].size() == 2500);
  CHECK(t.say("print y").output.size() > 2500);
}

TEST_CASE("a program with a run line prints what it asks for") {
  CHECK(Transcript().run(product + "run").output == "");
  CHECK(Transcript().run(product + "run\nprint x").output == "x = [10 1]\n");
}

TEST_CASE("a run computes a result of which no element is defined") {
  Transcript t;
  const auto ran = t.say(
      "tensor a(4): compressed; tensor y(4): compressed\nfill_with a [1, 0, 2, 0]\ny(i) = a(i) : i < 0\nrun\nprint "
      "y\ncheck");
  CHECK(ran.ok());
  CHECK(ran.codes == "W0601");
  CHECK(ran.output ==
        "y = compressed 4, 0 entries\nmain: agrees with the reference on 4 elements (largest relative error 0)\n");
}

TEST_CASE("run says kernel, back end, order and times") {
  Transcript t;
  t.say(product);
  const auto json = t.say("run").last("run");
  CHECK(json["ok"] == true);
  CHECK(json["line"] == 1);
  const auto& kernel = json["kernels"].at(0);
  CHECK(kernel["kernel"] == "main");
  CHECK(kernel["backend"] == "jit");
  CHECK(kernel["order"].size() == 2);
  CHECK(kernel["compile_ms"].get<double>() >= 0);
  CHECK(kernel["run_ms"].get<double>() >= 0);
  CHECK(kernel["stages_ms"].size() >= 4);
  CHECK(t.say("run native").last("run")["kernels"].at(0)["backend"] == "native");
  CHECK(t.say("run jit threads 2").ok());
  CHECK(t.say("run threads 0").codes == "E0601");
  CHECK(t.say("run fast").codes == "E0605");
}

TEST_CASE("what an order leaves out goes innermost, as it stands") {
  Transcript t;
  const auto answer = t.say(
      "param n = 3; tensor A(n, n); tensor C(n, n); C(i,j) = sum(k)(A(i,k)*A(k,j)); order k\nrandom A seed "
      "1\nrun\ncheck");
  CHECK(answer.ok());
  CHECK(answer.codes == "N0204");
  CHECK(testing::contains(answer.messages(), "order k i j: what is not listed goes innermost"));
  CHECK(answer.last("run")["kernels"].at(0)["order"] == nlohmann::json{"k", "i", "j"});
  CHECK(t.say("order j-\nrun").codes == "N0204");
  CHECK(t.say("show loops").codes == "");
  // Another loop stands for k, so that nothing is left out.
  CHECK(Transcript().say("param n = 3; tensor x(n); tensor y(n); x(i) = i; y(k) = 2*x(k); order i\nrun\ncheck").codes ==
        "");
  // An order that is illegal whatever comes innermost says what it reads too early.
  const auto refused =
      Transcript().say("param n = 3; tensor H(n, n); H(i,j) = H(i-1,j+1) + 1 : 1 <= i, j < n-1; order j\nrun");
  CHECK(refused.codes == "N0204 E0101");
  CHECK(testing::contains(refused.messages(), "order j i reads H before it is computed"));
}

TEST_CASE("what is announced is announced once") {
  Transcript t;
  const auto first = t.say(product + "run");
  CHECK(first.codes == "N0202 N0201");
  CHECK(t.say("run\ncheck\nprint y").codes == "");
  CHECK(t.say("z(i) = y(i)\nrun").codes == "N0201");
}

TEST_CASE("check compares with the reference") {
  Transcript t;
  t.say(product);
  const auto answer = t.say("check");
  CHECK(answer.ok());
  const auto json = answer.last("check");
  CHECK(json["coverage"] == "full");
  CHECK(json["max_rel_error"] == 0);
  CHECK(json["first_difference"].is_null());
  CHECK(answer.output == "main: agrees with the reference on 2 elements (largest relative error 0)\n");
}

TEST_CASE("check finds the difference that another order of a loop program makes") {
  // From the left (1 + 1e16) - 1e16 is 0; from the right (-1e16 + 1e16) + 1 is 1.
  const std::string data = "; order k-; fill_with x [1, 1e16, -1e16]; run; check";
  const auto answer = Transcript().run("tensor x(3); tensor s; loops { for k { s += x(k) } }" + data);
  CHECK(answer.exit == session::Exit::difference);
  const auto json = answer.last("check");
  CHECK(json["ok"] == false);
  CHECK(json["first_difference"]["tensor"] == "s");
  CHECK(json["first_difference"]["index"].empty());
  CHECK(json["first_difference"]["got"] == 1);
  CHECK(json["first_difference"]["expected"] == 0);
  CHECK(json["kernels"][0]["by"] == "elements");
  CHECK(answer.output.find("differs at s: got 1, expected 0") != std::string::npos);
  // An equation holds on either of them.
  const auto holds = Transcript().run("tensor x(3); s = sum(k)(x(k))" + data);
  CHECK(holds.ok());
  CHECK(holds.last("check")["kernels"][0]["by"] == "equations");
}

TEST_CASE("check is about what the kernel left, whatever happened to its tensors since") {
  Transcript t;
  t.say(product + "run\nrandom x\nrandom A");
  CHECK(t.say("check").ok());
}

TEST_CASE("check runs a kernel anew that was defined anew") {
  Transcript t;
  t.say(product + "run");
  CHECK(t.say("z(i) = 2 * x(i)\ncheck").ok());
  CHECK(t.value("z") == "[20 2]");
}

TEST_CASE("kernels run in the order in which they begin, on what earlier ones left") {
  Transcript t;
  const auto answer = t.say(
      "tensor x(3); fill_with x [1, 2, 3]\n"
      "kernel first { y(i) = x(i) + 1 }\nkernel second { z(i) = 10 * y(i) }\nrun");
  CHECK(answer.ok());
  CHECK(answer.last("run")["kernels"].size() == 2);
  CHECK(answer.last("run")["kernels"].at(1)["kernel"] == "second");
  CHECK(t.value("z") == "[20 30 40]");
  CHECK(t.say("fill_with x [0, 0, 0]\nrun first").last("run")["kernels"].size() == 1);
  CHECK(t.value("y") == "[1 1 1]");
  CHECK(t.say("check").output.find("second: agrees") != std::string::npos);
  CHECK(t.value("z") == "[10 10 10]");  // of what the first one has left now
  CHECK(t.say("run frist").messages().find("did you mean `first`?") != std::string::npos);
}

TEST_CASE("a kernel that stops changes nothing") {
  Transcript t;
  t.say(
      "tensor a(2): i32; tensor d(2): i32; tensor q(2): i32\nq(i) = a(i) / d(i)\n"
      "fill_with a [6, 8]; fill_with d [2, 4]; run");
  CHECK(t.value("q") == "[3 2]");
  const auto stopped = t.say("fill_with d [1, 0]\nrun");
  CHECK(stopped.exit == session::Exit::kernel_failed);
  CHECK(stopped.codes == "E0502");
  CHECK(stopped.messages().find("integer division by zero") != std::string::npos);
  CHECK(t.value("d") == "[1 0]");
  CHECK(t.say("check").ok());
  CHECK(t.value("q") == "E0502");  // of these data there is none
  t.say("fill_with d [2, 4]");
  CHECK(t.value("q") == "[3 2]");
}

TEST_CASE("the first failure ends a text, the session lives on") {
  Transcript t;
  CHECK(t.say("tensor x(2)\nprint z\nfill_with x [1, 2]").codes == "E0615");
  CHECK(t.value("x") == "[0 0]");
}

TEST_CASE("nothing of a text runs when any of it is wrong") {
  Transcript t;
  t.say("tensor x(2)");
  const auto answer = t.say("fill_with x [1, 2]\ny(i) = x(i) +\nprnt x\nw(i) = v(i)");
  CHECK(answer.replies.size() == 1);
  CHECK(answer.codes == "E0010 E0611");
  CHECK(t.say("fill_with x [1, 2]\nw(i) = v(i)").codes == "E0201");
  CHECK(t.value("x") == "[0 0]");
}

TEST_CASE("-D gives sizes, and goes before param") {
  Transcript t(with_size("n", 3));
  t.say("param n = 5; tensor x(n)");
  CHECK(t.value("x") == "[0 0 0]");
  Transcript unbound(with_size("m", 2));
  unbound.say("tensor x(m)");
  CHECK(unbound.value("x") == "[0 0]");
  const auto unknown = Transcript(with_size("q", 3)).run("tensor x(3)\ny(i) = x(i)");
  CHECK(unknown.exit == session::Exit::wrong_command_line);
  CHECK(unknown.codes == "E0612");
}

TEST_CASE("--set orders the loops, before what the program says") {
  const std::string program = "param n = 3; tensor A(n, n)\nkernel k { C(i, j) = A(j, i); order i j }\nrun";
  const auto order = [&](session::Options options) {
    return Transcript(std::move(options)).run(program).last("run")["kernels"].at(0)["order"];
  };
  CHECK(order({}) == nlohmann::json{"i", "j"});
  CHECK(order(with_order("", "j,i")) == nlohmann::json{"j", "i"});
  CHECK(order(with_order("k", "j i")) == nlohmann::json{"j", "i"});
  Transcript t(with_order("k", "j,i-"));
  t.run(program);
  CHECK(t.say("show schedule").output == "order j i-\n");
  CHECK(Transcript(with_order("other", "j,i")).run(program).exit == session::Exit::wrong_command_line);
  CHECK(Transcript(with_order("k", "z")).run(program).codes == "E0612");
  CHECK(Transcript(with_order("", "z")).run(program).codes == "E0612");
}

TEST_CASE("inside a kernel tensors may be declared and filled, other commands are refused") {
  Transcript t;
  const auto filled = t.say("kernel k {\n  tensor x(n)\n  y(i) = 2 * x(i)\n  fill_with x [1, 2]\n}\nrun k");
  CHECK(filled.ok());
  CHECK(filled.last("fill_with")["line"] == 4);
  CHECK(t.value("y") == "[2 4]");
  const auto answer = Transcript().say("tensor x(2)\nkernel k {\n  y(i) = x(i)\n  print x\n  run\n  ordr i\n}");
  CHECK(answer.codes == "E0607 E0607 E0611");
  CHECK(answer.messages().find("write it behind the `}` of kernel k") != std::string::npos);
}

TEST_CASE("sizes of zero work everywhere") {
  Transcript t(with_size("n", 0));
  CHECK(t.run("tensor A(n, n); tensor x(n)\ny(i) = A(i, j) * x(j)\ns = sum(i)(x(i))\nrandom A; random x; run; check; "
              "print y; print s")
            .output == "main: agrees with the reference on 1 element (largest relative error 0)\ny = []\ns = 0\n");
}
