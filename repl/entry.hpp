#pragma once
// What is typed or pasted at the prompt, on its way to a statement.

#include <string>
#include <string_view>

namespace trellis::repl {

constexpr std::string_view first_prompt = "trellis> ";
constexpr std::string_view next_prompt = "    ...> ";

/// What was pasted: of a transcript only what was typed in it, without the prompts.
///
///   trellis> y(i) = 2 *        y(i) = 2 *
///       ...>   x(i)              x(i)
///   trellis> print y           print y
///   y = [2 4]
std::string without_prompts(const std::string& pasted);

/// `?name` as `help name`; anything else as it is.
std::string with_help(const std::string& entry);

/// Whether nothing stands there but blanks.
bool is_blank(std::string_view text);

}  // namespace trellis::repl
