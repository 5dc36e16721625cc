#pragma once
// Replies on a terminal.

#include <string>
#include <string_view>
#include <utility>

#include "engine/session/reply/reply.hpp"
#include "engine/text/fit.hpp"
#include "repl/render/progress.hpp"
#include "repl/render/terminal.hpp"

namespace trellis::repl {

/// The name of what is typed, as a source.
constexpr std::string_view prompt_name = "prompt";

/// Text for the terminal: in its letters and its width.
std::string fitting(const std::string& text, const Terminal& to, text::Overflow overflow);

class Screen {
 public:
  explicit Screen(WantsColour wanted) : wanted_(wanted) {}

  /// Standard output, as it is now.
  Terminal terminal() const;
  /// With colour, if there is any, between marks that the line editor does not count.
  std::string prompt(std::string_view text) const;
  /// All of a reply, result first; what was shown of it before does not come again.
  void show(const session::Reply& reply, const text::Sources& sources);
  /// Text that fits already.
  void write(const std::string& text);
  /// What was written since `begin` was called last.
  const std::string& standing() const { return standing_; }
  void begin() { standing_.clear(); }
  /// Takes the prompt back and what stands above it, if both are still on the screen.
  void wipe(const std::string& above) const;
  /// Keys that were typed while something was shown, and are not about that.
  std::string take_typed() { return std::exchange(typed_, {}); }
  /// The rows of a table that are new.
  void show_rows(const session::OrdersListed& so_far, Progress& progress);
  /// A line that matters less.
  void remark(const std::string& line);

  /// What `show` shows: the result, then what is said about it. Both fit the terminal.
  static std::string output_of(const session::Reply& reply, const text::Sources& sources, const Terminal& to);
  static std::string messages_of(const session::Reply& reply, const text::Sources& sources, const Terminal& to);
  static std::string rendered(const text::Diagnostic& d, const text::Sources& sources, const Terminal& to);

 private:
  WantsColour wanted_;
  std::string shown_;  ///< of a table that is being filled
  std::string standing_, typed_;
};

}  // namespace trellis::repl
