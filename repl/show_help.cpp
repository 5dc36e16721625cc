#include "repl/show_help.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "engine/trellis.hpp"
#include "repl/command_line.hpp"
#include "repl/render/show.hpp"

namespace trellis::repl {

namespace {

int answer(const std::string& command) {
  session::Session session({});
  int exit = 0;
  session.run_text(command.substr(0, command.find(' ')), command, [&](const session::Reply& reply) {
    std::fputs(Screen::output_of(reply, session.sources(), terminal(STDOUT_FILENO, WantsColour::when_terminal)).c_str(),
               stdout);
    std::fputs(
        Screen::messages_of(reply, session.sources(), terminal(STDERR_FILENO, WantsColour::when_terminal)).c_str(),
        stderr);
    if (!reply.ok()) exit = 2;
  });
  return exit;
}

}  // namespace

int show_help(const std::string& topic) {
  if (topic.empty())
    std::printf("%s\n", fitting(usage(), terminal(STDOUT_FILENO, WantsColour::never), text::Overflow::flow).c_str());
  const bool word =
      std::ranges::all_of(topic, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
  return answer(word ? "help " + topic : "help \"" + topic + "\"");
}

int show_examples(const std::string& name) { return answer("examples " + name); }

}  // namespace trellis::repl
