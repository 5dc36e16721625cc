// What the documentation shows is what happens: every program and every command on its pages is run.
// `trellis-tests -tc="docs*" --bless [PAGE]` writes what commands print now into the pages.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/docs/likeness.hpp"
#include "tests/docs/page.hpp"
#include "tests/folder.hpp"
#include "tests/options.hpp"
#include "tests/repl/program.hpp"
#include "tests/repl/typist.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::testing {
namespace {

namespace fs = std::filesystem;

const fs::path root = TRELLIS_SOURCE_DIR;

using Lines = std::vector<std::string>;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// What a page shows under a command, and what the command prints.
struct Change {
  Command command;
  Lines printed;
};

// A reader who tries out a page from top to bottom, in a folder that holds nothing but the examples.
class Reader {
 public:
  Reader() { fs::copy(root / "examples", folder_.path() / "examples"); }

  /// Null when the block does what it should, else what is wrong.
  std::optional<std::string> try_out(const Block& block) {
    if (block.language == "console") return follow(block);
    if (block.language == "prompt") return converse(block);
    if (block.language == "trellis") program_ = block.has("more") ? program_ + block.text() : block.text();
    if (const auto name = block.value("file"))
      folder_.file(*name, block.language == "trellis" ? program_ : block.text());
    return block.language == "trellis" ? run(block) : std::nullopt;
  }

  const std::vector<Change>& changes() const { return changes_; }

 private:
  std::optional<std::string> run(const Block& block) {
    const Answer answer = Transcript().run(program_, folder_ / block.value("file").value_or("page.tr"));
    const auto code = block.value("error");
    if (!code && !answer.ok()) return "the program fails:\n" + answer.messages();
    if (code && answer.ok()) return "the program does not fail";
    if (code && answer.codes.find(*code) == std::string::npos)
      return "it gives " + answer.codes + ":\n" + answer.messages();
    return std::nullopt;
  }

  std::optional<std::string> follow(const Block& console) {
    std::string problems;
    for (const Command& command : commands_of(console)) {
      Surroundings surroundings;
      surroundings.folder = folder_.path();
      const Ended ended = start_shell(command.text, surroundings);
      const Lines printed = lines_of(ended.out);
      if (!alike(command.output, printed)) {
        changes_.push_back({command, printed});
        problems += "$ " + command.text + "\nprints:\n" + ended.out + "instead of:\n" + joined(command.output);
      }
      // Nobody should read that a command works when it failed.
      const bool error_shown =
          ended.out.find("error[E") != std::string::npos || ended.out.find("differs at") != std::string::npos;
      if (ended.code != 0 && !error_shown)
        problems += "$ " + command.text + "\nends with " + std::to_string(ended.code) + "\n";
    }
    if (problems.empty()) return std::nullopt;
    return problems;
  }

  // What stands behind a prompt is typed; then the screen shows what the page shows.
  std::optional<std::string> converse(const Block& block) {
    const auto at_prompt = [](const Screen& screen) {
      return screen.before_cursor() == "trellis> " || screen.before_cursor() == "    ...> ";
    };
    Typist::Desk desk;
    desk.folder = folder_.path().string();
    desk.rows = 200, desk.columns = 150;
    std::filesystem::create_directories(folder_.path() / "state/trellis");
    folder_.file("state/trellis/history", "help\n");  // no newcomer, whom the prompt greets
    Typist typist({}, desk);
    bool answers = typist.waits_for_prompt();
    for (const std::string& line : block.lines) {
      if (!answers || !(line.starts_with("trellis> ") || line.starts_with("    ...> "))) continue;
      typist.type(line.substr(9) + "\r");
      answers = typist.waits_until(at_prompt);
    }
    Lines shown = typist.screen().lines();
    while (!shown.empty() && (shown.back().empty() || shown.back() == "trellis>")) shown.pop_back();
    if (answers && alike(block.lines, shown)) return std::nullopt;
    return "the screen shows:\n" + joined(shown) + "instead of:\n" + joined(block.lines);
  }

  Folder folder_;
  std::string program_;
  std::vector<Change> changes_;
};

void bless(const fs::path& path, const std::vector<Change>& changes) {
  Lines lines = lines_of(read(path));
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const auto begin = lines.begin() + change->command.output_line - 1;
    const auto at = lines.erase(begin, begin + static_cast<std::ptrdiff_t>(change->command.output.size()));
    lines.insert(at, change->printed.begin(), change->printed.end());
  }
  std::ofstream(path, std::ios::binary) << joined(lines);
}

enum class Code { everything_runs, some_is_quoted };

void check_page(const std::string& name, std::size_t promised, Code code) {
  const Page page = read_page(read(root / name));
  Reader reader;
  std::size_t tried = 0;
  for (const Block& block : page.blocks) {
    const bool runs =
        block.language == "trellis" || block.language == "console" || block.language == "prompt" || block.value("file");
    tried += runs;
    const std::string where = name + ":" + std::to_string(block.line);
    CHECK_MESSAGE((runs || code == Code::some_is_quoted), where << " is run by nothing");
    const auto problem = reader.try_out(block);
    CHECK_MESSAGE(!problem, where << ": " << problem.value_or(""));
  }
  if (code == Code::everything_runs)
    for (const int line : page.indented) CHECK_MESSAGE(false, name << ":" << line << " is code that nothing runs");
  CHECK(tried >= promised);
  const auto& wanted = options().bless;
  if (wanted && name.find(*wanted) != std::string::npos) bless(root / name, reader.changes());
}

}  // namespace

TEST_CASE("docs: README.md runs as printed") { check_page("README.md", 2, Code::some_is_quoted); }
TEST_CASE("docs: formats.md runs as printed") { check_page("docs/formats.md", 2, Code::everything_runs); }
TEST_CASE("docs: pipeline.md runs as printed") { check_page("docs/pipeline.md", 3, Code::some_is_quoted); }
TEST_CASE("docs: shapes.md runs as printed") { check_page("docs/shapes.md", 2, Code::everything_runs); }
TEST_CASE("docs: session.md runs as printed") { check_page("docs/session.md", 0, Code::some_is_quoted); }
TEST_CASE("docs: contributing.md runs as printed") { check_page("docs/contributing.md", 0, Code::some_is_quoted); }
TEST_CASE("docs: from-taco.md runs as printed") { check_page("docs/from-taco.md", 4, Code::some_is_quoted); }
TEST_CASE("docs: from-julia.md runs as printed") { check_page("docs/from-julia.md", 2, Code::everything_runs); }
TEST_CASE("docs: limits.md runs as printed") { check_page("docs/limits.md", 3, Code::everything_runs); }
TEST_CASE("docs: from-c.md runs as printed") { check_page("docs/from-c.md", 1, Code::some_is_quoted); }
TEST_CASE("docs: from-graphblas.md runs as printed") { check_page("docs/from-graphblas.md", 4, Code::some_is_quoted); }
TEST_CASE("docs: files.md runs as printed") { check_page("docs/files.md", 0, Code::some_is_quoted); }
TEST_CASE("docs: examples/README.md runs as printed") { check_page("examples/README.md", 1, Code::some_is_quoted); }
#ifndef __SANITIZE_ADDRESS__  // long ones, whose programs take the ways of examples and golden files
TEST_CASE("docs: first-hour.md runs as printed") { check_page("docs/first-hour.md", 15, Code::everything_runs); }
TEST_CASE("docs: tutorial.md runs as printed") { check_page("docs/tutorial.md", 24, Code::everything_runs); }
TEST_CASE("docs: language.md runs as printed") { check_page("docs/language.md", 30, Code::everything_runs); }
TEST_CASE("docs: blocks.md runs as printed") { check_page("docs/blocks.md", 3, Code::some_is_quoted); }
TEST_CASE("docs: ranks.md runs as printed") { check_page("docs/ranks.md", 4, Code::some_is_quoted); }
TEST_CASE("docs: sparse.md runs as printed") { check_page("docs/sparse.md", 9, Code::some_is_quoted); }
#endif

TEST_CASE("docs: every page is tried out by some test") {
  // commands.md, errors.md and topics.md are tested with the program that prints them, explorer.md with the window's
  // help, array-api.md, from-scipy.md and python.md by tests/python.
  const std::set<std::string> tested = {
      "array-api.md", "blocks.md",     "commands.md",  "contributing.md",   "errors.md",   "explorer.md",
      "files.md",     "first-hour.md", "formats.md",   "from-julia.md",     "limits.md",   "from-c.md",
      "ranks.md",     "from-scipy.md", "from-taco.md", "from-graphblas.md", "language.md", "pipeline.md",
      "python.md",    "session.md",    "shapes.md",    "sparse.md",         "topics.md",   "tutorial.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".md") CHECK_MESSAGE(tested.contains(name), name);
  }
}

TEST_CASE("docs: examples/README.md lists every example once, and each opens with its title") {
  const std::string list = read(root / "examples/README.md");
  int examples = 0;
  for (const auto& entry : fs::directory_iterator(root / "examples")) {
    if (entry.path().extension() != ".tr") continue;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    ++examples;
    const std::size_t found = list.find("`" + name + "` |");
    CHECK(found != std::string::npos);
    CHECK(list.find("`" + name + "` |", found + 1) == std::string::npos);
    const Lines lines = lines_of(read(entry.path()));
    std::size_t header = 0;
    while (header < lines.size() && lines[header].starts_with("# ")) ++header;
    CHECK_MESSAGE(lines.at(0).size() <= 122, "a title: ", lines[0]);
    CHECK(header >= 2);
    CHECK(header <= 5);
  }
  CHECK(examples >= 40);
}

}  // namespace trellis::testing
