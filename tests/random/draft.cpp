#include "tests/random/draft.hpp"

namespace trellis::randomised {
namespace {

std::string text_of(const Tree& tree) {
  std::string text = tree.open;
  for (std::size_t k = 0; k < tree.children.size(); ++k) {
    if (k > 0) text += tree.separator;
    text += text_of(tree.children[k]);
  }
  return text + tree.close;
}

std::vector<Tree> smaller(const Tree& tree) {
  std::vector<Tree> result = tree.children;
  for (std::size_t k = 0; k < tree.children.size(); ++k) {
    if (tree.children.size() > 1 && !tree.separator.empty()) {
      Tree cut = tree;
      cut.children.erase(cut.children.begin() + static_cast<std::ptrdiff_t>(k));
      result.push_back(cut);
    }
    for (Tree& child : smaller(tree.children[k])) {
      Tree changed = tree;
      changed.children[k] = std::move(child);
      result.push_back(std::move(changed));
    }
  }
  return result;
}

}  // namespace

Tree leaf(std::string text) { return {std::move(text), {}, "", ""}; }

Tree join(std::string open, std::vector<Tree> children, std::string separator, std::string close) {
  return {std::move(open), std::move(children), std::move(separator), std::move(close)};
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

std::string to_string(const Draft& draft) {
  std::string text;
  for (const std::string& line : draft.declarations) text += line + "\n";
  for (const DraftEquation& equation : draft.equations) {
    text += equation.left + " = " + text_of(equation.right);
    for (std::size_t k = 0; k < equation.constraints.size(); ++k) {
      text += (k == 0 ? " : " : ", ") + equation.constraints[k];
    }
    text += "\n";
  }
  if (!draft.actions.empty()) {
    text += "loops {\n";
    for (const Tree& action : draft.actions) text += text_of(action) + "\n";
    text += "}\n";
  }
  for (const std::string& command : draft.schedule) text += command + "\n";
  return text;
}

std::vector<Draft> smaller(const Draft& draft) {
  std::vector<Draft> result;
  for (std::size_t k = 0; k < draft.schedule.size(); ++k) {
    Draft cut = draft;
    cut.schedule.erase(cut.schedule.begin() + static_cast<std::ptrdiff_t>(k));
    result.push_back(std::move(cut));
  }
  for (std::size_t k = 0; k < draft.actions.size(); ++k) {
    Draft cut = draft;
    cut.actions.erase(cut.actions.begin() + static_cast<std::ptrdiff_t>(k));
    result.push_back(cut);
    for (Tree& action : smaller(draft.actions[k])) {
      cut = draft;
      cut.actions[k] = std::move(action);
      result.push_back(cut);
    }
  }
  for (std::size_t e = 0; e < draft.equations.size(); ++e) {
    if (draft.equations.size() > 1) {
      Draft cut = draft;
      cut.equations.erase(cut.equations.begin() + static_cast<std::ptrdiff_t>(e));
      result.push_back(cut);
    }
    const DraftEquation& equation = draft.equations[e];
    for (std::size_t c = 0; c < equation.constraints.size(); ++c) {
      Draft cut = draft;
      std::vector<std::string>& constraints = cut.equations[e].constraints;
      constraints.erase(constraints.begin() + static_cast<std::ptrdiff_t>(c));
      result.push_back(cut);
    }
    for (Tree& right : smaller(equation.right)) {
      Draft cut = draft;
      cut.equations[e].right = std::move(right);
      result.push_back(std::move(cut));
    }
  }
  for (std::size_t d = 0; d < draft.declarations.size(); ++d) {
    Draft cut = draft;
    cut.declarations.erase(cut.declarations.begin() + static_cast<std::ptrdiff_t>(d));
    result.push_back(std::move(cut));
  }
  return result;
}

}  // namespace trellis::randomised
