// The two compilers: they agree to the bit, refuse the same, and native code is kept.
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/run/backends.hpp"
#include "engine/run/unit.hpp"
#include "modules.hpp"
#include "tests/environment.hpp"

namespace trellis::run::testing {
namespace {

// An empty cache folder for one scope.
class FreshCache {
 public:
  FreshCache() : path_(std::filesystem::temp_directory_path() / ("trellis-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~FreshCache() { std::filesystem::remove_all(path_); }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_ / "trellis")) found.push_back(entry.path());
    return found;
  }

 private:
  std::filesystem::path path_;
  trellis::testing::Environment variable_{"XDG_CACHE_HOME", path_.string()};
};

// Rounding, contraction to fused multiply-add and library functions would all show here.
const std::string rounding_body =
    "for (long long i = 0; i < n; i++) {\n"
    "  double s = 0; float f = 0;\n"
    "  for (long long j = 0; j <= i; j++) { s += x[j] * x[i] + 0.1; f += (float)x[j] * 0.3f; }\n"
    "  x[i] = sin(s) + sqrt(fabs(s)) / 3 + f + exp(-s * s);\n"
    "}";

emit::Module rounding() {
  emit::Module source = over_x("rounding", rounding_body);
  source.source = "double sin(double); double sqrt(double); double fabs(double); double exp(double);\n" + source.source;
  return source;
}

std::string message_of(const std::variant<Kernel, CompileError>& result) {
  const auto* error = std::get_if<CompileError>(&result);
  return error ? error->message : "compiled";
}

}  // namespace

TEST_CASE("jit and native agree to the bit") {
  std::vector<double> values(200);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i)) * 1e3;
  const Bindings a = with_x(values), b = with_x(values);
  REQUIRE(execute(compiled(rounding(), Backend::jit), a, {}).status == Outcome::Status::ok);
  REQUIRE(execute(compiled(rounding(), Backend::native), b, {}).status == Outcome::Status::ok);
  CHECK(std::memcmp(a.arrays.at("x").data(), b.arrays.at("x").data(), values.size() * sizeof(double)) == 0);
  for (const double value : values_of(a.arrays.at("x")))
    CHECK(std::isfinite(value));  // the sign of a NaN is nobody's promise
}

TEST_CASE("integers wrap in both") {
  for (const Backend backend : both) {
    const Bindings bindings = with_x({0});
    execute(compiled(over_x("wraps", "int big = 2147483647; big += (int)n; x[0] = big;"), backend), bindings, {});
    CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{-2147483648.0});
  }
}

TEST_CASE("the jit has its support routines without linking a library") {
  const Bindings bindings = with_x({1e19});
  execute(compiled(over_x("unsigned64", "unsigned long long u = (unsigned long long)x[0]; x[0] = (double)(u / 2);"),
                   Backend::jit),
          bindings, {});
  CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{5e18});
}

TEST_CASE("what does not compile is an error that names the kernel") {
  for (const Backend backend : both) {
    const std::string message = message_of(compile(over_x("broken", "x[0] = ;"), backend));
    CHECK(message.find("kernel `broken`") != std::string::npos);
    CHECK(message.find("error") != std::string::npos);
  }
  CHECK(message_of(compile(over_x("undeclared", "x[0] = foo(n);"), Backend::jit)).find("foo") != std::string::npos);
  CHECK(message_of(compile(module("empty", {}, "int other(void) { return 0; }"), Backend::jit)).find("run_empty") !=
        std::string::npos);
  // Of a shared object only the child that loads it knows what it defines.
  const Outcome outcome =
      execute(compiled(module("empty", {}, "int other(void) { return 0; }"), Backend::native), {}, {});
  CHECK(outcome.status == Outcome::Status::crashed);
  CHECK(outcome.message == "the code of kernel `empty` cannot be loaded");
}

TEST_CASE("without a C compiler there is a clear error") {
  const trellis::testing::Environment variable("CC", "no-such-compiler");
  const std::string message = message_of(compile(rounding(), Backend::native));
  CHECK(message.find("`no-such-compiler` could not be started") != std::string::npos);
  CHECK(message.find("install gcc") != std::string::npos);
}

TEST_CASE("native code is kept: the second time needs no compilation") {
  const FreshCache cache;
  const Kernel first = compiled(rounding(), Backend::native), second = compiled(rounding(), Backend::native);
  CHECK_FALSE(first.cached());
  CHECK(second.cached());
  CHECK(second.compile_ms() < first.compile_ms());
  CHECK(cache.files().size() == 2);  // the code, and what it was made of: nothing is left of the compilation
  CHECK_FALSE(compiled(over_x("rounding", "x[0] = 1;"), Backend::native).cached());
}

TEST_CASE("a damaged file in the cache is made again") {
  const FreshCache cache;
  compiled(rounding(), Backend::native);
  const auto file = cache.files().at(0);
  std::filesystem::remove(file);
  std::ofstream(file) << "nonsense";
  CHECK_FALSE(compiled(rounding(), Backend::native).cached());
  CHECK(compiled(rounding(), Backend::native).cached());
}

TEST_CASE("a cache folder that others can write is not used") {
  const FreshCache cache;
  compiled(rounding(), Backend::native);
  const auto folder = cache.files().at(0).parent_path();
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  CHECK_FALSE(compiled(rounding(), Backend::native).cached());
  CHECK_FALSE(compiled(rounding(), Backend::native).cached());
}

TEST_CASE("a batch compiles kernels of equal names, and one bad kernel spares the others") {
  const FreshCache cache;
  const std::string helper = "static double helper(void) { return ";
  std::vector<emit::Module> modules;
  for (int i = 0; i < 3; ++i) {
    modules.push_back(over_x("same", "x[0] = helper();"));
    modules.back().source = helper + std::to_string(i) + "; }\n" + modules.back().source;
  }
  const auto good = compile_batch(modules, Backend::native);
  modules.push_back(over_x("broken", "x[0] = ;"));
  modules.push_back(over_x("last", "x[0] = 9;"));
  const auto mixed = compile_batch(modules, Backend::native);
  const auto value_of = [](const std::variant<Kernel, CompileError>& result) {
    const Bindings bindings = with_x({-1});
    REQUIRE_MESSAGE(std::holds_alternative<Kernel>(result), message_of(result));
    execute(std::get<Kernel>(result), bindings, {});
    return values_of(bindings.arrays.at("x")).at(0);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(value_of(good.at(i)) == static_cast<double>(i));
    CHECK(std::get<Kernel>(mixed.at(i)).cached());
  }
  CHECK(message_of(mixed.at(3)).find("kernel `broken`") != std::string::npos);
  CHECK(value_of(mixed.at(4)) == 9);
}

TEST_CASE("a parallel kernel runs in the child, before and after one in this process") {
  const Kernel kernel = compiled(over_x("parallel",
                                        "#pragma omp parallel for\n"
                                        "for (long long i = 0; i < n; i++) x[i] = 2 * x[i];"),
                                 Backend::native);
  for (const bool trusted : {false, true, false}) {
    const Bindings bindings = with_x({1, 2, 3, 4});
    const Outcome outcome = execute(kernel, bindings, {.seconds = 20, .trusted = trusted, .threads = 2});
    CHECK(outcome.status == Outcome::Status::ok);
    CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{2, 4, 6, 8});
  }
}

TEST_CASE("the functions that a C source defines are found") {
  using Names = std::vector<std::string>;
  CHECK(defined_functions("double sqrt(double);\nstatic int f(int a, int (*g)(int)) { if (a) g(a); return 0; }") ==
        Names{"f"});
  CHECK(defined_functions(
            "#define H(x) { x }\n/* int no(void) { */ int a[2] = {1, 2};\nvoid g(void)\n{\n}\nvoid h(void) {}") ==
        Names{"g", "h"});
  CHECK(defined_functions("const char *s = \"void t(void) {\"; // void u(void) {\n").empty());
}

}  // namespace trellis::run::testing
