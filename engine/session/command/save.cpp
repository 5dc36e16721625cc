// save: a tensor, or the whole session as a program that replays.
#include "engine/tensor/save.hpp"

#include <filesystem>

#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/state/saved_program.hpp"
#include "engine/tensor/file.hpp"

namespace trellis::session {
namespace {

namespace syntax = lang::syntax;
CommandResult save_session(State& state, Words& words) {
  const auto name = words.string("a file name in quotes");
  if (!name || !words.finish()) return {};
  if (!name->text.ends_with(".tr")) {
    words.diagnostics()
        .error("E0617", name->span, "\"" + name->text + "\" should end in .tr", "a session is saved as a program")
        .notes.push_back({{}, "a tensor is saved as in `save A \"a.mtx\"`"});
    return {};
  }
  const auto allowed = path_of(state, *name, words.diagnostics());
  if (!allowed) return {};
  // A program with errors is worth keeping as well: running it says what they are.
  text::Diagnostics found;
  if (state.program(found)) words.diagnostics().append(found);
  const std::string& path = *allowed;
  const auto folder = std::filesystem::absolute(path).lexically_normal().parent_path();
  const SavedProgram saved = saved_program(state, folder);
  const std::string text = "# A saved session: `trellis" + saved.options + " " +
                           std::filesystem::path(path).filename().string() + "` goes on from here.\n" + saved.text;

  tensor::AtomicFile file(path);
  file.write(text);
  if (const std::string why = file.commit(); !why.empty()) {
    words.diagnostics().error("E0412", name->span, "cannot write \"" + path + "\": " + why);
    return {};
  }
  if (saved.outdated)
    words.diagnostics()
        .warning("W0602", words.whole(), "a run was of equations that have changed since", "")
        .notes.push_back(
            {{}, "what it computed will be computed by the present ones; `save T \"t.npy\"` keeps a tensor as it is"});
  return {Saved{"", name->text, saved.declared, saved.made}};
}

}  // namespace

CommandResult save(State& state, Words& words) {
  if (words.peek() && words.peek()->kind == syntax::Word::Kind::string) return save_session(state, words);
  const lang::TensorInfo* info = tensor_word(state, words);
  const auto name = info ? words.string("a file name in quotes") : std::nullopt;
  CommandResult result;
  if (!name || !words.finish()) return {};
  const auto path = path_of(state, *name, words.diagnostics());
  if (!path) return {};
  const lang::TensorInfo saved = *info;
  const tensor::Tensor* value = computed(state, saved, words, result.exit);
  if (!value) return result;
  if (!tensor::save(*value, *path, name->span, words.diagnostics())) return {};
  return {Saved{.tensor = saved.name, .path = name->text, .fills = tensor::stored_fills(*value, name->text)}};
}

}  // namespace trellis::session
