#include "engine/session/files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "engine/lang/parse.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

std::string path_of(const text::Sources& sources, const syntax::Name& name) {
  const std::filesystem::path path(name.text);
  if (path.is_absolute() || !name.span.known()) return name.text;
  return (std::filesystem::path(sources.name(name.span.source)).parent_path() / path).string();
}

std::optional<std::string> read_text(const std::string& path, std::string& problem) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) problem = std::strerror(errno);
  else if (S_ISDIR(status.st_mode)) problem = "it is a directory";
  else {
    std::ifstream stream(path, std::ios::binary);
    if (stream) return std::string(std::istreambuf_iterator<char>(stream), {});
    problem = std::strerror(errno);
  }
  return std::nullopt;
}

namespace {

class Splicer {
 public:
  Splicer(text::Sources& sources, text::Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  void append(const syntax::File& file) {
    if (open_.empty() && !file.statements.empty() && file.statements[0]->span.known())
      open_.push_back(identity(sources_.name(file.statements[0]->span.source)));
    for (const syntax::Statement& statement : file.statements) {
      whole.statements.push_back(statement);
      const auto* command = statement.as<syntax::Command>();
      if (command && command->name.text == "source") open(*command);
    }
  }

  syntax::File whole;

 private:
  static std::string identity(const std::string& path) {
    std::error_code ignored;
    const auto canonical = std::filesystem::weakly_canonical(path, ignored);
    return canonical.empty() ? path : canonical.string();
  }

  // What is wrong with the command itself is reported when it is carried out.
  void open(const syntax::Command& command) {
    if (command.words.empty() || command.words[0].kind != syntax::Word::Kind::string) return;
    const syntax::Name name{command.words[0].text, command.words[0].span};
    const std::string path = path_of(sources_, name);
    std::string problem;
    auto content = read_text(path, problem);
    if (!content) {
      diagnostics_.error("E0622", name.span, "cannot read `" + path + "`: " + problem, "");
      return;
    }
    const std::string id = identity(path);
    if (std::ranges::find(open_, id) != open_.end()) {
      diagnostics_.error("E0623", name.span, "`" + name.text + "` is being read already", "it would source itself without end");
      return;
    }
    open_.push_back(id);
    append(lang::parse(sources_, sources_.add(path, std::move(*content)), diagnostics_));
    open_.pop_back();
  }

  text::Sources& sources_;
  text::Diagnostics& diagnostics_;
  std::vector<std::string> open_;  ///< the files that are being read, outermost first
};

}  // namespace

syntax::File splice_sources(text::Sources& sources, const syntax::File& file, text::Diagnostics& diagnostics) {
  Splicer splicer(sources, diagnostics);
  splicer.append(file);
  return std::move(splicer.whole);
}

}  // namespace trellis::session
