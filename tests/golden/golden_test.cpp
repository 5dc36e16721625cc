// Each golden file NAME.golden of this folder is a test, `golden: NAME`: the files are looked for as the program
// starts, so a new one needs no build. `trellis-tests --bless [PART]` rewrites those with PART in their path; read what
// you bless.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <list>

#include "tests/golden/golden_file.hpp"
#include "tests/options.hpp"
#include "tests/programs.hpp"

namespace trellis::testing {
namespace {

namespace fs = std::filesystem;

/// Read from top to bottom. The C of a sparse kernel may take up all of it: see sum_of_three_c.golden.
constexpr int most_lines = 150;

void bless(const fs::path& path, const std::string& before) {
  const std::string after = print_golden(answer(parse_golden(before)));
  if (before == after) return;
  std::ofstream(path, std::ios::binary) << after;
  std::cout << "blessed " << path.filename().string() << ":\n" << after << "\n";
}

void check(const std::string& before) {
  const GoldenFile expected = parse_golden(before);
  CHECK(problems_of(expected) == "");
  CHECK(std::count(before.begin(), before.end(), '\n') <= most_lines);
  const GoldenFile found = answer(expected);
  REQUIRE(expected.sections.size() == found.sections.size());
  for (std::size_t i = 0; i < expected.sections.size(); ++i) {
    CAPTURE(expected.sections[i].heading);
    CHECK(expected.sections[i].body == found.sections[i].body);
  }
}

/// All tests of golden files are this function; the one that runs is known by its file.
void run_present_test() {
  const fs::path path = doctest::getContextOptions()->currentTest->m_file.c_str();
  const auto& wanted = options().bless;
  if (wanted && path.string().find(*wanted) != std::string::npos) bless(path, read(path));
  else check(read(path));
}

/// What TEST_CASE does, once for each file.
int register_tests() {
  static std::list<std::string> names;  // doctest keeps pointers to them
  static const std::vector<fs::path> paths = files_of("tests/golden", ".golden");
  for (const fs::path& path : paths) {
    const std::string& name = names.emplace_back("golden: " + path.stem().string());
    doctest::detail::regTest(doctest::detail::TestCase(run_present_test, path.c_str(), 1, {}) * name.c_str());
  }
  return static_cast<int>(names.size());
}

const int registered = register_tests();

}  // namespace

TEST_CASE("golden files are found, and what is wrong with one is said") {
  CHECK(registered > 0);
  CHECK(problems_of(parse_golden("# A sum.\n== source\ny = 1\n== show loops\n== algebra\n== run\ny = 1\n")) == "");
  CHECK(problems_of(parse_golden("# An error.\n== source\ny = z\n== errors\nsource:1:5: error[E0103]: …\n")) == "");
  CHECK(problems_of(parse_golden("# A sum.\n== source\ny = 1\n== errors\nsource:1:1: note[N0202]: …\n")) ==
        "it has neither a `== run` nor a `== errors` with an error\n");
  CHECK(problems_of(parse_golden("# A sum.\n== source\ny = z\n== algebra\nx:1:5: error[E0103]: …\n== run\n")) ==
        "`== algebra` has an error, which belongs to `== errors`\n");
  CHECK(problems_of(parse_golden("== source\ny = 1\n== lops\n== run\n")) ==
        "`== lops` is no section, stage or command\nit does not begin with a comment that says what it shows\n");
  CHECK(problems_of(parse_golden("# Nothing.\n")) ==
        "its first section is not `== source`\nit has neither a `== run` nor a `== errors` with an error\n");
}

}  // namespace trellis::testing
