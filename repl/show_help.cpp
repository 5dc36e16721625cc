#include "repl/show_help.hpp"

#include <cstdio>

#include "engine/trellis.hpp"
#include "repl/command_line.hpp"

namespace trellis::repl {

int show_help(const std::string& topic) {
  session::Session session({});
  if (topic.empty()) std::printf("%s\n", usage());
  int exit = 0;
  session.run_text("help", "help " + topic, [&](const session::Reply& reply) {
    std::fputs(session::output_of(reply).c_str(), stdout);
    for (const text::Diagnostic& d : reply.diagnostics.all()) {
      std::fputs(text::render(d, session.sources(), text::Colour::off).c_str(), stderr);
      exit = 2;
    }
  });
  return exit;
}

}  // namespace trellis::repl
