// What comments and pages name exists: documents, their sections, files and folders.
#include "tests/project/references.hpp"

#include <doctest/doctest.h>

namespace trellis::project {
namespace {

const std::vector<File> made_up = {
    {"docs/tour.md", "# A tour\n", {}},
    {"docs/design/rules.md", "# Rules\n\n## Meeting runs\n\nText.\n\n```\n# no heading\n```\n\n## Meeting runs\n", {}},
    {"engine/place/placer.cpp", "int a;\n", {}},
    {"engine/compile.cpp", "int a;\n", {}},
    {"CMakeLists.txt", "", {}},
};

/// The problems of a text that stands in that file, one a line.
std::string problems(const std::string& from, const std::string& text) {
  const References all(made_up);
  std::string lines;
  for (const Reference& one : references_in(from, text))
    if (const std::string problem = all.problem(from, one); !problem.empty())
      lines += std::to_string(one.line) + ": " + problem + "\n";
  return lines;
}

}  // namespace

TEST_CASE("what comments and pages name exists") {
  const References all(files());
  int named = 0;
  for (const File& file : files())
    for (const Reference& one : references_in(file.path, file.text)) {
      named += !one.anchor.empty();
      const std::string problem = all.problem(file.path, one);
      CHECK_MESSAGE(problem.empty(), file.path << ":" << one.line << ": " << problem);
    }
  CHECK(named > 80);
}

TEST_CASE("a name that leads nowhere is found") {
  const std::string header = "engine/place/placer.hpp";
  CHECK(problems(header, "// docs/design/rules.md#meeting-runs, docs/design/rules.md#meeting-runs-1.\n") == "");
  CHECK(problems(header, "int a;\n// (docs/design/rules.md#meeting-run)\n") ==
        "2: docs/design/rules.md has no section #meeting-run\n");
  CHECK(problems(header, "// docs/design/rules.md#no-heading\n") != "");
  CHECK(problems(header, "// RULES.md, number 3\n") == "1: there is no RULES.md\n");
  CHECK(problems(header, "/// As place/placer.cpp, engine/place/placer.cpp, placer.cpp and tour.md say.\n") == "");
  CHECK(problems(header, "/// As place/search.cpp says, and searcher.cpp.\n") ==
        "1: there is no place/search.cpp\n1: there is no searcher.cpp\n");
  CHECK(problems(header, "// engine/place/, place/placer and engine/compile.*\n") == "");
  CHECK(problems(header, "// engine/places/, place/search\n") ==
        "1: there is no engine/places/\n1: there is no place/search\n");
}

TEST_CASE("a page names its own sections, and pages beside it") {
  CHECK(problems("docs/design/rules.md",
                 "[a](#meeting-runs) [b](../tour.md#a-tour) [c](rules.md) `place/placer.cpp`") == "");
  CHECK(problems("docs/design/rules.md", "[a](#meeting)\n[b](tours.md)\n") ==
        "1: docs/design/rules.md has no section #meeting\n2: there is no tours.md\n");
  CHECK(problems("docs/tour.md", "```\nrun nowhere/x.cpp\n```\nnowhere/y.cpp") == "4: there is no nowhere/y.cpp\n");
}

TEST_CASE("what is no remark names nothing") {
  CHECK(problems("engine/place/placer.cpp", "call(\"// nowhere/x.cpp\", '\"');  // place/placer.cpp\n") == "");
  CHECK(problems("engine/place/placer.cpp", "call('\"');  // nowhere/x.cpp\n") != "");
  CHECK(problems("engine/place/placer.cpp",
                 "// https://example.org/x/rules.md, <sys/x.hpp>, ./x.tr, golden/NAME.golden\n") == "");
  CHECK(problems("engine/CMakeLists.txt", "set(a nowhere/x.cpp)  # docs/design/rules.md#rule\n") ==
        "1: docs/design/rules.md has no section #rule\n");
  CHECK(problems("examples/x.tr", "# nowhere/x.cpp\n") == "");
}

}  // namespace trellis::project
