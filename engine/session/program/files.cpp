#include "engine/session/program/files.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "engine/lang/parse.hpp"
#include "engine/run/descriptor.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

std::string path_of(const text::Sources& sources, const syntax::Name& name) {
  const std::filesystem::path path(name.text);
  if (path.is_absolute() || !name.span.known()) return name.text;
  return (std::filesystem::path(sources.name(name.span.source)).parent_path() / path).string();
}

std::optional<std::string> allowed_path(const text::Sources& sources, const syntax::Name& name,
                                        const std::string& folder, text::Diagnostics& diagnostics) {
  const std::string path = path_of(sources, name);
  if (folder.empty()) return path;
  std::error_code error;
  const auto at = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  const auto beneath = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  const auto [end, ignored] = std::mismatch(beneath.begin(), beneath.end(), at.begin(), at.end());
  if (!error && end == beneath.end()) return path;
  diagnostics.error("E0627", name.span, "\"" + name.text + "\" is outside of the program's folder", "--safe")
      .notes.push_back({{}, "a program that runs with --safe reads and writes beneath " + beneath.string() + " alone"});
  return std::nullopt;
}

namespace {

/// Texts are written by people; what is larger than this is data, or has no end.
constexpr std::size_t longest_file = std::size_t{64} << 20;
/// That one text may bring in: each file may name several, which name several.
constexpr int most_sourced = 1000;

/// A pipe without a name: one that a shell has put in the place of a file, with somebody at its other end.
bool is_unnamed_pipe(const std::string& path) {
  struct statfs system {};
  return statfs(path.c_str(), &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

/// Why the path cannot be read as a text; empty if it can. Opening a pipe might wait for ever, and devices have no end.
std::string objection(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return "it is a directory";
  return S_ISREG(status.st_mode) || is_unnamed_pipe(path) ? "" : "it is no regular file";
}

}  // namespace

std::optional<std::string> read_text(int descriptor, std::string& problem) {
  std::string content;
  std::array<char, 1u << 16> block;
  for (;;) {
    const ssize_t got = read(descriptor, block.data(), block.size());
    if (got == 0) return content;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) problem = std::strerror(errno);
    else if (content.size() + static_cast<std::size_t>(got) > longest_file) problem = "it is longer than 64 MiB";
    else {
      content.append(block.data(), static_cast<std::size_t>(got));
      continue;
    }
    return std::nullopt;
  }
}

std::optional<std::string> read_text(const std::string& path, std::string& problem) {
  problem = objection(path);
  if (!problem.empty()) return std::nullopt;
  const run::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() >= 0) return read_text(file.get(), problem);
  problem = std::strerror(errno);
  return std::nullopt;
}

namespace {

class Splicer {
 public:
  Splicer(text::Sources& sources, const std::string& folder, text::Diagnostics& diagnostics)
      : sources_(sources), folder_(folder), diagnostics_(diagnostics) {}

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
    if (sourced_ > most_sourced || command.words.empty() || command.words[0].kind != syntax::Word::Kind::string) return;
    const syntax::Name name{command.words[0].text, command.words[0].span};
    const auto path = allowed_path(sources_, name, folder_, diagnostics_);
    if (!path) return;
    std::string problem;
    auto content = read_text(*path, problem);
    if (!content) {
      diagnostics_.error("E0622", name.span, "cannot read `" + *path + "`: " + problem, "");
      return;
    }
    const std::string id = identity(*path);
    if (std::ranges::find(open_, id) != open_.end()) {
      diagnostics_.error("E0623", name.span, "`" + name.text + "` is being read already",
                         "it would source itself without end");
      return;
    }
    if (++sourced_ > most_sourced) {
      if (sourced_ == most_sourced + 1)
        diagnostics_.error("E0626", name.span, "more than " + std::to_string(most_sourced) + " files are sourced", "")
            .notes.push_back({{}, "a file that is sourced twice, and sources others twice, doubles with each of them"});
      return;
    }
    open_.push_back(id);
    append(lang::parse(sources_, sources_.add(*path, std::move(*content)), diagnostics_));
    open_.pop_back();
  }

  text::Sources& sources_;
  const std::string& folder_;
  text::Diagnostics& diagnostics_;
  std::vector<std::string> open_;  ///< the files that are being read, outermost first
  int sourced_ = 0;                ///< files so far
};

}  // namespace

syntax::File splice_sources(text::Sources& sources, const syntax::File& file, const std::string& folder,
                            text::Diagnostics& diagnostics) {
  Splicer splicer(sources, folder, diagnostics);
  splicer.append(file);
  return std::move(splicer.whole);
}

}  // namespace trellis::session
