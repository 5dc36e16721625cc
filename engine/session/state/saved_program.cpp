#include "engine/session/state/saved_program.hpp"

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/session/program/refuse.hpp"

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

}  // namespace

SavedProgram saved_program(State& state, const std::filesystem::path& folder) {
  SavedProgram saved;
  const Statements declared = declarations(state.declarations.file());
  const std::vector<Action> actions = state.actions.until(state.last_action());
  const auto now = meanings(state);
  Statements made;
  for (const Action& action : actions) {
    made.push_back(seen_from(folder, action.statement));
    saved.outdated = saved.outdated || !std::ranges::includes(now, action.ran);
  }
  for (const Statements* part : {&declared, static_cast<const Statements*>(&made)})
    if (!part->empty()) saved.text += "\n" + lang::print(syntax::File{*part}).characters;
  saved.options = options_of(state);
  saved.declared = declared.size();
  saved.made = made.size();
  return saved;
}

}  // namespace trellis::session
