// Constructs of the language that this version knows by name only: each is refused where it stands.

#include <array>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

namespace {

void refuse(Resolution& resolution, const char* code, text::Span span, const std::string& what) {
  resolution.error(code, span, what + " not available yet");
}

constexpr std::array later_commands{"find"};

}  // namespace

bool refuse_command(Resolution& resolution, const syntax::Command& command) {
  for (const char* name : later_commands)
    if (command.name.text == name) {
      refuse(resolution, "E0911", command.name.span, std::string("the schedule command ") + name + " is");
      return true;
    }
  return false;
}

}  // namespace trellis::lang::resolving
