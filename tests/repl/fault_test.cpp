// A fault of the engine in the program `trellis`: exit code 5, and a file that shows it again.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/environment.hpp"
#include "tests/repl/program.hpp"

namespace trellis::testing {
namespace {

TEST_CASE("a fault ends the run of a file with exit code 5, and the file that it keeps shows it again") {
  const Environment asked("TRELLIS_FAULT", "print");
  const Ended ended = run("tensor x(3): f64 fill 1\nprint x\n");
  CHECK(ended.code == 5);
  CHECK(ended.err.find("error[E0510]: a fault in Trellis ended `print`") != std::string::npos);
  const std::size_t begin = ended.err.find("trellis run /"), end = ended.err.find('`', begin);
  REQUIRE(end != std::string::npos);
  const std::string path = ended.err.substr(begin + 12, end - begin - 12);
  CHECK(start({"run", path}).code == 5);
  std::filesystem::remove(path);
}

TEST_CASE("a fault ends the command, and what follows at the prompt is carried out") {
  const Environment asked("TRELLIS_FAULT", "plot");
  const Ended ended = start_shell("printf 'tensor x(3): f64 fill 1\\nplot x\\nprint x\\n' | trellis --json");
  CHECK(ended.out.find("E0510") != std::string::npos);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("a signal in the engine ends the command alone") {
  const Environment asked("TRELLIS_FAULT", "print:signal");
  const Ended ended = run("tensor x(3): f64 fill 1\nprint x\n");
  CHECK(ended.code == 5);
  CHECK(ended.err.find("SIGSEGV") != std::string::npos);
}
#endif

}  // namespace
}  // namespace trellis::testing
