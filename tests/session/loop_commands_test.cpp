// Commands on kernels that are loop programs.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string prefix =
    "param n = 4; tensor x(n): i64; tensor y(n): i64; fill_with x [1, 2, 3, 4]\n"
    "kernel scan { loops { y(0) = x(0); for i in 1:n { y(i) = y(i-1) + x(i) } } }\n";

}  // namespace

TEST_CASE("a loop program runs, checks, prints and answers in JSON") {
  Transcript t;
  const auto answer = t.run(prefix + "run\ncheck\nprint y\n");
  CHECK(answer.ok());
  CHECK(answer.last("run")["kernels"][0]["kernel"] == "scan");
  CHECK(answer.last("check")["coverage"] == "full");
  CHECK(answer.last("check")["first_difference"].is_null());
  CHECK(t.value("y") == "[1 3 6 10]");
}

TEST_CASE("a loop program runs again on what it left") {
  Transcript t;
  t.run("tensor count: i64; loops { count += 1 }\nrun\nrun\n");
  CHECK(t.value("count") == "2");
  CHECK(t.say("check").ok());
}

TEST_CASE("a program of loops alone runs and prints its results") {
  Transcript t;
  CHECK(t.run("loops { for i in 0:3 { z(i) = i } }").output.find("z = [0 1 2]") != std::string::npos);
  CHECK(Transcript().run("loops { }").ok());
}

TEST_CASE("show gives the stages that a loop program has") {
  Transcript t;
  t.say(prefix);
  CHECK(t.say("show loops scan").output.find("y(i) = y(i-1) + x(i)") != std::string::npos);
  CHECK(t.say("show cfir scan").ok());
  CHECK(t.say("show c scan").output.find("for (int64_t i = 1; i < n; i++)") != std::string::npos);
  CHECK(t.say("show memory scan").ok());
  CHECK(t.say("show schedule scan").ok());
  for (const char* stage : {"equations", "fragments", "graph", "placement"}) CHECK(t.say("show " + std::string(stage) + " scan").codes == "E0268");
}

TEST_CASE("an index out of range stops the kernel with its place and values") {
  Transcript t;
  const auto answer = t.run("param n = 3; tensor x(n); tensor p(n): i64; fill_with p [0, 2, 5]\nloops { for i { x(p(i)) = 1 } }\nrun\n");
  CHECK(answer.exit == session::Exit::kernel_failed);
  CHECK(answer.codes == "E0502");
  CHECK(answer.last("run")["diagnostics"][0]["column"] == 19);
  CHECK(Transcript().run("param n = 0; tensor x(n); loops { x(0) = 1 }\nrun\n").codes == "E0502");
}

TEST_CASE("an endless loop is stopped by the time limit") {
  session::Options options;
  options.limits.seconds = 0.2;
  Transcript t(options);
  CHECK(t.run("tensor s; loops { while s == 0 { s *= 2 } }\nrun\n").codes == "E0504");
}

TEST_CASE("loop programs and equations follow each other as kernels") {
  Transcript t;
  t.run("param n = 3; tensor x(n); random x seed 1\nkernel a { y(i) = 2*x(i) }; kernel b { loops { for i { y(i) += 1 } } }; kernel c { z(i) = y(i) }\n"
        "run\ncheck\n");
  CHECK(t.value("z") == t.value("y"));
}

TEST_CASE("a loop runs in parallel as it says, or is refused") {
  const std::string world = "param n = 50; tensor x(n): i64; tensor p(n): i64; tensor s: i64; random x seed 1 density 1 range 0:9\n";
  Transcript t;
  CHECK(t.run(world + "loops { for i parallel { s += x(i) } }\nrun native threads 2\ncheck\n").ok());
  CHECK(t.say("show loops").output.find("forall i in 0:n reduces s parallel {") != std::string::npos);
  CHECK(Transcript().run(world + "loops { for i in 1:n parallel { x(i) = x(i-1) } }\nrun\n").codes == "E0107");
  CHECK(Transcript().run(world + "loops { forall i in 1:n { x(i) = x(i-1) } }\nrun\n").codes == "E0107");
  CHECK(Transcript().run(world + "loops { for i in 1:n vectorize { x(i) = x(i-1) } }\nrun\n").codes == "E0142");
  CHECK(Transcript().run(world + "loops { for i parallel { x(p(i)) = 1 } }\nrun\n").codes == "E0107");
  CHECK(Transcript().run(world + "loops { for i parallel { let k = p(i) + 60 { x(i) = p(k) } } }\nrun native threads 2\n").codes == "E0502");
}

TEST_CASE("order and schedule commands transform loop programs, or say why not") {
  const std::string world = "param n = 4; tensor A(n, n): i64; tensor B(n, n): i64; random B seed 1 density 1 range 0:9\n";
  Transcript t;
  CHECK(t.run(world + "loops { for i, j { A(i,j) = B(j,i) } }\norder j i\nrun\ncheck\n").ok());
  CHECK(t.say("show loops").output.find("j in 0:n {\n  for") != std::string::npos);
  CHECK(t.say("orders").codes == "E0268");
  CHECK_FALSE(Transcript().run(world + "loops { for i in 1:n, j in 0:n-1 { A(i,j) = A(i-1,j+1) + 1 } }\norder j i\nrun\n").ok());
}
