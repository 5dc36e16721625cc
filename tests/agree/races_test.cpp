// Parallel kernels under a race detector: what a kernel runs on is written beside it as C, and both are compiled with
// -fsanitize=thread and threads that it sees through (openmp_by_threads.c).

#include <doctest/doctest.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/session/running/execution.hpp"
#include "engine/session/session.hpp"
#include "tests/folder.hpp"
#include "tests/on_threads.hpp"
#include "tests/programs.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

/// Bytes as 64-bit numbers, so that every type of element is aligned. At most so many: what a result has room for is
/// more.
constexpr std::size_t most_bytes = 1 << 20;

std::string as_array(const std::string& name, const void* data, std::size_t bytes) {
  std::string text = "static unsigned long long " + name + "[] = {";
  for (std::size_t at = 0; at < bytes || at == 0; at += 8) {
    std::uint64_t word = 0;
    if (at < bytes) std::memcpy(&word, static_cast<const char*>(data) + at, std::min<std::size_t>(8, bytes - at));
    char digits[32];
    std::snprintf(digits, sizeof digits, "0x%" PRIx64 ",", word);
    text += digits;
  }
  return text + "};\n";
}

template <class T>
std::string as_scalar(const std::string& name, T value) {
  return as_array(name, &value, sizeof value);
}

/// `int main` that calls the kernel once on what it is bound to.
std::string driver(const emit::Module& module, const run::Bindings& bindings) {
  using Kind = emit::Argument::Kind;
  std::string data, arguments;
  for (std::size_t k = 0; k < module.arguments.size(); ++k) {
    const emit::Argument& a = module.arguments[k];
    const std::string name = "a" + std::to_string(k);
    arguments += name + ", ";
    if (a.kind == Kind::size) data += as_scalar(name, bindings.sizes.at(a.name));
    if (a.kind == Kind::real) data += as_scalar(name, bindings.reals.at(a.name));
    if (a.kind == Kind::capacity) data += as_scalar(name, static_cast<std::int64_t>(most_bytes / 8));
    if (a.kind != Kind::array) continue;
    const tensor::Tensor& tensor = bindings.arrays.at(a.name);
    if (tensor.reserved()) data += "static unsigned long long " + name + "[" + std::to_string(most_bytes / 8) + "];\n";
    else data += as_array(name, tensor.array(a.level, a.array), tensor.array_bytes(a.level, a.array));
  }
  return data + "int " + module.entry +
         "(void *const *);\nstatic int fault[2];\nint main(void) {\n  void *arguments[] = {" + arguments +
         "fault};\n  return " + module.entry + "(arguments) + fault[0];\n}\n";
}

struct Ran {
  int code = -1;
  std::string output;
};

Ran command(const std::string& line, const std::filesystem::path& folder) {
  const std::filesystem::path log = folder / "log";
  Ran ran;
  ran.code = std::system(("cd '" + folder.string() + "' && (" + line + ") > log 2>&1").c_str());
  ran.output = read(log);
  return ran;
}

/// What the detector says of the kernel; empty: no race. `source` is the kernel's C.
std::string races_in(const std::string& source, const std::string& main) {
  const Folder folder;
  folder.file("kernel.c", source);
  folder.file("main.c", main);
  const std::filesystem::path threads = std::filesystem::path(TRELLIS_SOURCE_DIR) / "tests/agree/openmp_by_threads.c";
  const Ran built = command("cc -std=gnu99 -O1 -g -w -fwrapv -fopenmp -fsanitize=thread kernel.c main.c '" +
                                threads.string() + "' -lm -o kernel",
                            folder.path());
  if (built.code != 0) return "cannot be built: " + built.output;
  Ran ran = command("./kernel", folder.path());
  // Where the system scatters addresses more widely than the detector expects.
  if (ran.output.find("unexpected memory mapping") != std::string::npos)
    ran = command("setarch -R ./kernel", folder.path());
  return ran.code == 0 ? "" : ran.output + "\nended with " + std::to_string(ran.code);
}

struct Parallel {
  std::string source, main;
};

Parallel parallel(const std::string& program) {
  session::Session session{session::Options()};
  std::string said;
  const auto fed = session.feed("races", program, [&](const session::Reply& reply) {
    for (const text::Diagnostic& d : reply.diagnostics.all()) said += d.message + "\n";
  });
  REQUIRE_MESSAGE(fed.exit == session::Exit::success, said);
  session::State& state = session.state();
  text::Diagnostics diagnostics;
  session::Exit exit = session::Exit::success;
  const auto prepared = session::prepare(state, state.program(diagnostics)->kernels.back(), {}, diagnostics, exit);
  REQUIRE_MESSAGE(prepared, (diagnostics.all().empty() ? "" : diagnostics.all().front().message));
  const emit::Module module = always_on_threads(prepared->compilation->module);
  REQUIRE_MESSAGE(module.source.find("#pragma omp") != std::string::npos, module.source);
  return {module.source, driver(module, prepared->bindings)};
}

const std::string matrices =
    "param n = 60\ntensor A(n, n): csr\ntensor B(n, n): csr\ntensor x(n)\nrandom A seed 1 density 0.1\n"
    "random B seed 2 density 0.1\nrandom x seed 3\n";

}  // namespace

TEST_CASE("races: none in what threads compute") {
  const std::string programs[] = {
      "y(i) = A(i,j) * x(j)\norder i j\nparallel i\n",  // a row each
      "y(i) = A(i,j) * x(j)\norder j i\nparallel j\n",  // atomic updates
      "y(i) = A(i,j) * x(j)\nparallel A\n",             // parts of rows
      "tensor D(n, n): dcsr\nrandom D seed 4 density 0.2\ny(i) = D(i,j) * x(j)\nparallel D\n",
      "tensor E(2, 2): csr\nfill_with E [[0, 1], [0, 0]]\ntensor v(2)\nrandom v seed 4\nw(i) = E(i,j) * v(j)\nparallel "
      "E\n",
      "s = A(i,j) * x(j)\norder i j\nparallel i\n",                                 // parts of a sum
      "tensor C(n, n): csr\nC(i,j) = A(i,k) * B(k,j)\norder i k j\nparallel i\n",   // counted, then filled
      "tensor D(n, n): dcsr\nrandom D seed 4 density 0.05\ntensor C(n, n): dcsr\n"  // led by rows with entries
      "C(i,j) = D(i,k) * B(k,j)\norder i k j\nparallel i\n",
      "tensor C(n, n): {dense, hashed}\nC(i,j) = A(i,j) + 2 * B(i,j)\norder i j\nparallel i\n",
      "tensor S(n, n): csr\nS(i,j) = A(i,j) * x(i) * x(j)\norder i j\nparallel i\n",  // the entries of an operand
      "tensor E(n, n): bcsr(2, 2)\nrandom E seed 5 density 0.05\ny(i) = E(i,j) * x(j)\norder i j\nparallel i\n",
      "tensor T(n, 8, 8): csf\nrandom T seed 6 density 0.05\ntensor M(8, 4)\nrandom M seed 7\n"
      "tensor Y(n, 8, 4): {compressed, compressed, dense}\nY(i,j,l) = T(i,j,k) * M(k,l)\norder i j k l\nparallel i\n",
      "tensor p(n): i64 injective\nrandom p seed 8\nloops { tensor y(n); y .= 0; for i { y(p(i)) += x(i) } }\nparallel "
      "i\n"};
  for (const std::string& program : programs) {
    CAPTURE(program);
    const Parallel kernel = parallel(matrices + program);
    CHECK_MESSAGE(races_in(kernel.source, kernel.main) == "", program);
  }
}

TEST_CASE("races: iterations that wait for each other are ordered") {
  for (const char* program :
       {"param n = 40; tensor A(n, n); tensor L(n, n)\nrandom A seed 1\n"
        "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / (2 + L(j,j)^2) : k < j < i\nL(i,i) = A(i,i) : i >= 0\n"
        "order i j k\nparallel i\n",
        "param n = 90; tensor A(n, n): csc; tensor L(n, n): csc\nrandom A seed 1 spd density 0.03\n"
        "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
        "L(j,j) = sqrt(A(j,j) - sum(k)(L(j,k)^2)) : k < j\norder j k i\nsupernodes L relax 8\nparallel j\nrun\n",
        "param n = 24; param sweeps = 6; tensor x(n, n)\nrandom x seed 1\n"
        "x[t](i,j) = (x[t-1](i,j) + x[t](i-1,j) + x[t](i,j-1) + x[t-1](i+1,j) + x[t-1](i,j+1)) / 5 "
        ": 1 <= i < n-1, 1 <= j < n-1, 1 <= t <= sweeps\norder t i j\ninplace x\nskew t i 2\nreorder i t\nparallel "
        "t\n"}) {
    CAPTURE(std::string(program));
    const Parallel kernel = parallel(program);
    CHECK_MESSAGE(races_in(kernel.source, kernel.main) == "", program);
  }
}

TEST_CASE("races: updates that are not atomic are found") {
  Parallel kernel = parallel(matrices + "y(i) = A(i,j) * x(j)\norder j i\nparallel j\n");
  const std::string atomic = "#pragma omp atomic\n";
  for (std::size_t at = kernel.source.find(atomic); at != std::string::npos; at = kernel.source.find(atomic))
    kernel.source.erase(at, atomic.size());
  CHECK(races_in(kernel.source, kernel.main).find("data race") != std::string::npos);
}
