// Runs every golden file below tests/golden/. `trellis-tests --bless [PATH]` rewrites them; read what you bless.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "tests/golden/golden_file.hpp"
#include "tests/options.hpp"

namespace trellis::testing {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void bless(const fs::path& path, const std::string& before, const std::string& after) {
  if (before == after) return;
  std::ofstream(path, std::ios::binary) << after;
  std::cout << "blessed " << path.filename().string() << ":\n" << after << "\n";
}

std::vector<fs::path> golden_files() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TRELLIS_SOURCE_DIR) / "tests" / "golden"))
    if (entry.path().extension() == ".golden") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("golden files say what the engine answers") {
  const std::vector<fs::path> paths = golden_files();
  REQUIRE(!paths.empty());
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    CAPTURE(name);
    const std::string before = read(path);
    const auto& wanted = options().bless;
    if (wanted && path.string().find(*wanted) != std::string::npos) {
      bless(path, before, print_golden(answer(parse_golden(before))));
      continue;
    }
    const GoldenFile expected = parse_golden(before);
    const GoldenFile found = answer(expected);
    REQUIRE(expected.sections.size() == found.sections.size());
    for (std::size_t i = 0; i < expected.sections.size(); ++i) {
      CAPTURE(expected.sections[i].heading);
      CHECK(expected.sections[i].body == found.sections[i].body);
    }
    CHECK(std::count(before.begin(), before.end(), '\n') <= 90);
  }
}

}  // namespace trellis::testing
