// The architecture's rules, read from the sources: who may include whom, and where each library is let in.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "tests/project/sources.hpp"

namespace trellis::project {
namespace {

// The folders of docs/design/overview.md#folders-of-the-engine, top down: a folder includes from those before it.
// `compile` is engine/compile.*.
const std::vector<std::string> layers = {
    "text",     "math",       "format",  "find", "tensor",    "lang",    "access",   "loop",   "place",
    "schedule", "distribute", "flow",    "cost", "coiterate", "results", "symbolic", "emit",   "run",
    "compile",  "check",      "explore", "plan", "lazy",      "view",    "session",  "trellis"};

// Stricter than the list: the reference must share nothing with the stages that it judges, and the emitter sees control
// flow only, so that what comes before it can change without it.
const std::map<std::string, std::set<std::string>> exceptions = {
    {"check", {"text", "math", "format", "tensor", "lang"}},
    {"emit", {"text", "math", "format", "tensor", "lang", "flow"}},
};

bool may_include(const std::string& from, const std::string& to) {
  if (from == to) return true;
  if (const auto strict = exceptions.find(from); strict != exceptions.end()) return strict->second.contains(to);
  const auto position = [](const std::string& folder) { return std::find(layers.begin(), layers.end(), folder); };
  return position(to) < position(from);
}

std::vector<std::string> that_include(const std::string& header) {
  std::vector<std::string> found;
  for (const File* file : cpp_files(""))
    if (std::find(file->includes.begin(), file->includes.end(), header) != file->includes.end())
      found.push_back(file->path);
  return found;
}

}  // namespace

TEST_CASE("every folder of the engine has its place in the list") {
  REQUIRE(cpp_files("engine").size() > 50);
  for (const File* file : cpp_files("engine")) {
    CAPTURE(file->path);
    CHECK(std::find(layers.begin(), layers.end(), engine_folder(file->path)) != layers.end());
  }
}

TEST_CASE("the overview of the design has the folders in this order") {
  const auto overview = std::find_if(files().begin(), files().end(),
                                     [](const File& file) { return file.path == "docs/design/overview.md"; });
  REQUIRE(overview != files().end());
  std::size_t at = 0;
  for (const std::string& folder : layers) {
    CAPTURE(folder);
    const std::string name = folder == "compile" ? "compile.cpp" : folder == "trellis" ? "trellis.hpp" : folder + "/";
    at = overview->text.find("| `engine/" + name + "` |", at);
    REQUIRE(at != std::string::npos);
  }
}

TEST_CASE("a folder of the engine includes only folders above it") {
  for (const File* file : cpp_files("engine"))
    for (const std::string& name : file->includes) {
      if (!name.starts_with("engine/")) continue;
      CAPTURE(file->path);
      CAPTURE(name);
      CHECK(may_include(engine_folder(file->path), engine_folder(name)));
    }
}

TEST_CASE("the engine includes neither front ends nor tests") {
  for (const File* file : cpp_files("engine"))
    for (const std::string& name : file->includes) {
      CAPTURE(file->path);
      CHECK_FALSE((name.starts_with("repl/") || name.starts_with("gui/") || name.starts_with("tests/")));
    }
}

TEST_CASE("the rule tells right from wrong") {
  CHECK(may_include("place", "loop"));
  CHECK_FALSE(may_include("loop", "place"));
  CHECK(may_include("compile", "run"));
  CHECK_FALSE(may_include("check", "loop"));
  CHECK_FALSE(may_include("emit", "loop"));
  CHECK_FALSE(may_include("run", "compile"));
}

// Besides those who know storage order, results/ and lang/ make formats of it, the lowering makes tensors of formats,
// and the interface for tensors tells it to others.
TEST_CASE("which dimension a level stores is asked of format and access") {
  const std::regex reads(R"re((format|format\(\)|ensor|info|turned|known)(\.|->)order\b)re");
  for (const File* file : cpp_files("engine")) {
    const std::string folder = engine_folder(file->path);
    if (std::set<std::string>{"format", "access", "tensor", "results", "lang"}.contains(folder)) continue;
    if (std::set<std::string>{"engine/coiterate/lower_tensors.cpp", "engine/emit/entry.cpp",
                              "engine/emit/tensor_data.cpp", "engine/run/lent.cpp"}
            .contains(file->path))
      continue;
    CAPTURE(file->path);
    std::smatch found;
    CHECK_FALSE(std::regex_search(file->text, found, reads));
  }
}

TEST_CASE("isl stays in math, also by way of other headers") {
  for (const File* file : cpp_files("")) {
    if (engine_folder(file->path) == "math") continue;
    for (const std::string& name : all_includes(*file)) {
      CAPTURE(file->path);
      CHECK_FALSE(name.starts_with("isl/"));
    }
  }
}

TEST_CASE("libraries are let in where the table of dependencies says") {
  CHECK(that_include("libtcc.h") == std::vector<std::string>{"engine/run/jit.cpp"});
  for (const std::string& path : that_include("zlib.h")) {
    CAPTURE(path);
    CHECK((path.starts_with("engine/tensor/") || path.starts_with("tests/")));
  }
  // The whole header takes seconds to compile; headers take <nlohmann/json_fwd.hpp>, and what makes no JSON nothing.
  for (const std::string& path : that_include("nlohmann/json.hpp")) {
    CAPTURE(path);
    CHECK(path.ends_with(".cpp"));
    CHECK((path.starts_with("engine/view/") || path.starts_with("engine/session/") || !path.starts_with("engine/")));
  }
}

}  // namespace trellis::project
