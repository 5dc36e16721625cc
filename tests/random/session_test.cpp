// Sessions of random commands, most of them wrong in some way: whatever is typed gets an answer that can be printed, and an
// error where there is none.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/session/command/commands.hpp"
#include "engine/session/session.hpp"
#include "engine/view/json.hpp"
#include "tests/folder.hpp"
#include "tests/random/candidates.hpp"

namespace trellis::randomised {
namespace {

namespace fs = std::filesystem;

/// Stands in a folder of its own, so that what is saved and exported leaves nothing behind.
class Inside {
 public:
  explicit Inside(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }
  ~Inside() { fs::current_path(before_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  fs::path before_;
};

struct Example {
  std::string text;
  std::vector<std::string> lines;
};

const std::vector<Example>& examples() {
  static const std::vector<Example> all = [] {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(TRELLIS_SOURCE_DIR) / "examples"))
      if (entry.path().extension() == ".tr") files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<Example> found;
    for (const fs::path& file : files) {
      std::ifstream in(file);
      Example example;
      for (std::string line; std::getline(in, line); example.text += line + "\n")
        if (!line.empty() && line[0] != '#' && line[0] != ' ' && line[0] != '}') example.lines.push_back(line);
      found.push_back(std::move(example));
    }
    return found;
  }();
  return all;
}

class Typist {
 public:
  explicit Typist(std::uint64_t seed) : dice_(seed) {}

  /// What a session begins with: the declarations of an example.
  const std::string& program() {
    program_ = &pick(examples());
    return program_->text;
  }

  std::string command() {
    std::string typed = dice_.chance(70) ? from_table() : dice_.chance(60) ? pick(program_->lines) : pick(pick(examples()).lines);
    for (int slips = dice_.chance(35) ? 1 + dice_.below(3) : 0; slips > 0; --slips) slip(typed);
    // Compiling natively and measuring take seconds each.
    for (const char* slow : {"native", "time"})
      for (std::size_t at; (at = typed.find(slow)) != std::string::npos;) typed.replace(at, std::string(slow).size(), "jit");
    return typed;
  }

 private:
  template <class List>
  const typename List::value_type& pick(const List& list) {
    return list[static_cast<std::size_t>(dice_.below(static_cast<int>(list.size())))];
  }

  /// A name, a number or a word of the program that the session has.
  std::string word() {
    static const std::vector<std::string> stages = {"equations", "fragments", "graph", "placement", "loops", "algebra", "lattice", "cfir", "c", "formats",
                                                    "schedule", "memory", "instance"};
    static const std::vector<std::string> words = {"i", "j", "k", "n", "A", "L", "x", "y", "main", "down", "jit", "csr", "csc", "dense", "hash", "step", "back",
                                                   "run", "start", "end", "violation", "write", "i=1", "seed", "density", "0.5", "0", "1", "2", "3", "-1",
                                                   "9223372036854775807", "\"f.mtx\"", "\"f.npy\"", "\"f.c\"", "\"f.tr\"", "auto", "bytemap", "next", "list", "leave", "skip", "yes",
                                                   "E0101", "spy", "dot", "svg", "json"};
    if (dice_.chance(25)) return pick(stages);
    if (dice_.chance(50)) return pick(words);
    // Some name of the program.
    const std::string& text = program_->text;
    std::size_t at = static_cast<std::size_t>(dice_.below(static_cast<int>(text.size())));
    while (at < text.size() && !std::isalpha(static_cast<unsigned char>(text[at]))) ++at;
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
    return text.substr(at, end - at);
  }

  /// A tensor of the program: what its declarations name.
  std::string tensor() {
    std::vector<std::string> names;
    for (std::size_t at = 0; (at = program_->text.find("tensor ", at)) != std::string::npos; at += 7) {
      const std::size_t begin = at + 7, end = program_->text.find_first_of("(:;\n ", begin);
      names.push_back(program_->text.substr(begin, end - begin));
    }
    return names.empty() ? word() : pick(names);
  }

  /// One word of a command's usage, `[N]` or `jit|native`, as somebody who has read it would fill it in.
  std::string filled_in(std::string part) {
    const bool optional = part.find('[') != std::string::npos || part.find(']') != std::string::npos;
    std::erase_if(part, [](char c) { return c == '[' || c == ']'; });
    if (optional && dice_.chance(50)) return "";
    std::vector<std::string> choices(1);
    for (const char c : part) {
      if (c == '|') choices.emplace_back();
      else choices.back() += c;
    }
    const std::string chosen = pick(choices);
    if (chosen == "TENSOR" || chosen == "A" || chosen == "L") return tensor();
    if (chosen == "N") return std::to_string(1 + dice_.below(4));
    if (chosen == "LESSON") return std::to_string(dice_.below(14));
    if (chosen == "ANSWER") return dice_.chance(70) ? std::to_string(1 + dice_.below(4)) : dice_.chance(50) ? "no" : word();
    if (chosen == "KERNEL" || chosen == "B") return "";
    if (chosen == "NAME") return dice_.chance(70) ? "kept" : word();
    if (chosen == "CODE") return "E0101";
    if (chosen == "STAGE" || chosen == "TOPIC") return dice_.chance(50) ? "loops" : word();
    return chosen;
  }

  std::string from_table() {
    const session::CommandInfo& info = pick(session::commands());
    std::string typed(info.name);
    if (dice_.chance(40)) {
      for (int words = dice_.below(4); words > 0; --words) typed += " " + word();
      return typed;
    }
    std::istringstream usage{std::string(info.usage)};
    std::string part;
    usage >> part;
    while (usage >> part) typed += " " + filled_in(part);
    return typed;
  }

  void slip(std::string& typed) {
    static const std::string characters = "()[]{},:;=+-*/^~&|<>?!.\"# \n0aA_\x7f\xc3";
    const auto at = static_cast<std::size_t>(dice_.below(static_cast<int>(typed.size()) + 1));
    switch (dice_.below(4)) {
      case 0: typed.insert(at, 1, characters[static_cast<std::size_t>(dice_.below(static_cast<int>(characters.size())))]); break;
      case 1: typed.erase(at, 1); break;
      case 2: typed.insert(at, " " + word() + " "); break;
      default: typed.resize(at); break;
    }
  }

  Dice dice_;
  const Example* program_ = nullptr;
};

/// Everything that a front end would do with a reply.
void read(const session::Reply& reply, const text::Sources& sources) {
  session::output_of(reply, session::Elision::when_large);
  session::remarks_of(reply);
  view::written(session::to_json(reply, sources));
  for (const text::Diagnostic& d : reply.diagnostics.all()) text::render(d, sources, text::Colour::off);
  CHECK((reply.ok() || reply.diagnostics.has_errors() || reply.exit == session::Exit::difference));
}

/// Whether what the session saves is read by another one, without errors that this one has not, as it was written.
bool replays(session::Session& session, const std::string& path) {
  session.feed("typed", "save \"" + path + "\"", [&](const session::Reply& reply) {
    const std::string said = reply.diagnostics.all().empty() ? "" : reply.diagnostics.all().front().message;
    CHECK_MESSAGE(reply.ok(), said);
  });
  std::ifstream stream(path);
  const std::string saved{std::istreambuf_iterator<char>(stream), {}};
  session::Session again(session.state().options);
  text::Diagnostics wrong;
  session.state().program(wrong);
  again.feed(path, saved, session::Session::Extent::declarations, [&](const session::Reply& reply) { CHECK((reply.ok() || wrong.has_errors())); });
  return wrong.has_errors() || saved.find(lang::print(again.state().declared()).characters) != std::string::npos;
}

}  // namespace

TEST_CASE("random commands: each is answered, or refused with an error") {
  testing::Folder folder;
  const Inside inside(folder.path());
  constexpr int commands_each = 25;
  const int sessions = (wanted(500) + commands_each - 1) / commands_each;
  const std::uint64_t seed = first_seed(910000);
  for (int k = 0; k < sessions; ++k) {
    const std::uint64_t now = seed + static_cast<std::uint64_t>(k);
    CAPTURE(now);
    Typist typist(now);
    session::Options options;
    options.limits.seconds = 2;
    options.data_limit = std::size_t{64} << 20;
    session::Session session(options);
    const auto answer = [&](const session::Reply& reply) { read(reply, session.sources()); };
    session.feed("program", typist.program(), k % 2 == 0 ? session::Session::Extent::declarations : session::Session::Extent::data, answer);
    for (int c = 0; c < commands_each; ++c) {
      const std::string typed = typist.command();
      CAPTURE(typed);
      CHECK_NOTHROW(session.feed("typed", typed, answer));
    }
    CHECK(replays(session, folder / "session.tr"));
  }
}

}  // namespace trellis::randomised
