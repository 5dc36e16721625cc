// save: a tensor, or the whole session as a program that replays.
#include "engine/tensor/save.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/lang/parse.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/files.hpp"
#include "engine/session/refuse.hpp"
#include "engine/tensor/file.hpp"

namespace trellis::session {
namespace {

namespace syntax = lang::syntax;
using Statements = std::vector<syntax::Statement>;

// What was declared. Fills inside kernels have been carried out, so they stand among the actions.
Statements declarations(const syntax::File& file) {
  Statements all = file.statements;
  for (syntax::Statement& statement : all)
    if (const auto* kernel = statement.as<syntax::Kernel>()) {
      syntax::Kernel bare = *kernel;
      std::erase_if(bare.statements, fills_tensors);
      statement = syntax::Statement(syntax::StatementNode{std::move(bare), statement->span});
    }
  return all;
}

// Files in the folder of the session, or below, go by their names from there: the folder may move.
syntax::Statement seen_from(const std::filesystem::path& folder, const syntax::Statement& action) {
  syntax::Command command = *action.as<syntax::Command>();
  if (command.name.text == "load")
    for (syntax::Word& word : command.words) {
      const std::filesystem::path path(word.text);
      if (word.kind != syntax::Word::Kind::string || !path.is_absolute()) continue;
      const auto near = path.lexically_relative(folder);
      if (!near.empty() && *near.begin() != "..") word.text = near.string();
    }
  return syntax::Statement(syntax::StatementNode{std::move(command), action->span});
}

// The options that the program takes from the command line, as they are typed there.
std::string options_of(const State& state) {
  std::string text;
  for (const auto& [name, value] : state.options.parameters) text += " -D " + name + "=" + format::to_string(value);
  for (const auto& [kernel, order] : state.options.orders) {
    std::string loops = lang::to_string(order);
    std::ranges::replace(loops, ' ', ',');
    text += " --set " + (kernel.empty() ? "" : kernel + ".") + "order=" + loops;
  }
  return text;
}

CommandResult save_session(State& state, Words& words) {
  const auto name = words.string("a file name in quotes");
  if (!name || !words.finish()) return {};
  if (!name->text.ends_with(".tr")) {
    words.diagnostics().error("E0617", name->span, "\"" + name->text + "\" should end in .tr", "a session is saved as a program")
        .notes.push_back({{}, "a tensor is saved as in `save A \"a.mtx\"`"});
    return {};
  }
  // A program with errors is worth keeping as well: running it says what they are.
  text::Diagnostics found;
  if (state.program(found)) words.diagnostics().append(found);
  const std::string path = path_of(state.sources, *name);
  const auto folder = std::filesystem::absolute(path).lexically_normal().parent_path();
  const Statements declared = declarations(state.declared());
  const std::vector<Action> actions = state.actions.until(state.last_action());
  const auto meanings = state.meanings();
  bool outdated = false;
  Statements made;
  for (const Action& action : actions) {
    made.push_back(seen_from(folder, action.statement));
    outdated = outdated || !std::ranges::includes(meanings, action.ran);
  }
  const std::string options = options_of(state);
  std::string text = "# A saved session: `trellis" + options + " " + std::filesystem::path(path).filename().string() + "` goes on from here.\n";
  for (const Statements* part : {&declared, static_cast<const Statements*>(&made)})
    if (!part->empty()) text += "\n" + lang::print(syntax::File{*part}).characters;

  tensor::AtomicFile file(path);
  file.write(text);
  if (const std::string why = file.commit(); !why.empty()) {
    words.diagnostics().error("E0412", name->span, "cannot write \"" + path + "\": " + why);
    return {};
  }
  if (outdated)
    words.diagnostics().warning("W0602", words.whole(), "a run was of equations that have changed since", "")
        .notes.push_back({{}, "what it computed will be computed by the present ones; `save T \"t.npy\"` keeps a tensor as it is"});
  return {Saved{"", name->text, declared.size(), made.size()}};
}

}  // namespace

CommandResult save(State& state, Words& words) {
  if (words.peek() && words.peek()->kind == syntax::Word::Kind::string) return save_session(state, words);
  const lang::TensorInfo* info = tensor_word(state, words);
  const auto name = info ? words.string("a file name in quotes") : std::nullopt;
  CommandResult result;
  if (!name || !words.finish()) return {};
  const lang::TensorInfo saved = *info;
  const tensor::Tensor* value = computed(state, saved, words, result.exit);
  if (!value) return result;
  if (!tensor::save(*value, path_of(state.sources, *name), name->span, words.diagnostics())) return {};
  return {Saved{.tensor = saved.name, .path = name->text, .fills = tensor::stored_fills(*value, name->text)}};
}

}  // namespace trellis::session
