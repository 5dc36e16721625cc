#include "engine/session/state/actions.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/lang/parse.hpp"
#include "engine/session/program/files.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

bool is_option(const syntax::Word& word) {
  constexpr std::string_view options[] = {"seed", "density", "spd", "range", "normal"};
  return word.kind == syntax::Word::Kind::name && std::ranges::find(options, word.text) != std::end(options);
}

const std::string& tensor_filled_by(const syntax::Statement& fill) {
  return fill.as<syntax::Command>()->words.front().text;
}

bool has_shape(const syntax::Command& command) {
  return command.name.text == "random" && command.words.size() > 1 && command.words[1].text == "(";
}

}  // namespace

// A program that follows a text fills its tensors over and over while that is edited. So a fill takes the place of the
// one that it makes meaningless, where nothing but fills came in between, and a way that was gone before is gone again:
// an edit and what takes it back end where they began.
int Actions::add(int last, Action action) {
  const auto behind = [&](int before, const Action& next) {
    const auto same = [&](const Node& node) {
      return node.before == before && node.action.statement->span == next.statement->span &&
             node.action.ran == next.ran && lang::to_string(node.action.statement) == lang::to_string(next.statement);
    };
    const auto found = std::ranges::find_if(nodes_, same) - nodes_.begin();
    if (found == std::ssize(nodes_)) nodes_.push_back({next, before});
    return static_cast<int>(found);
  };
  std::vector<int> between;
  for (int at = fills_tensors(action.statement) ? last : none; at != none;) {
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    if (!fills_tensors(node.action.statement)) break;
    if (tensor_filled_by(node.action.statement) == tensor_filled_by(action.statement)) {
      int end = behind(node.before, action);
      for (auto one = between.rbegin(); one != between.rend(); ++one)
        end = behind(end, Action(nodes_[static_cast<std::size_t>(*one)].action));
      return end;
    }
    between.push_back(at);
    at = node.before;
  }
  return behind(last, action);
}

std::vector<Action> Actions::until(int last) const {
  std::vector<Action> backwards;
  for (int at = last; at != none; at = nodes_[static_cast<std::size_t>(at)].before)
    backwards.push_back(nodes_[static_cast<std::size_t>(at)].action);
  std::ranges::reverse(backwards);
  return backwards;
}

std::optional<syntax::Statement> Actions::fill_of(const std::string& tensor, int last) const {
  for (int at = last; at != none; at = nodes_[static_cast<std::size_t>(at)].before) {
    const syntax::Statement& statement = nodes_[static_cast<std::size_t>(at)].action.statement;
    if (fills_tensors(statement) && tensor_filled_by(statement) == tensor) return statement;
  }
  return std::nullopt;
}

bool fills_tensors(const syntax::Statement& statement) {
  const auto* c = statement.as<syntax::Command>();
  return c && (c->name.text == "load" || c->name.text == "random" || c->name.text == "fill_with");
}

bool makes_tensors(const syntax::Statement& statement) {
  const auto* c = statement.as<syntax::Command>();
  return fills_tensors(statement) || (c && (c->name.text == "run" || c->name.text == "prune"));
}

syntax::Statement run_of(const std::string& kernel, text::Span at) {
  syntax::Command command{{"run", at}, {{syntax::Word::Kind::name, kernel, at, false}}};
  return syntax::Statement(syntax::StatementNode{std::move(command), at});
}

syntax::Command without_shape(syntax::Command command) {
  if (has_shape(command))
    command.words.erase(command.words.begin() + 1, std::ranges::find_if(command.words, is_option));
  return command;
}

syntax::Statement replayable(const text::Sources& sources, const syntax::Statement& statement) {
  syntax::Command command = without_shape(*statement.as<syntax::Command>());
  if (command.name.text == "load")
    for (syntax::Word& word : command.words)
      if (&word != &command.words.front() && word.kind == syntax::Word::Kind::string) {
        word.text = std::filesystem::absolute(path_of(sources, {word.text, word.span})).lexically_normal().string();
        break;  // `record "NAME"` may follow
      }
  return syntax::Statement(syntax::StatementNode{std::move(command), statement->span});
}

}  // namespace trellis::session
