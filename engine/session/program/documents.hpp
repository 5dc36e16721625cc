#pragma once
// The reference pages of docs/ and the programs of examples/, built into the program: `help` and `explain` print
// sections of the very files that people read, so the two cannot disagree. A section starts with `## NAME …` and runs
// to the next one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::session {

extern const std::string_view errors_page;    ///< docs/errors.md
extern const std::string_view commands_page;  ///< docs/commands.md
extern const std::string_view topics_page;    ///< docs/topics.md
extern const std::string_view files_page;     ///< docs/files.md
extern const std::string_view formats_page;   ///< docs/formats.md
extern const std::string_view tutorial_page;  ///< docs/tutorial.md
extern const std::string_view explorer_page;  ///< docs/explorer.md

/// A program of examples/, by the name of its file without `.tr`.
struct Example {
  std::string_view name;
  std::string_view text;
  std::string_view summary() const;  ///< the first line of the comment that it begins with
};
extern const std::vector<Example> example_programs;  ///< by name

/// The section whose heading starts with the word `name`, heading included and `##` removed, programs indented instead
/// of fenced.
std::optional<std::string> section(std::string_view page, std::string_view name);
/// As `section`, where a heading is `## NAME NAME …: what they are`.
std::optional<std::string> topic(std::string_view page, std::string_view name);
/// All names that stand in such headings.
std::vector<std::string> topics(std::string_view page);
/// The first words of all headings.
std::vector<std::string> sections(std::string_view page);

}  // namespace trellis::session
