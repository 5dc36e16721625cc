#include "engine/session/running/refill.hpp"

#include "engine/lang/parse.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/tensor/allocate.hpp"

namespace trellis::session {
namespace {

text::Diagnostic filled_again(const lang::TensorInfo& info, const tensor::Tensor& value, const std::string& command,
                              text::Span at) {
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0603";
  note.span = at;
  note.message = info.name + " is filled again, " + tensor::shape_text(value.shape()) + " now: " + command;
  return note;
}

void say_empty(const lang::TensorInfo& info, const std::string& command, const text::Diagnostics& why, text::Span at,
               text::Diagnostics& diagnostics) {
  text::Diagnostic& warning =
      diagnostics.warning("W0603", at, info.name + " is empty now: `" + command + "` does not fit it any more");
  for (const text::Diagnostic& d : why.all()) {
    if (d.severity != text::Severity::error) continue;
    warning.notes.push_back({{}, d.message + (d.label.empty() ? "" : ", " + d.label)});
    break;
  }
  warning.notes.push_back({{}, "fill it again before something reads it, or `undo`"});
}

}  // namespace

void fill_again(State& state, text::Span at, text::Diagnostics& diagnostics) {
  text::Diagnostics ignored;
  const lang::Program* now = state.program(ignored);
  if (!now) return;
  const std::vector<lang::TensorInfo> tensors = now->tensors;  // a fill that binds sizes renews the program
  for (const lang::TensorInfo& info : tensors) {
    const auto fill = state.outgrown(info);
    if (!fill) continue;
    const auto& command = *fill->as<lang::syntax::Command>();
    const std::string written = lang::to_string(*fill);
    text::Diagnostics found;
    Words words(command, at, found);
    find_command(command.name.text)->handler(state, words);
    if (found.has_errors()) {
      say_empty(info, written, found, at, diagnostics);
      continue;
    }
    state.acted(*fill);
    diagnostics.append(found);
    diagnostics.add(filled_again(info, *state.data.held(info.name), written, at));
  }
}

}  // namespace trellis::session
