// The reference pages and the program agree: every code is explained, every explanation is true, every command has a
// page.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "engine/format/format.hpp"
#include "engine/format/operation.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/program/documents.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::set<std::string> codes_in(const std::string& folder) {
  std::set<std::string> codes;
  const std::regex code("\"([EWN]0[0-9]{3})\"");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(TRELLIS_SOURCE_DIR "/") + folder)) {
    const std::string kind = entry.path().extension();
    if (kind != ".cpp" && kind != ".hpp" && kind != ".py") continue;
    const std::string text = content_of(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), code), end; found != end; ++found)
      codes.insert((*found)[1]);
  }
  return codes;
}

std::set<std::string> codes_in_the_sources() {
  std::set<std::string> codes = codes_in("engine");
  codes.merge(codes_in("repl"));
  return codes;
}

}  // namespace

TEST_CASE("Every code that the program can give has a section, and every section belongs to one") {
  const std::set<std::string> used = codes_in_the_sources();
  const std::vector<std::string> list = session::sections(session::errors_page);
  const std::set<std::string> explained(list.begin(), list.end());
  CHECK(explained.size() == list.size());
  std::string missing, superfluous;
  for (const std::string& code : used)
    if (!explained.count(code)) missing += code + " ";
  for (const std::string& code : explained)
    if (!used.count(code)) superfluous += code + " ";
  CHECK(missing == "");
  CHECK(superfluous == "");
}

TEST_CASE("Sections are short enough to read in a terminal") {
  for (const std::string& code : session::sections(session::errors_page)) {
    CAPTURE(code);
    const std::string text = *session::section(session::errors_page, code);
    CHECK(std::count(text.begin(), text.end(), '\n') <= 20);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 122);
  }
}

TEST_CASE("Every command has a section that starts with how it is written") {
  for (const session::CommandInfo& command : session::commands()) {
    CAPTURE(command.name);
    const auto text = session::section(session::commands_page, command.name);
    REQUIRE(text);
    CHECK(text->find("\n    " + std::string(command.name)) != std::string::npos);
  }
}

TEST_CASE("Every name of the language's tables has help") {
  std::vector<std::string> names = format::level_names();
  for (const std::string& name : format::format_names()) names.push_back(name);
  for (int f = 0; f <= static_cast<int>(format::Function::max); ++f)
    names.emplace_back(format::name_of(static_cast<format::Function>(f)));
  for (int op = 0; op <= static_cast<int>(format::BinaryOp::logical_or); ++op)
    names.emplace_back(format::symbol(static_cast<format::BinaryOp>(op)));
  for (const auto op : {format::UnaryOp::negate, format::UnaryOp::logical_not, format::UnaryOp::bit_not})
    names.emplace_back(format::symbol(op));
  for (int op = 0; op < static_cast<int>(format::ReduceOp::user); ++op)
    names.emplace_back(format::name_of(static_cast<format::ReduceOp>(op)));
  for (const auto type : {format::ScalarType::f64, format::ScalarType::f32, format::ScalarType::i64,
                          format::ScalarType::i32, format::ScalarType::i16, format::ScalarType::u64,
                          format::ScalarType::u32, format::ScalarType::u8, format::ScalarType::boolean})
    names.emplace_back(format::name_of(type));
  for (const char* stage : {"equations", "fragments", "graph", "placement", "loops", "algebra", "lattice", "flow", "c",
                            "cost", "formats", "memory", "schedule"})
    names.emplace_back(stage);
  for (const char* command :
       {"order", "parallel", "format", "mask", "march", "workspace", "split", "tile", "skew", "reorder", "unroll",
        "jam", "vectorize", "lead", "find", "inplace", "registers", "fused", "supernodes"})
    names.emplace_back(command);
  for (const char* word :
       {"tensor", "param", "kernel", "for", "forall",  "if",  "else", "while",  "let",   "until", "freeze",
        "thaw",   "true",  "false",  "inf", "missing", "xor", "def",  "layout", "loops", "?:"})
    names.emplace_back(word);
  Transcript t;
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(t.say("help \"" + name + "\"").ok());
  }
  CHECK(t.say("help sqrt").output.find("cbrt hypot: roots") != std::string::npos);
  CHECK(t.say("help until").ok());
  CHECK(t.say("help squrt").messages().find("did you mean `help sqrt`?") != std::string::npos);
}

TEST_CASE("help lists the commands and prints sections, explain prints codes") {
  Transcript t;
  const auto overview = t.say("help");
  for (const session::CommandInfo& command : session::commands())
    CHECK(overview.output.find(std::string(command.usage)) != std::string::npos);
  CHECK(t.say("help load").output == *session::section(session::commands_page, "load"));
  CHECK(t.say("help E0101").output == t.say("explain E0101").output);
  CHECK(t.say("explain E0101").output.find("read before it is computed") != std::string::npos);
  CHECK(t.say("explain E0101").last("explain")["topic"] == "E0101");
  CHECK(t.say("explain e0101").ok());
  CHECK(t.say("help mtx").output.find("Matrix Market") != std::string::npos);
  CHECK(t.say("help .idx").output == t.say("help \".idx\"").output);
  CHECK(t.say("help ^").output == t.say("help \"^\"").output);
  CHECK(t.say("help ?:; help xor").ok());
  CHECK(t.say("help idx").output == t.say("help \".idx\"").output);
  CHECK(t.say("help files").output.find("help mtx") != std::string::npos);
  CHECK(t.say("help randm").messages().find("did you mean `help random`?") != std::string::npos);
  CHECK(t.say("help pagerank").messages().find("`examples NAME` shows a program, here page_rank") != std::string::npos);
  CHECK(t.say("help solve").messages().find("any other one is factorised first") != std::string::npos);
  CHECK(t.say("help nothing of the kind").messages().find("`examples` lists programs") != std::string::npos);
  CHECK(t.say("explain E9999").codes == "E0610");
  CHECK(t.say("explain").codes == "E0601");
}
