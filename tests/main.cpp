#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "engine/run/server.hpp"
#include "tests/options.hpp"

namespace trellis::testing {
namespace {

Options chosen;

std::uint64_t number(std::string_view option, const char* text) {
  char* end = nullptr;
  std::uint64_t value = text ? std::strtoull(text, &end, 10) : 0;
  if (text && end != text && *end == '\0') return value;
  std::cerr << "trellis-tests: " << option << " needs a number\n";
  std::exit(2);
}

/// Whether the command line says which tests by their names.
bool chooses(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](std::string_view option) {
    return option.starts_with("-tc=") || option.starts_with("--test-case=");
  });
}

}  // namespace

const Options& options() { return chosen; }

}  // namespace trellis::testing

#ifdef __SANITIZE_ADDRESS__
// Each kernel runs in a forked process, and a fork copies the page tables of all that is held back for late finds.
// A test that dies by a signal still says what it was about.
extern "C" const char* __asan_default_options() {
  return "abort_on_error=1:quarantine_size_mb=16:thread_local_quarantine_size_kb=64:malloc_context_size=8";
}
#endif

#ifdef __SANITIZE_THREAD__
// Kernels run in forked processes, also of programs with threads.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0:halt_on_error=1"; }
#endif

int main(int argc, char** argv) {
  using trellis::testing::chooses;
  using trellis::testing::chosen;
  using trellis::testing::number;
  doctest::Context context(argc, argv);
  for (int k = 1; k < argc; ++k) {
    std::string_view option = argv[k];
    const char* next = k + 1 < argc ? argv[k + 1] : nullptr;
    if (option == "--random") chosen.random = static_cast<int>(number(option, next));
    if (option == "--seed") chosen.seed = number(option, next);
    if (option == "--mutate") {
      chosen.mutate = static_cast<int>(number(option, next));
      if (!chooses(argc, argv)) context.addFilter("test-case", "mutated *");
    }
    if (option == "--served" && !trellis::run::start_server()) {
      std::cerr << "trellis-tests: no server can be started\n";
      return 2;
    }
    if (option == "--matrix") {
      chosen.matrix = next && next[0] != '-' ? next : "";
      context.addFilter("test-case", "the matrix of trials*");
    }
    if (option == "--bless") chosen.bless = next && next[0] != '-' ? next : "";
  }
  return context.run();
}
