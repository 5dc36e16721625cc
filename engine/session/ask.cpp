#include "engine/session/ask.hpp"

#include <cassert>

#include "engine/lang/parse.hpp"
#include "engine/session/command/commands.hpp"

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
  Words words(*written, file.statements.front()->span, reply.diagnostics);
  CommandResult result = info->handler(state, words);
  state.offer = offer;
  reply.result = std::move(result.result);
  reply.exit = result.exit == Exit::success && reply.diagnostics.has_errors() ? Exit::wrong_program : result.exit;
  return reply;
}

}  // namespace trellis::session
