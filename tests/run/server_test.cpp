// Runs that a server forks: that it is the server who does, and what becomes of it, of them and of the program when one
// of the three ends. Each test starts one in a process of its own; `trellis-tests --served` has one for all tests.
#include "engine/run/server.hpp"

#include <poll.h>
#include <signal.h>

#include <chrono>
#include <functional>
#include <thread>

#include "modules.hpp"
#include "tests/alone.hpp"

namespace trellis::run::testing {
namespace {

using trellis::testing::alone;

std::string served(const std::function<std::string()>& body) {
  return alone([&] { return start_server() ? body() : "no server"; });
}

void wait_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// "ok 1 2": how it went, and what is in x then.
std::string outcome_of(const Kernel& kernel, const Bindings& bindings, const Limits& limits = {}) {
  std::string said = name_of(execute(kernel, bindings, limits).status);
  for (const double value : values_of(bindings.arrays.at("x"))) said += " " + std::to_string(static_cast<int>(value));
  return said;
}

std::string run_over_x(const std::string& body, Backend backend = Backend::jit, const Limits& limits = {}) {
  return outcome_of(compiled(over_x("any", body), backend), with_x({1, 2}), limits);
}

// Who forked the child that a kernel ran in, which reads `a`.
pid_t parent_of_run(const tensor::Tensor& a) {
  emit::Module made = module("parent", {input("a"), output("x")},
                             "int getppid(void);\n"
                             "int run_parent(void *const *p) { *(double *)p[1] = getppid(); return 0; }\n");
  const tensor::Tensor x = vector_of({0});
  execute(compiled(made, Backend::native), {{}, {}, {{"a", a}, {"x", x}}}, {});
  return static_cast<pid_t>(values_of(x).front());
}

const std::string twice = "for (long long i = 0; i < n; i++) x[i] = 2 * x[i];";
const std::string endless = "for (;;) x[0] += 1;";

}  // namespace

TEST_CASE("the server forks what runs on later arrays, and this process what runs on older ones") {
  CHECK(served([] { return parent_of_run(vector_of({0})) == server_process() ? "the server" : "another"; }) ==
        "the server");
  CHECK(alone([] {
          const tensor::Tensor older = vector_of({0});
          return start_server() && parent_of_run(older) == getpid() ? "this process" : "another";
        }) == "this process");
}

TEST_CASE("jit and native code runs in a server, several times, each from the first values") {
  for (const Backend backend : both)
    CHECK(served([&]() -> std::string {
            const Kernel kernel = compiled(over_x("twice", twice), backend);
            const Bindings bindings = with_x({1, 2});
            const auto before = Snapshot::take(kernel.module(), bindings);
            const auto work = PreparedWork::make(kernel, bindings, 1, 3, *before);
            const auto ending = run_in_server(**work, {10, std::size_t{1} << 30});
            const std::vector<double> x = values_of(bindings.arrays.at("x"));
            return ending && ending->kind == Ending::Kind::returned && x == std::vector<double>{2, 4} ? "well" : "not";
          }) == "well");
}

TEST_CASE("a server outlives kernels that crash, hang or ask for too much") {
  CHECK(served([] {
          const pid_t first = server_process();
          std::string said = run_over_x("*(volatile int *)8 = 1;");
          said += ", " + run_over_x(endless, Backend::jit, {.seconds = 0.1});
          said += ", " + run_over_x("return 1;");
          said += ", " + run_over_x(twice);
          said += ", " + run_over_x(twice, Backend::native);
          return said + (server_process() == first ? "" : ", and it died");
        }) == "crashed 1 2, timed out 1 2, out of memory 1 2, ok 2 4, ok 2 4");
}

TEST_CASE("data of the code is as it was compiled in each run") {
  for (const Backend backend : both)
    CHECK(served([&] {
            const Kernel kernel = compiled(over_x("counts", "static int runs; x[0] = ++runs;"), backend);
            const std::string first = outcome_of(kernel, with_x({0}));
            return first + ", " + outcome_of(kernel, with_x({0}));
          }) == "ok 1, ok 1");
}

TEST_CASE("a kernel cannot write to arrays that it was not given") {
  CHECK(served([] {
          const tensor::Tensor other = vector_of({5});
          Bindings bindings = with_x({1});
          bindings.sizes["n"] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(other.data()));
          const std::string said = outcome_of(compiled(over_x("wild", "*(double *)n = 6;"), Backend::jit), bindings);
          return said + ", " + std::to_string(static_cast<int>(values_of(other).front()));
        }) == "crashed 1, 5");
}

TEST_CASE("two threads run at once, and the end of one run leaves the other") {
  CHECK(served([] {
          const text::Cancel wish;
          std::string cancelled, other;
          std::thread a([&] { cancelled = run_over_x(endless, Backend::jit, {.seconds = 60, .cancel = wish}); });
          std::thread b([&] { other = run_over_x(endless, Backend::jit, {.seconds = 1}); });
          wait_ms(200);
          wish.request();
          a.join();
          const std::string later = run_over_x(twice);
          b.join();
          return cancelled + ", " + later + ", " + other;
        }) == "interrupted 1 2, ok 2 4, timed out 1 2");
}

TEST_CASE("a server that dies takes the runs on it along, and later ones do without") {
  CHECK(served([] {
          std::string said;
          std::thread run([&] { said = run_over_x(endless, Backend::jit, {.seconds = 60}); });
          wait_ms(200);
          kill(server_process(), SIGKILL);
          run.join();
          said += ", " + run_over_x(twice);
          return said + ", " + std::to_string(server_process());
        }) == "crashed 1 2, ok 2 4, 0");
  CHECK(served([] {
          kill(server_process(), SIGKILL);
          const std::string jit = run_over_x(twice), native = run_over_x(twice, Backend::native);
          return jit + ", " + native + ", " + std::to_string(server_process());
        }) == "ok 2 4, ok 2 4, 0");
}

TEST_CASE("nothing is left of a program that is killed while its kernels run") {
  int alive[2];  // open in every process that is left
  REQUIRE(pipe(alive) == 0);
  CHECK(served([] {
          std::thread(run_over_x, endless, Backend::jit, Limits{}).detach();
          wait_ms(200);
          kill(getpid(), SIGKILL);
          return std::string("not killed");
        }) == "signal 9");
  close(alive[1]);
  pollfd end{alive[0], POLLIN, 0};
  CHECK(poll(&end, 1, 10'000) == 1);
  close(alive[0]);
}

}  // namespace trellis::run::testing
