#include "repl/show_help.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "engine/trellis.hpp"
#include "repl/command_line.hpp"

namespace trellis::repl {

namespace {

int answer(const std::string& command) {
  session::Session session({});
  int exit = 0;
  session.run_text(command.substr(0, command.find(' ')), command, [&](const session::Reply& reply) {
    std::fputs(session::output_of(reply).c_str(), stdout);
    for (const text::Diagnostic& d : reply.diagnostics.all()) {
      std::fputs(text::render(d, session.sources(), text::Colour::off).c_str(), stderr);
      exit = 2;
    }
  });
  return exit;
}

}  // namespace

int show_help(const std::string& topic) {
  if (topic.empty()) std::printf("%s\n", usage());
  const bool word = std::ranges::all_of(topic, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
  return answer(word ? "help " + topic : "help \"" + topic + "\"");
}

int show_examples(const std::string& name) { return answer("examples " + name); }

}  // namespace trellis::repl
