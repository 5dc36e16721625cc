#include "engine/session/command/ask.hpp"

#include <cassert>

#include "engine/lang/parse.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/running/in_time.hpp"

namespace trellis::session {

Reply ask(State& state, const std::string& command) {
  Reply reply;
  const int source = state.sources.add("report", command);
  const lang::syntax::File file = lang::parse(state.sources, source, reply.diagnostics);
  const auto* written = file.statements.empty() ? nullptr : file.statements.front().as<lang::syntax::Command>();
  const CommandInfo* info = written ? find_command(written->name.text) : nullptr;
  assert(info && info->handler);
  reply.command = written->name.text;
  // What was asked on the side offers no fixes.
  const Offer offer = state.offer;
  const double seconds = state.options.limits.seconds / parts_of_a_page;
  CommandResult result;
  const text::Span at = file.statements.front()->span;
  text::Diagnostics said;
  const bool done = in_time(state.cancel, seconds, [&] {
    Words words(*written, at, said);
    result = info->handler(state, words);
  });
  if (done) {
    reply.diagnostics.append(said);
  } else {
    result = {{}, Exit::kernel_failed};
    report_late(command, seconds, at, reply.diagnostics);
  }
  state.offer = offer;
  reply.result = std::move(result.result);
  reply.exit = result.exit == Exit::success && reply.diagnostics.has_errors() ? Exit::wrong_program : result.exit;
  return reply;
}

}  // namespace trellis::session
