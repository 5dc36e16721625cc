// What lies where, and what no file may contain.
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "tests/project/sources.hpp"

namespace trellis::project {
namespace {

std::string text_of(const std::string& path) {
  for (const File& file : files())
    if (file.path == path) return file.text;
  FAIL("no file ", path);
  return {};
}

// Absolute paths that exist on one machine only, and hosts that packages come from.
const std::regex of_one_machine(R"((^|[^A-Za-z0-9_.])/(home|root|work|farm|tmp|Users)/[A-Za-z.])"
                                R"(|(deb|snapshot|archive)\.(debian|ubuntu)\.|pypi\.org)");

// The first offending line, or "".
std::string line_of_one_machine(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::regex_search(line, of_one_machine)) return line;
  return {};
}

bool is_header(const std::string& path) { return path.ends_with(".hpp"); }

/// Code is folded by a tool, which leaves remarks alone. Figures and grammars, which blanks set in columns, may be
/// wider.
bool is_too_wide(const std::string& line) {
  constexpr std::ptrdiff_t widest = 120;
  static const std::regex prose(R"(\s*(///|//|\*) [^ ].*)");
  const auto width = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
  return width > widest && std::regex_match(line, prose) && line.find("  ", line.find_first_not_of(' ')) == line.npos;
}

}  // namespace

TEST_CASE("the top level holds what it should and nothing else") {
  const std::set<std::string> expected = {
      "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE",  "engine", "repl", "gui", "third_party",
      "tests",          "examples",          "docs",      "packaging"};
  const std::vector<std::string> found = top_level();
  for (const std::string& name : expected) {
    CAPTURE(name);
    CHECK(std::find(found.begin(), found.end(), name) != found.end());
  }
  for (const std::string& name : found) {
    CAPTURE(name);
    CHECK((expected.contains(name) || name.starts_with(".") || name.starts_with("build")));
  }
}

TEST_CASE("no file names a place on one machine") {
  CHECK(line_of_one_machine("see /ho"
                            "me/ada/x") != "");
  CHECK(line_of_one_machine("#include <a/work/b>  1/tmp  /usr/bin/env") == "");
  for (const File& file : files()) {
    CAPTURE(file.path);
    CHECK(line_of_one_machine(file.text) == "");
  }
}

TEST_CASE("headers are guarded, open with their role, and live in their folder's namespace") {
  for (const File* file : cpp_files("engine")) {
    if (!is_header(file->path)) continue;
    CAPTURE(file->path);
    CHECK(file->text.starts_with("#pragma once\n//"));
    const std::string folder = engine_folder(file->path);
    if (folder == "trellis") continue;  // the public face only includes
    const std::string space = folder == "compile" ? "namespace trellis" : "namespace trellis::" + folder;
    CHECK(file->text.find(space) != std::string::npos);
  }
}

TEST_CASE("no source file is too long to read") {
  for (const File* file : cpp_files("")) {
    CAPTURE(file->path);
    CHECK(std::count(file->text.begin(), file->text.end(), '\n') <= 600);
  }
}

TEST_CASE("remarks are no wider than code") {
  const std::string words = " of a remark that goes on, as this one does, and on";
  CHECK(is_too_wide("// One" + words + words + words));
  CHECK_FALSE(is_too_wide("// One" + words + words));
  CHECK_FALSE(is_too_wide("//   x(i)" + words + words + words));
  for (const File* file : cpp_files("")) {
    CAPTURE(file->path);
    std::istringstream lines(file->text);
    int number = 1;
    for (std::string line; std::getline(lines, line); ++number)
      if (is_too_wide(line)) FAIL_CHECK("line ", number, ": ", line);
  }
}

TEST_CASE("every package that is installed has its line in the table of dependencies") {
  const std::string script = text_of("third_party/install.sh");
  std::smatch list;
  REQUIRE(std::regex_search(script, list, std::regex(R"(packages=\(([^)]*)\))")));
  const std::string table = text_of("third_party/README.md");
  std::istringstream names(list[1]);
  int count = 0;
  for (std::string name; names >> name; ++count) {
    if (name == R"("$@")") continue;  // what is asked for besides
    CAPTURE(name);
    CHECK(table.find("`" + name + "`") != std::string::npos);
  }
  CHECK(count >= 8);
}

}  // namespace trellis::project
