#pragma once
// Replies on a terminal.

#include <string>
#include <string_view>

#include "engine/session/reply.hpp"
#include "repl/render/progress.hpp"
#include "repl/render/terminal.hpp"

namespace trellis::repl {

/// The name of what is typed, as a source.
constexpr std::string_view prompt_name = "prompt";

class Screen {
 public:
  explicit Screen(WantsColour wanted) : wanted_(wanted) {}

  /// Standard output, as it is now.
  Terminal terminal() const;
  /// With colour, if there is any, between marks that the line editor does not count.
  std::string prompt(std::string_view text) const;
  /// All of a reply, result first.
  void show(const session::Reply& reply, const text::Sources& sources) const;
  /// A line that matters less.
  void remark(const std::string& line) const;

  /// What `show` shows.
  static std::string text_of(const session::Reply& reply, const text::Sources& sources, const Terminal& to);

 private:
  WantsColour wanted_;
};

}  // namespace trellis::repl
