// Plans of kernels whose equations alone were written: copies of operands in the order of the loops.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

/// A matrix beside its transposition, large enough for a plan.
Transcript sum_with_transposition(const std::string& schedule = "") {
  Transcript t;
  REQUIRE(t.say("param n = 600\ntensor A(n, n): csr\nrandom A seed 1 density 0.05\nS(i,j) = A(i,j) + A(j,i)" + schedule)
              .ok());
  return t;
}

}  // namespace

TEST_CASE("an operand that loops would search against its storage is read from a copy") {
  Transcript t = sum_with_transposition();
  CHECK(t.say("run").codes == "N0201 N0610");
  CHECK(contains(t.say("show loops").output, "A(i,j) + A_csc(j,i)"));
  CHECK(contains(t.say("show equations").output, "A(i,j) + A(j,i)"));
  CHECK(t.say("check").ok());
  CHECK(!contains(t.say("list").output, "A_csc"));
  CHECK(t.say("run").codes.empty());  // it is said once
}

TEST_CASE("a copy is made anew of other values, and of entries in other places") {
  Transcript t = sum_with_transposition();
  t.say("run");
  CHECK(t.enter({"random A seed 2 density 0.05", "run", "check"}).ok());
  CHECK(t.enter({"random A seed 2 density 1", "run", "check"}).ok());
  CHECK(t.enter({"random A seed 3 density 1", "run", "check"}).ok());
  CHECK(t.enter({"undo", "undo", "run", "check"}).ok());
}

TEST_CASE("an order or a step of the loops is carried out as it is written") {
  Transcript ordered = sum_with_transposition("\norder i j");
  CHECK(contains(ordered.say("run").codes, "W0210"));
  CHECK(!contains(ordered.say("show loops").output, "A_csc"));
  Transcript stepped = sum_with_transposition("\nparallel i");
  CHECK(!contains(stepped.say("run").codes, "N0610"));
}

TEST_CASE("a copy is nobody's tensor: other names, other data and other formats stay right") {
  Transcript t;
  t.say("param n = 600\ntensor A(n, n): csr\ntensor A_csc(n)\nrandom A seed 1 density 0.05\nrandom A_csc seed 2");
  CHECK(t.say("S(i,j) = A(i,j) + A(j,i) * A_csc(j)\nrun").ok());
  CHECK(contains(t.say("show loops").output, "A_csc_(j,i)*A_csc(j)"));
  CHECK(t.say("check").ok());
  CHECK(t.enter({"format A csc", "run", "check"}).ok());
  CHECK(t.enter({"format A dense", "run", "check"}).ok());
  CHECK(!contains(t.say("show loops").output, "A_csc_"));
}

TEST_CASE("tensors that the program itself derives are no copies of a plan") {
  Transcript t;
  t.say("param n = 30\ntensor A(n, n): csr\ntensor L(n, n): csr\nrandom A seed 1 spd density 0.1");
  const auto ran = t.say(
      "kernel factor { L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\nmask L auto }\nrun factor");
  CHECK(ran.ok());
  CHECK(!contains(ran.codes, "N0610"));
}

namespace {

/// A matrix of which an index tensor chooses columns.
Transcript chosen_columns(const std::string& equation) {
  session::Options options;
  options.least_planned = 0;
  Transcript t(options);
  REQUIRE(t.say("param n = 400\nparam m = 60\ntensor X(n, n): csr\ntensor q(m): i64\ntensor p(m): i64\n"
                "tensor w(m)\nrandom X seed 1 density 0.05\nrandom q range 0:400 seed 2\nrandom p range 0:400 "
                "seed 3\nrandom w seed 4\n" +
                equation)
              .ok());
  return t;
}

}  // namespace

TEST_CASE("columns that an index tensor chooses are read from a copy by columns where that is estimated to take less") {
  Transcript t = chosen_columns("y(i) = X(i,q(b)) * w(b)");
  CHECK(contains(t.say("run").codes, "N0610"));
  CHECK(contains(t.say("plan").output, "q_lists of q"));
  CHECK(contains(t.say("show loops").output, "X_csc"));
  CHECK(t.say("check").ok());
}

TEST_CASE("elements that an index tensor chooses are walked to along its inverse lists") {
  for (const std::string equation : {"Z(i,b) = X(i,q(b))", "Z(a,b) = X(p(a),q(b))", "Z(i,b) = 2 * X(i,q(b)) + w(b)",
                                     "Z(i,b) = X(i,q(b)) : b < 20"}) {
    Transcript t = chosen_columns(equation);
    CAPTURE(equation);
    CHECK(contains(t.say("run").codes, "N0612"));
    CHECK(contains(t.say("show loops").output, "q_lists(c,b)"));
    CHECK(contains(t.say("show equations").output, "X(i,q(b))") != contains(equation, "p(a)"));
    CHECK(t.say("check").ok());
    CHECK(!contains(t.say("list").output, "lists"));
    CHECK(contains(t.say("print X_q").messages(), "X_q"));  // which nobody has
    CHECK(t.enter({"random q range 0:400 seed 5", "run", "check"}).ok());
    CHECK(t.enter({"random q range 0:40 seed 5", "run", "check"}).ok());  // each of them several times
    CHECK(t.enter({"undo", "run", "check"}).ok());
  }
}

TEST_CASE("an index that chooses nothing stays an error, or nobody's business where no loop comes to it") {
  Transcript t = chosen_columns("Z(i,b) = X(i,q(b)) : b < 20");
  const auto with = [](int place, int value) {
    std::string list = "fill_with q [0";
    for (int b = 1; b < 60; ++b) list += ", " + std::to_string(b == place ? value : 7 * b % 400);
    return list + "]";
  };
  CHECK(t.enter({with(5, 7), "run", "check"}).ok());
  CHECK(contains(t.say("show loops").output, "q_lists"));
  t.say(with(5, 400));
  CHECK(t.say("run").codes == "E0502");
  CHECK(t.enter({with(50, -1), "run", "check"}).ok());
  CHECK(!contains(t.say("show loops").output, "q_lists"));
  CHECK(t.enter({with(50, 1), "run", "check"}).ok());
  CHECK(contains(t.say("show loops").output, "q_lists"));
}

TEST_CASE("what a kernel made before has no part in how it runs again") {
  session::Options options;
  options.least_planned = 0;
  for (const std::string declared : {"tensor L(n, n): csr", "tensor L(n, n): csc", "tensor L(n, n)", ""}) {
    Transcript t(options);
    CAPTURE(declared);
    t.say("param n = 60\ntensor A(n, n): csr\nrandom A seed 1 spd density 0.1\n" + declared +
          "\nL(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
          "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i");
    CHECK(t.say("run").ok());
    const std::string loops = t.say("show loops").output;
    CHECK(t.say("run").ok());
    CHECK(t.say("show loops").output == loops);
    CHECK(t.say("check").ok());
  }
}

TEST_CASE("a result is collected in a table where its rows are long and empty, but not where somebody says otherwise") {
  const std::string data =
      "param n = 2000\nparam m = 4000000\ntensor A(n, n): csr\ntensor B(n, m): csr\n"
      "random A seed 1 density 0.005\nrandom B seed 2 density 0.000002\nC(i,k) = A(i,j) * B(j,k)\n";
  session::Options options;
  options.least_planned = 1e5;
  Transcript planned(options), written(options), narrow(options), own(options);
  CHECK(contains(planned.say(data + "run").codes, "N0614"));
  CHECK(contains(planned.say("show formats").output, "hashed"));
  CHECK(contains(planned.say("plan").output, "workspace C_w for C(i,:) hash"));
  CHECK(!contains(planned.say("run").codes, "N0614"));  // it is said once
  CHECK(!contains(written.say(data + "plan off\nrun").codes, "N0614"));
  CHECK(contains(written.say("suggest").output, "workspace C_w for C(i,:) "));  // which is what the plan did
  CHECK(!contains(own.say(data + "workspace w for C(i,:) bytemap\nrun").codes, "N0614"));
  CHECK(!contains(narrow
                      .say("param n = 300\ntensor A(n, n): csr\ntensor B(n, n): csr\nrandom A seed 1 density 0.1\n"
                           "random B seed 2 density 0.1\nC(i,k) = A(i,j) * B(j,k)\nrun")
                      .codes,
                  "N0614"));
}

TEST_CASE(
    "results of sparse operands are announced with a reason for their format, and with bytes once data is there") {
  Transcript t;
  t.say("param n = 1000\ntensor A(n, n): csr\ntensor D(n, 8)\ntensor x(n)");
  CHECK(contains(t.enter({"S(i,j) = 2 * A(i,j)"}).messages(), "sparse, because elements are 0"));
  CHECK(!contains(t.enter({"Q(i,j) = 3 * A(i,j)"}).messages(), "MiB"));
  t.say("random A seed 1 density 0.01\nrandom D seed 2\nrandom x seed 3");
  const std::string sum = t.enter({"T(i,j) = A(i,j) + A(j,i)"}).messages();
  CHECK(contains(sum, "dense it would be 7.6 MiB"));
  CHECK(contains(sum, "of 1000000 elements are expected to be stored"));
  CHECK(contains(t.enter({"Y(i,k) = A(i,j) * D(j,k)"}).messages(), "62.5 KiB dense"));
  for (const std::string plain : {"y(i) = A(i,j) * x(j)", "z(i) = 2 * x(i)", "W(i,k) = 2 * D(i,k)"})
    CHECK(!contains(t.enter({plain}).messages(), "because"));
}

TEST_CASE("small data and kernels without data are not planned") {
  Transcript t;
  t.say("param n = 6\ntensor A(n, n): csr\nS(i,j) = A(i,j) + A(j,i)");
  CHECK(!contains(t.say("show loops").output, "A_csc"));
  t.say("random A seed 1 density 0.5");
  CHECK(!contains(t.say("show loops").output, "A_csc"));
}

TEST_CASE("products are computed in steps where that lowers the order of growth") {
  Transcript t;
  t.say(
      "param n = 160\ntensor A(n, n)\ntensor B(n, n)\ntensor x(n)\nrandom A seed 1\nrandom B seed 2\nrandom x seed 3");
  CHECK(t.say("y(i) = A(i,j) * B(j,k) * x(k)\nrun").codes == "N0202 N0201 N0611");
  const std::string equations = t.say("show equations").output;
  CHECK(contains(equations, "y(i) = sum(j,k)(A(i,j)*B(j,k)*x(k))"));
  CHECK(contains(equations, "# computed in steps:\nt1(j) = sum(k)(B(j,k)*x(k))\ny(i) = sum(j)(A(i,j)*t1(j))"));
  const std::string plan = t.say("plan").output, chosen = "in 2 steps, order i j k";
  CHECK(contains(plan, chosen));
  CHECK(plan.find(chosen) == plan.rfind(chosen));  // the plan's order is the compiler's, and named once
  const auto checked = t.say("check");
  CHECK(checked.ok());
  CHECK(contains(checked.output, "the products of kernel main are associated anew"));
  CHECK(t.say("print t1").codes.starts_with("E0"));  // nobody asked for it
  CHECK(!contains(t.say("order i j k\nrun").codes, "N0611"));
  CHECK(!contains(t.say("show equations").output, "in steps"));
}

TEST_CASE("dense loops run in a better order, several iterations at once, and round as they did") {
  const std::string data = "param n = 400\ntensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\n";
  const std::string product = "C(i,j) = A(i,k) * B(k,j)\n";
  Transcript planned, written;
  CHECK(contains(planned.say(data + product + "run").codes, "N0613"));
  CHECK(contains(planned.say("show loops").output, "jam"));
  CHECK(planned.say("run").codes.empty());  // it is said once
  CHECK(planned.say("check").ok());
  CHECK(!contains(written.say(data + product + "plan off\nrun").codes, "N0613"));
  CHECK(planned.say("print C whole").output == written.say("print C whole").output);
  Transcript empty;  // and nothing is drawn of data that is not there
  CHECK(empty.say("param n = 400\ntensor A(n, n)\ntensor B(n, n)\n" + product).ok());
  CHECK(!contains(empty.say("show loops").output, "jam"));
  Transcript window;  // the sum over dy and dx comes in the order in which it is written
  CHECK(window
            .say("param n = 600\nparam s = 9\ntensor I(n, n)\ntensor W(s, s)\nrandom I seed 1\nrandom W seed 2\n"
                 "O(y,x) = sum(dy,dx)(I(y+dy, x+dx) * W(dy,dx)) : y < n-s+1, x < n-s+1\nrun\ncheck")
            .ok());
  CHECK(contains(window.say("plan").output, "order y dy dx x"));
}

TEST_CASE("a copy that a kernel makes has the rows of what it copies, the crowded ones too") {
  Transcript t;
  t.say(
      "param n = 2000\nparam h = 12\ntensor R(n, n): csr\ntensor A(n, n): csr\nrandom R seed 1 density 0.001\n"
      "A(i,j) = ((i < h || j < h) ? 1.0 : 0.0) + R(i,j)\nrun");
  REQUIRE(t.say("kernel square { C(i,k) = A(i,j) * A(j,k) }").ok());
  const std::string plan = t.say("plan square").output;  // k j i inserts whole columns of them into one table
  CHECK(plan.find("as written, order i j k") < plan.find("order k j i"));
}

TEST_CASE("long sums of products, of recurrences too, keep a block in registers and round as they did") {
  session::Options options;
  options.least_planned = 1e3;
  const auto runs_in_blocks = [&](const std::string& program, const std::string& result) {
    CAPTURE(program);
    Transcript planned(options), written(options);
    CHECK(contains(planned.say(program + "run").codes, "N0615"));
    CHECK(contains(planned.say("plan").output, "registers"));
    CHECK(planned.say("run").codes.empty());  // it is said once
    CHECK(planned.say("check").ok());
    CHECK(!contains(written.say(program + "plan off\nrun").codes, "N0615"));
    CHECK(planned.say("print " + result + " whole").output == written.say("print " + result + " whole").output);
  };
  runs_in_blocks(
      "param n = 100\ntensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\n"
      "C(i,j) = A(i,k) * B(k,j)\n",
      "C");
  runs_in_blocks(
      "param n = 100\ntensor A(n, n)\ntensor L(n, n)\nrandom A seed 1 spd\n"
      "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k))) / L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)*L(i,k))) : k < i\n",
      "L");
}

TEST_CASE("steps are named apart from what there is, in kernels as outside of them") {
  session::Options options;
  options.least_planned = 1e3;
  Transcript t(options);
  t.say("param n = 16\ntensor A(n, n)\ntensor t1(n)\nrandom A seed 1\nrandom t1 seed 3");
  CHECK(t.say("kernel k { y(i) = A(i,j) * A(j,k) * A(k,l) * t1(l) }\nrun k\ncheck").ok());
  CHECK(contains(t.say("show equations k").output, "t2(j) = sum(l)(A(j,l)*t1(l))"));
  CHECK(t.value("sum(i)(t1(i))").find("nan") == std::string::npos);
}

TEST_CASE("copies serve kernels whose plan meets operands in another order") {
  Transcript t;
  t.say("param n = 1500\ntensor A(n, n): csr\nrandom A seed 1 density 0.005\nP(i,j) = A(k,i) * A(k,l) * A(l,j)");
  CHECK(contains(t.say("run").codes, "N0610"));
  CHECK(t.say("order i k l j\nrun").ok());
}

TEST_CASE("plan off is a line of a kernel's schedule, and plan on takes it back") {
  Transcript t = sum_with_transposition("\nplan off");
  CHECK(contains(t.say("run").codes, "W0210"));
  CHECK(!contains(t.say("show loops").output, "A_csc"));
  CHECK(contains(t.say("show schedule").output, "plan off"));
  CHECK(contains(t.say("list").output, "plan off"));
  CHECK(t.say("plan on").ok());
  CHECK(!contains(t.say("list").output, "plan off"));  // the later line stands for both
  CHECK(contains(t.say("run").codes, "N0610"));
  CHECK(t.say("undo\nundo").ok());
  CHECK(contains(t.say("list").output, "plan off"));
  CHECK(contains(t.say("plan").output, "S"));  // and still shows what a plan would be
  Transcript block;
  CHECK(block
            .say("param n = 600\ntensor A(n, n): csr\nrandom A seed 1 density 0.05\n"
                 "kernel one { S(i,j) = A(i,j) + A(j,i); plan off }\nkernel two { T(i,j) = A(i,j) - A(j,i) }")
            .ok());
  CHECK(!contains(block.say("run one").codes, "N0610"));
  CHECK(contains(block.say("run two").codes, "N0610"));
}

TEST_CASE("suggest offers nothing that is slower than the plan which a step of the schedule would switch off") {
  Transcript t;
  t.say(
      "param n = 600\ntensor A(n, n)\ntensor B(n, n)\ntensor x(n)\nrandom A seed 1\nrandom B seed 2\nrandom x seed 3\n"
      "y(i) = A(i,j) * B(j,k) * x(k)");
  const auto planned = t.say("suggest");
  CHECK(contains(planned.output, "main, as planned"));
  CHECK(planned.last("suggest")["suggestions"].empty());
  t.say("plan off");
  const auto written = t.say("suggest");
  CHECK(contains(written.output, "main, order "));
  CHECK(!written.last("suggest")["suggestions"].empty());
}
