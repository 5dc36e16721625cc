// How a run can end, and that a run that fails costs only itself.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "engine/run/sandbox.hpp"
#include "modules.hpp"
#include "tests/environment.hpp"

namespace trellis::run::testing {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool memory_is_limited = false;
#else
constexpr bool memory_is_limited = true;
#endif

const std::string spoil = "for (long long i = 0; i < n; i++) x[i] = -1;\n";

// Runs a kernel that overwrites x and then comes to a bad end; x must be as before.
Outcome failing(Backend backend, const std::string& bad_end, Limits limits = {}) {
  const Kernel kernel = compiled(over_x("fails", spoil + bad_end), backend);
  const Bindings bindings = with_x({1, 2, 3});
  const Outcome outcome = execute(kernel, bindings, limits);
  CHECK(outcome.status != Outcome::Status::ok);
  CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{1, 2, 3});
  CHECK_FALSE(outcome.message.empty());
  CHECK(outcome.message.find('\n') == std::string::npos);
  return outcome;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("threads of a child wait briefly, unless somebody has said how they should") {
  const auto spins = [] {
    const auto told = tensor::SharedArray::allocate(sizeof(int), tensor::Writer::child_process);
    const auto tell = [&] {
      const char* const count = std::getenv("GOMP_SPINCOUNT");
      *static_cast<int*>(told->data()) = count ? std::atoi(count) : -1;
    };
    CHECK(run_in_child(tell, {10, std::size_t{1} << 30}).kind == Ending::Kind::returned);
    return *static_cast<int*>(told->data());
  };
  const bool said = std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT");
  if (!said) CHECK(spins() == 3000);
  {
    const trellis::testing::Environment count("GOMP_SPINCOUNT", "7");
    CHECK(spins() == 7);
  }
  const trellis::testing::Environment policy("OMP_WAIT_POLICY", "passive");
  if (!std::getenv("GOMP_SPINCOUNT")) CHECK(spins() == -1);
}

TEST_CASE("large results are written where memory is, and where it is not yet") {
  constexpr std::int64_t n = 300'000;
  const Kernel kernel =
      compiled(over_x("twice", "for (long long i = 0; i < n; i++) x[i] = 2 * x[i] + 1;\n"), Backend::jit);
  const Bindings bindings = with_x(std::vector<double>(n, 0));
  for (const double expected : {1.0, 3.0, 7.0}) {
    CHECK(execute(kernel, bindings, {}).status == Outcome::Status::ok);
    const std::vector<double> values = values_of(bindings.arrays.at("x"));
    CHECK(std::ranges::all_of(values, [&](double v) { return v == expected; }));
  }
}

TEST_CASE("results arrive in the caller's arrays") {
  for (const Backend backend : both) {
    const Kernel kernel = compiled(over_x("twice", "for (long long i = 0; i < n; i++) x[i] = 2 * x[i];"), backend);
    const Bindings bindings = with_x({1, 2.5, -3});
    const Outcome outcome = execute(kernel, bindings, {});
    CHECK(outcome.status == Outcome::Status::ok);
    CHECK(outcome.message.empty());
    CHECK(outcome.run_ms > 0);
    CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{2, 5, -6});
  }
}

TEST_CASE("a trusted run gives the same results in this process") {
  for (const Backend backend : both) {
    const Kernel kernel = compiled(over_x("twice", "for (long long i = 0; i < n; i++) x[i] = 2 * x[i];"), backend);
    const Bindings bindings = with_x({1, 2});
    CHECK(execute(kernel, bindings, {.trusted = true}).status == Outcome::Status::ok);
    CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{2, 4});
  }
}

TEST_CASE("empty arrays are no special case") {
  const Bindings bindings = with_x({});
  CHECK(execute(compiled(over_x("twice", spoil), Backend::jit), bindings, {}).status == Outcome::Status::ok);
}

TEST_CASE("sizes, reals and arrays of several types arrive in the module's order") {
  const auto source = module("scale",
                             {{emit::Argument::Kind::real, "alpha", format::ScalarType::f64},
                              size("n"),
                              input("a", format::ScalarType::i32),
                              output("y")},
                             "int run_scale(void *const *p) {\n"
                             "  double alpha = *(double *)p[0]; long long n = *(long long *)p[1];\n"
                             "  int *a = p[2]; double *y = p[3];\n"
                             "  for (long long i = 0; i < n; i++) y[i] = alpha * a[i];\n"
                             "  return 0;\n}\n");
  auto a = tensor::Tensor::create(format::ScalarType::i32, {2}, format::Format::dense(1),
                                  format::Value::of_integer(format::ScalarType::i32, 7));
  REQUIRE(a);
  const tensor::Tensor y = vector_of({0, 0});
  CHECK(execute(compiled(source, Backend::jit), {{{"n", 2}}, {{"alpha", 0.5}}, {{"a", *a}, {"y", y}}}, {}).status ==
        Outcome::Status::ok);
  CHECK(values_of(y) == std::vector<double>{3.5, 3.5});
}

TEST_CASE("an endless loop ends at the time limit") {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = failing(Backend::jit, "for (;;) x[0] += 1;", {.seconds = 0.2});
  CHECK(outcome.status == Outcome::Status::timed_out);
  CHECK(outcome.message == "kernel `fails` did not end within its time limit of 0.2 s");
  CHECK(seconds_since(start) < 5);
}

TEST_CASE("a wild write and abort are contained") {
  for (const Backend backend : both) {
    const Outcome wild = failing(backend, "*(volatile int *)8 = 1;");
    CHECK(wild.status == Outcome::Status::crashed);
    CHECK(wild.signal == SIGSEGV);
    const Outcome aborted = failing(backend, "abort();");
    CHECK(aborted.status == Outcome::Status::crashed);
    CHECK(aborted.signal == SIGABRT);
  }
}

#ifdef __SANITIZE_ADDRESS__
TEST_CASE("a kernel compiled with AddressSanitizer cannot leave its arrays unnoticed") {
  const trellis::testing::Environment compiler("CC", "cc -fsanitize=address");
  for (const char* place : {"-1", "n"}) {
    const Outcome outcome = failing(Backend::native, std::string("x[0] = x[") + place + "];");
    CHECK(outcome.status == Outcome::Status::crashed);
  }
}
#endif

TEST_CASE("a stack overflow is contained") {
  const auto deep = module("deep", {size("n"), output("x")},
                           "static int sink(volatile char *p, int n) { volatile char big[4096]; big[0] = p[0];\n"
                           "  return n < 0 ? 0 : sink(big, n + 1) + big[0]; }\n"
                           "int run_deep(void *const *a) { char c = 1; *(double *)a[1] = -1; return sink(&c, 0); }\n");
  const Bindings bindings = with_x({4});
  const Outcome outcome = execute(compiled(deep, Backend::jit), bindings, {});
  CHECK(outcome.status == Outcome::Status::crashed);
  CHECK(outcome.signal == SIGSEGV);
  CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{4});
}

TEST_CASE("memory beyond the limit is refused, and the kernel says so") {
  if (!memory_is_limited) return;
  for (const Backend backend : both) {
    const Outcome outcome =
        failing(backend, "char volatile *p = malloc(512ul << 20); if (!p) return 1; p[0] = 1;", {.memory = 64u << 20});
    CHECK(outcome.status == Outcome::Status::out_of_memory);
    CHECK(outcome.message == "kernel `fails` needs more memory than its limit of 64 MiB");
  }
}

TEST_CASE("memory within the limit is granted") {
  const Kernel kernel =
      compiled(over_x("modest", "char volatile *p = malloc(16ul << 20); if (!p) return 1; p[0] = 1;"), Backend::jit);
  CHECK(execute(kernel, with_x({1}), {.memory = 64u << 20}).status == Outcome::Status::ok);
}

TEST_CASE("the first fault arrives with its site") {
  emit::Module source = over_x("faulty", spoil + "fault[0] = 3; fault[1] = 1;");
  source.sites = {{emit::FaultKind::division_by_zero, {}, "m / d"},
                  {emit::FaultKind::index_out_of_range, {}, "index a(i) of T"}};
  for (const bool trusted : {false, true}) {
    const Bindings bindings = with_x({5});
    const Outcome outcome = execute(compiled(source, Backend::jit), bindings, {.trusted = trusted});
    CHECK(outcome.status == Outcome::Status::fault);
    CHECK(outcome.fault == emit::FaultKind::index_out_of_range);
    CHECK(outcome.site == 1);
    CHECK(outcome.message == "index a(i) of T is out of range");
    CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{5});
  }
}

TEST_CASE("an interrupt from another thread ends the run") {
  const auto start = std::chrono::steady_clock::now();
  const text::Cancel wish;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    wish.request();
  });
  const Outcome outcome = failing(Backend::jit, "for (;;) x[0] += 1;", {.seconds = 30, .cancel = wish});
  other.join();
  CHECK(outcome.status == Outcome::Status::interrupted);
  CHECK(seconds_since(start) < 10);
}

TEST_CASE("an interrupt from a signal handler ends the run") {
  static const text::Cancel wish;
  const auto previous = signal(SIGALRM, [](int) { wish.request(); });
  alarm(1);
  CHECK(failing(Backend::jit, "for (;;) x[0] += 1;", {.seconds = 30, .cancel = wish}).status ==
        Outcome::Status::interrupted);
  signal(SIGALRM, previous);
}

TEST_CASE("a wish that came before starts nothing, until it is forgotten, and is nobody else's") {
  const Kernel kernel = compiled(over_x("next", spoil), Backend::jit);
  const text::Cancel wish;
  wish.request();
  CHECK(execute(kernel, with_x({1}), {.cancel = wish}).status == Outcome::Status::interrupted);
  CHECK(execute(kernel, with_x({1}), {}).status == Outcome::Status::ok);
  wish.clear();
  CHECK(execute(kernel, with_x({1}), {.cancel = wish}).status == Outcome::Status::ok);
}

TEST_CASE("runs in several threads do not disturb each other") {
  const Kernel kernel = compiled(over_x("twice", "for (long long i = 0; i < n; i++) x[i] = 2 * x[i];"), Backend::jit);
  std::vector<Bindings> all;
  for (int i = 0; i < 4; ++i) all.push_back(with_x({1.0 * i}));
  std::vector<std::thread> threads;
  for (const Bindings& bindings : all) threads.emplace_back([&] { execute(kernel, bindings, {}); });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i)
    CHECK(values_of(all[static_cast<std::size_t>(i)].arrays.at("x")) == std::vector<double>{2.0 * i});
}

}  // namespace trellis::run::testing
