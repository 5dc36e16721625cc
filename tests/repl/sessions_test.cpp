// Sessions at the prompt, typed key by key behind a pseudo-terminal: tests/repl/sessions/*.session.
// `trellis-tests -tc="sessions*" --bless [NAME]` writes what the screen shows now into them; read what you bless.
//
//   # What this shows.
//   == file a.tr                  a file to have; its lines follow
//   == desk columns=60 LC_ALL=C   another terminal than 40 x 100, other variables
//   == start a.tr                 arguments; what the screen shows up to the first prompt follows
//   == type print y<Enter>        keys; what the screen shows, from the line typed in to the next prompt, follows
//   == type pri<Tab> => print     the same, until the text before the cursor ends so
//   == press j                    keys that draw anew what is there; the screen from where `type` began follows
//   == end                        the program has ended; its exit code follows
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "tests/docs/likeness.hpp"
#include "tests/folder.hpp"
#include "tests/options.hpp"
#include "tests/repl/typist.hpp"

namespace trellis::testing {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

struct Part {
  std::string heading;
  Lines body;
};

struct Session {
  Lines comment;
  std::vector<Part> parts;
};

Session read_session(const fs::path& path) {
  Session session;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("== ")) session.parts.push_back({line.substr(3), {}});
    else if (session.parts.empty()) session.comment.push_back(line);
    else session.parts.back().body.push_back(line);
  }
  return session;
}

void write_session(const fs::path& path, const Session& session) {
  std::ofstream out(path);
  for (const std::string& line : session.comment) out << line << "\n";
  for (const Part& part : session.parts) {
    out << "== " << part.heading << "\n";
    for (const std::string& line : part.body) out << line << "\n";
  }
}

std::string keys_of(const std::string& text) {
  static const std::map<std::string, std::string> names = {
      {"Enter", "\r"},       {"Tab", "\t"},          {"Up", "\x1b[A"},        {"Down", "\x1b[B"},
      {"Right", "\x1b[C"},   {"Left", "\x1b[D"},     {"Home", "\x1b[H"},      {"End", "\x1b[F"},
      {"Backspace", "\x7f"}, {"Paste", "\x1b[200~"}, {"/Paste", "\x1b[201~"}, {"Esc", "\x1b"}};
  std::string keys;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const std::size_t end = text[k] == '<' ? text.find('>', k) : std::string::npos;
    const std::string name = end == std::string::npos ? "" : text.substr(k + 1, end - k - 1);
    if (const auto found = names.find(name); found != names.end()) keys += found->second;
    else if (name.size() == 3 && name.starts_with("C-")) keys += static_cast<char>(name[2] & 0x1f);
    else {
      keys += text[k];
      continue;
    }
    k = end;
  }
  return keys;
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// Plays a session; in the result each body is what there was to see.
class Player {
 public:
  explicit Player(const fs::path& home) : home_(home) { desk_.folder = home.string(); }

  /// Says what did not happen, if something did not.
  std::string play(Session& session) {
    for (Part& part : session.parts) {
      std::istringstream words(part.heading);
      std::string verb;
      words >> verb;
      std::string rest;
      std::getline(words >> std::ws, rest);
      if (const std::string problem = carry_out(verb, rest, part.body); !problem.empty())
        return "== " + part.heading + ": " + problem + "\n" + all();
    }
    if (typist_ && !typist_->screen().unknown().empty())
      return "control sequences that the test does not know: " + typist_->screen().unknown();
    return "";
  }

 private:
  std::string carry_out(const std::string& verb, const std::string& rest, Lines& body) {
    if (verb == "file") {
      fs::create_directories((home_ / rest).parent_path());
      std::ofstream out(home_ / rest);
      for (const std::string& line : body) out << line << "\n";
      return "";
    }
    if (verb == "desk") return set_desk(rest);
    if (verb == "start") {
      std::istringstream words(rest);
      typist_.emplace(Lines(std::istream_iterator<std::string>(words), {}), desk_);
      return look("", 0, body);
    }
    if (verb == "type" || verb == "press") {
      const std::size_t arrow = rest.find(" => ");
      if (verb == "type") typed_from_ = typist_->screen().cursor_line();
      typist_->type(keys_of(rest.substr(0, arrow)));
      return look(arrow == std::string::npos ? "" : rest.substr(arrow + 4), typed_from_, body);
    }
    if (verb != "end") return "there is no such heading";
    body = {std::to_string(typist_->ends())};
    return "";
  }

  std::string set_desk(const std::string& rest) {
    std::istringstream words(rest);
    for (std::string word; words >> word;) {
      const std::string name = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
      if (name == "columns") desk_.columns = std::stoi(value);
      else if (name == "rows") desk_.rows = std::stoi(value);
      else desk_.variables[name] = value;
    }
    return "";
  }

  std::string look(const std::string& awaited, std::size_t from, Lines& body) {
    const bool seen = awaited.empty() ? typist_->waits_for_prompt() : typist_->waits_until([&](const Screen& s) {
      return trimmed(s.before_cursor()).ends_with(awaited);
    });
    const Lines lines = typist_->screen().lines();
    body.assign(lines.begin() + static_cast<std::ptrdiff_t>(std::min(from, lines.size())), lines.end());
    while (!body.empty() && (body.back().empty() || body.back() == "trellis>")) body.pop_back();
    return seen ? "" : "did not happen; the screen:";
  }

  std::string all() const {
    std::string text;
    if (typist_)
      for (const std::string& line : typist_->screen().lines()) text += line + "\n";
    return text;
  }

  fs::path home_;
  Typist::Desk desk_;
  std::optional<Typist> typist_;
  std::size_t typed_from_ = 0;  ///< the line where `type` typed last
};

}  // namespace

TEST_CASE("sessions at the prompt look as their files say") {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(TRELLIS_SOURCE_DIR) / "tests/repl/sessions"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  REQUIRE(!paths.empty());
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    CAPTURE(name);
    const Session expected = read_session(path);
    Session found = expected;
    const Folder home;
    const std::string problem = Player(home.path()).play(found);
    CHECK_MESSAGE(problem == "", problem);
    const auto& wanted = options().bless;
    const bool blesses = wanted && path.string().find(*wanted) != std::string::npos;
    if (blesses && problem.empty()) write_session(path, found);
    for (std::size_t k = 0; k < expected.parts.size() && !blesses; ++k) {
      std::string shown;
      for (const std::string& line : found.parts[k].body) shown += line + "\n";
      CHECK_MESSAGE(alike(expected.parts[k].body, found.parts[k].body), "== ", expected.parts[k].heading, "\n", shown);
    }
  }
}

}  // namespace trellis::testing
