// `supernodes`: factors in panels beside the reference, for matrices that have few columns or many alike; what is said
// of them, and what is refused.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "engine/flow/interpret.hpp"
#include "engine/flow/read.hpp"
#include "engine/session/running/execution.hpp"
#include "engine/tensor/convert.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

const std::string cholesky =
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(j,j) = sqrt(A(j,j) - sum(k)(L(j,k)^2)) : k < j\n";
/// The diagonal's sum as a row's.
const std::string by_rows =
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n";
const std::string ldlt =
    "D(j) = A(j,j) - sum(k)(L(j,k) * L(j,k) * D(k)) : k < j\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k) * D(k))) / D(j) : k < j < i\n";
const std::string upper =
    "U(j,i) = (A(j,i) - sum(k)(U(k,i) * U(k,j))) / U(j,j) : k < j < i\n"
    "U(j,j) = sqrt(A(j,j) - sum(k)(U(k,j)^2)) : k < j\n";

/// L and U, the diagonal in either.
const std::string lu =
    "U(j,i) = A(j,i) - sum(k)(L(j,k) * U(k,i))            : k < j <= i\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\n";
const std::string crout =
    "L(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j))            : k < j <= i\n"
    "U(j,i) = (A(j,i) - sum(k)(L(j,k) * U(k,i))) / L(j,j) : k < j < i\n";

struct Problem {
  int n = 1;
  std::string density = "0.2", type = "f64", schedule;
};

std::string program(const std::string& equations, const Problem& p) {
  const std::string factor = equations == upper ? "U" : "L", format = equations == upper ? "csr" : "csc";
  return "param n = " + std::to_string(p.n) + "\ntensor A(n, n): " + format + " " + p.type + "\ntensor " + factor +
         "(n, n): " + format + " " + p.type + "\n" + (equations == ldlt ? "tensor D(n): " + p.type + "\n" : "") +
         "random A seed " + std::to_string(p.n) + " spd density " + p.density + "\n" + equations +
         "order j k i\nsupernodes " + factor + p.schedule + "run\ncheck\n";
}

/// Of a matrix that is not symmetric, and stored by columns, and by rows as well if `rows`.
std::string unsymmetric(const std::string& equations, const Problem& p, bool rows, const std::string& supernodes) {
  std::string text = equations;
  const std::string sizes = "(n, n): ", n = std::to_string(p.n);
  for (std::size_t at = 0; rows && (at = text.find("A(j,i)", at)) != std::string::npos;) text[at] = 'B';
  return "param n = " + n + "\ntensor R(n, n): csc " + p.type + "\ntensor A(n, n): csc " + p.type +
         (rows ? "\ntensor B(n, n): csr " + p.type : "") + "\ntensor L(n, n): csc " + p.type +
         "\ntensor U(n, n): csr " + p.type + "\nrandom R seed " + n + " density " + p.density +
         "\nkernel dominant {\nA(p,q) = R(p,q) + (p == q ? 1 + p : 0)\norder q p\n}\n" +
         (rows ? "kernel by_rows { B(p,q) = A(p,q) }\n" : "") + "kernel factor {\n" + text + "order j k i\n" +
         supernodes + p.schedule + "}\nrun\ncheck factor\n";
}

void agrees(const std::string& equations, const Problem& p) {
  const std::string text = program(equations, p);
  CAPTURE(text);
  Transcript session;
  const Answer answer = session.say(text);
  CHECK_MESSAGE(answer.ok(), answer.messages());
  CHECK(contains(answer.output, "agree"));
}

}  // namespace

TEST_CASE("supernodes: factors in panels agree with the equations") {
  const std::string schedules[] = {"\n", " relax 4\n", " relax 48\n", " relax 48\nfused\n", " relax 48\nparallel j\n"};
#ifdef __SANITIZE_ADDRESS__
  constexpr int every = 7;  // of the same programs, which take long where memory is watched; in turn, each schedule
#else
  constexpr int every = 1;
#endif
  int k = 0;
  for (const std::string& equations : {cholesky, by_rows, ldlt, upper})
    for (const int n : {1, 2, 3, 9, 30, 70})
      for (const char* density : {"0.03", "0.2", "1"})
        if (++k % every == 0) agrees(equations, {n, density, "f64", schedules[k % (equations == by_rows ? 4 : 5)]});
}

TEST_CASE("supernodes: both triangles of a factor that is not symmetric agree with the equations") {
  const std::string schedules[] = {"\n", " relax 4\n", " relax 48\n", " relax 48\nfused\n", " relax 48\nparallel j\n"};
#ifdef __SANITIZE_ADDRESS__
  constexpr int every = 9;
#else
  constexpr int every = 1;
#endif
  int k = 0;
  for (const std::string& equations : {lu, crout})
    for (const int n : {1, 2, 3, 9, 30, 70})
      for (const char* density : {"0.03", "0.2", "1"}) {
        if (++k % every != 0) continue;
        const std::string text = unsymmetric(equations, {n, density, k % 7 == 0 ? "f32" : "f64", schedules[k % 5]},
                                             k % 2 == 0, k % 5 == 0 ? "supernodes U" : "supernodes L");
        CAPTURE(text);
        Transcript session;
        const Answer answer = session.say(text);
        CHECK_MESSAGE(answer.ok(), answer.messages());
        CHECK(contains(answer.output, "each equation holds"));
      }
}

TEST_CASE("supernodes: panels of single precision, and of many columns, agree too") {
  agrees(cholesky, {80, "0.1", "f32", " relax 48\n"});
  agrees(ldlt, {150, "1", "f64", " relax 48\nfused\n"});
  agrees(cholesky, {150, "1", "f64", "\nfused\n"});
}

TEST_CASE("supernodes: rows of panels with hundreds of columns are copied part by part") {
  Transcript session;
  const Answer answer = session.say(
      "param n = 330\ntensor A(n, n): csc\ntensor L(n, n): csc\nkernel arrow {\n"
      "A(p,q) = p == q ? 400 : p < 270 && q < 270 ? 1.5 : p >= 290 || q >= 290 ? -0.5 : p >= 270 && q >= 270 ? 0.25 : "
      "0\n"
      "order q p\n}\nkernel factor {\n" +
      cholesky + "order j k i\nsupernodes L\n}\nrun\ncheck factor\nshow supernodes factor\n");
  CHECK_MESSAGE(answer.ok(), answer.messages());
  CHECK(contains(answer.output, "3 supernodes of 330 columns"));
}

TEST_CASE("supernodes: threads leave what one leaves, bit for bit") {
  const Problem p{240, "0.012", "f64", " relax 48\nfused\n"};
  for (const bool two : {false, true}) {
    std::string first;
    for (const std::string how : {"run jit", "run native threads 1", "run native threads 3"}) {
      Problem own = p;
      if (how != "run jit") own.schedule += "parallel j\n";
      std::string text = two ? unsymmetric(lu, own, true, "supernodes S of L") : program(ldlt, own);
      text.replace(text.rfind("\nrun\n"), 5, "\n" + how + "\n").append("print L\n");
      CAPTURE(text);
      Transcript session;
      const Answer answer = session.say(text);
      REQUIRE_MESSAGE(answer.ok(), answer.messages());
      if (first.empty()) first = session.value("L");
      else CHECK(session.value("L") == first);
    }
  }
}

TEST_CASE("supernodes: both back ends leave the same, bit for bit") {
  std::string first;
  for (const run::Backend backend : {run::Backend::jit, run::Backend::native}) {
    session::Options options;
    options.backend = backend;
    Transcript session(options);
    const Answer answer = session.say(program(cholesky, {60, "0.1", "f64", " relax 48\nfused\n"}) + "print L\n");
    REQUIRE_MESSAGE(answer.ok(), answer.messages());
    if (first.empty()) first = session.value("L");
    else CHECK(session.value("L") == first);
  }
}

/// Hears of which elements of L are written.
struct Written : flow::Observer {
  int elements = 0;
  bool in_lower_triangle = true;
  void write(const flow::Moment&, const flow::Element& e, const format::Value&, const format::Value&) override {
    if (e.tensor.name != "L") return;
    ++elements;
    in_lower_triangle = in_lower_triangle && e.trail.size() == 2 && e.trail[0].coordinate <= e.trail[1].coordinate;
  }
};

TEST_CASE("supernodes: the interpreter leaves the same, of control flow that reads back as it is printed") {
  for (const std::string& equations : {cholesky, ldlt}) {
    Transcript session;
    const std::string threads = equations == ldlt ? "parallel j\n" : "";
    const Answer answer = session.say(program(equations, {50, "0.15", "f64", " relax 48\nfused\n" + threads}));
    REQUIRE_MESSAGE(answer.ok(), answer.messages());
    text::Diagnostics diagnostics;
    session::State& state = session.session().state();
    const lang::Kernel& kernel = state.program(diagnostics)->kernels.back();
    const auto compilation = state.compilation(kernel, diagnostics);
    REQUIRE(compilation);
    const flow::Flow& flow = compilation->flow;
    CHECK(flow::verify(flow) == "");
    const std::string text = flow::print(flow).characters;
    const flow::ReadFlow again = flow::read(text);
    CHECK(again.problem == "");
    REQUIRE(again.flow);
    CHECK(flow::print(*again.flow).characters == text);
    const auto found = session::found_by(state, kernel, compilation->program, {}, diagnostics);
    REQUIRE(found);
    for (const flow::Flow* one : {&flow, &*again.flow}) {
      Written written;
      const flow::Execution run = flow::interpret(*one, {found->parameters, found->tensors}, {}, &written);
      CHECK(written.elements > 100);
      CHECK(written.in_lower_triangle);
      CHECK_MESSAGE(!run.fault, (run.fault ? run.fault->message : ""));
      const tensor::Coordinates ours = tensor::to_coordinates(found->tensors.at("L"));
      CHECK(ours.reals == tensor::to_coordinates(*state.data.held("L")).reals);
      CHECK(ours.count > 100);
    }
  }
}

TEST_CASE("supernodes: they are shown with their sizes and zeros, and with what was proven") {
  Transcript session;
  REQUIRE(session.say(program(cholesky, {30, "0.1", "f64", " relax 48\n"})).ok());
  const Answer shown = session.say("show supernodes\nshow schedule\n");
  REQUIRE(shown.ok());
  CHECK(contains(shown.output, "supernodes L_supernodes of L relax 48"));
  CHECK(contains(shown.output, "of 30 columns"));
  CHECK(contains(shown.output, "of them zeros"));
  CHECK(contains(shown.output, "# certified for all sizes and all partitions: "));
  const Answer undone = session.say("undo 1\n");
  CHECK_MESSAGE(undone.ok(), undone.messages());
}

TEST_CASE("supernodes: a small factor is not taken for one that lasts") {
  Transcript t;
  const auto ran = t.say(program(cholesky, {30, "0.1", "f64", " relax 8\n"})).last("run");
  CHECK_MESSAGE(!contains(ran["kernels"].back().value("why", ""), "estimated at"), ran.dump());
}

TEST_CASE("supernodes: that panels run on threads is shown, and undone") {
  Transcript session;
  REQUIRE(session.say(program(cholesky, {30, "0.1", "f64", " relax 48\nparallel j\n"})).ok());
  CHECK(contains(session.say("show flow\n").output, "await L_supernodes_number"));
  CHECK(contains(session.say("show schedule\n").output, "parallel j"));
  CHECK(session.say("undo 3\n").ok());
  CHECK_FALSE(contains(session.say("show flow\n").output, "await"));
}

TEST_CASE("supernodes: what are no panels is refused with a reason") {
  const auto refusal = [](const std::string& text) {
    Transcript session;
    const Answer answer = session.say(text);
    CHECK_FALSE(answer.ok());
    return answer.codes + "\n" + answer.messages();
  };
  const std::string head = "param n = 6\ntensor A(n, n): csc\ntensor L(n, n): csc\nrandom A seed 1 spd density 0.5\n";
  CHECK(contains(refusal(head + cholesky + "order i k j\nsupernodes L\nrun\n"), "E0158"));
  CHECK(contains(refusal(head + "tensor B(n, n): csr\nL(i,j) = A(i,j) * B(i,j)\nsupernodes L\nrun\n"), "E0158"));
  CHECK(contains(refusal(head + "tensor M(n, n): {dense, compressed, pattern} @ (1, 0) bool\n" + cholesky +
                         "order j k i\nmask L M\nsupernodes L\nrun\n"),
                 "its mask is not one that the equations give"));
  CHECK(contains(refusal("param n = 6\ntensor A(n, n): csc\ntensor L(n, n): csr\nrandom A seed 1 spd density 0.5\n" +
                         cholesky + "order j k i\nsupernodes L\nrun\n"),
                 "it does not list the rows of each of its columns"));
  CHECK(contains(refusal(head + cholesky + "supernodes L relax 0\n"), "E0324"));
  CHECK(contains(refusal(head + cholesky + "supernodes A of L\n"), "E0325"));
  CHECK(contains(refusal(head + cholesky + "supernodes S of\n"), "E0323"));
  CHECK(contains(refusal(head + cholesky + "supernodes A\n"), "E0326"));
}

}  // namespace trellis::testing
