#pragma once
// The words that completion chooses from: names of the program, names of the language, and what a command takes.

#include <string>
#include <string_view>
#include <vector>

#include "engine/session/command/commands.hpp"

namespace trellis::session {

/// The names of a program as it stands; also of one with errors, as far as they are declared.
struct Vocabulary {
  explicit Vocabulary(State& state);
  bool has_dimensions(const std::string& tensor) const;

  std::vector<std::string> tensors, parameters, functions, kernels, indices;
  std::vector<std::string> ranks;    ///< dimensions of their grid
  std::vector<std::string> formats;  ///< named ones, and layouts

 private:
  std::vector<std::string> scalars_;
};

std::vector<std::string> built_in_functions();
std::vector<std::string> type_names();
/// The names that stand in a text.
std::vector<std::string> names_in(std::string_view text);

/// What a statement may begin with.
std::vector<std::string> first_words(const State& state, const Vocabulary& vocabulary);

/// What a command takes behind `words`, by its line in the table of commands: TENSOR, KERNEL, STAGE, CODE, … and names
/// of one capital letter stand for names, `i j k` for indices, other words for themselves.
std::vector<std::string> command_words(const CommandInfo& command, const std::vector<std::string>& words, State& state,
                                       const Vocabulary& vocabulary);

}  // namespace trellis::session
