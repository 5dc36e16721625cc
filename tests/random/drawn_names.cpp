#include "tests/random/drawn_names.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "tests/programs.hpp"

namespace trellis::randomised {
namespace {

using Names = std::vector<std::string>;

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls `word` with each identifier, and `other` with what stands between them.
template <class Word, class Other>
void each_word(const std::string& text, Word&& word, Other&& other) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    const bool is_word = in_word(text[at]);
    while (end < text.size() && in_word(text[end]) == is_word) ++end;
    const std::string piece = text.substr(at, end - at);
    if (is_word && begins_word(piece[0])) word(piece);
    else other(piece);
    at = end;
  }
}

/// What the C of all golden files names, and what C reserves.
const Names& pool() {
  static const Names all = [] {
    std::set<std::string> names{
        "p",       "q",     "k",      "pA",        "R1",       "A_pos",  "release",  "acquire",
        "defined", "stdin", "printf", "NULL",      "EOF",      "size_t", "__LINE__", "__attribute__",
        "_OPENMP", "linux", "unix",   "register",  "volatile", "inline", "restrict", "goto",
        "switch",  "union", "struct", "INT64_MAX", "INFINITY", "NAN",    "main",     "index"};
    for (const auto& path : testing::files_of("tests/golden", ".golden")) {
      const std::string text = testing::read(path);
      const std::size_t c = text.find("\n== c");
      if (c == std::string::npos) continue;
      const std::size_t end = text.find("\n== ", c + 1);
      each_word(
          text.substr(c + 5, end == std::string::npos ? end : end - c - 5),
          [&](const std::string& word) { names.insert(word); }, [](const std::string&) {});
    }
    return Names(names.begin(), names.end());
  }();
  return all;
}

/// What names of variables of C could be joined from those of the program.
Names joined(const Names& tensors, const Names& indices) {
  Names all;
  for (const std::string& t : tensors) {
    for (const char* front : {"p", "k", "old_"}) all.push_back(front + t);
    for (const char* behind : {"1", "2", "_pos", "1_crd", "_crd", "_value", "_w", "_next", "_open", "_end", "_capacity",
                               "_table", "_entries", "_mask", "_update", "_from", "_set"})
      all.push_back(t + behind);
    for (const char* behind : {"1", "2", "_end", "_begin", "_first", "_last", "_here", "_near", "_stop"})
      all.push_back("p" + t + behind);
    for (const std::string& i : indices) all.push_back(i + t);
  }
  for (const std::string& i : indices)
    for (const char* behind :
         {"_end", "_first", "_last", "_low", "_next", "_seen", "_gap", "_block", "_ahead", "_task", "_over"})
      all.push_back(i + behind);
  return all;
}

std::string renamed(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string out;
  each_word(
      text, [&](const std::string& word) { out += names.contains(word) ? names.at(word) : word; },
      [&](const std::string& other) { out += other; });
  return out;
}

void rename(Tree& tree, const std::map<std::string, std::string>& names) {
  for (std::string* text : {&tree.open, &tree.separator, &tree.close}) *text = renamed(*text, names);
  for (Tree& child : tree.children) rename(child, names);
}

Draft renamed(Draft draft, const std::map<std::string, std::string>& names) {
  for (std::string& line : draft.declarations) line = renamed(line, names);
  for (std::string& line : draft.schedule) line = renamed(line, names);
  for (DraftEquation& equation : draft.equations) {
    equation.left = renamed(equation.left, names);
    rename(equation.right, names);
    for (std::string& constraint : equation.constraints) constraint = renamed(constraint, names);
  }
  for (Tree& action : draft.actions) rename(action, names);
  return draft;
}

}  // namespace

Draft with_drawn_names(const Draft& draft, const Case& program, std::uint64_t seed) {
  Dice dice(seed ^ 0x9e3779b97f4a7c15u);
  if (dice.chance(25)) return draft;
  Names tensors;
  for (const lang::TensorInfo& tensor : program.program.tensors) tensors.push_back(tensor.name);
  const Names indices = program.kernel().variables();
  const Names close = joined(tensors, indices);
  std::set<std::string> taken;
  each_word(
      to_string(draft), [&](const std::string& word) { taken.insert(word); }, [](const std::string&) {});
  Draft drawn = draft;
  for (const Names* names : std::initializer_list<const Names*>{&tensors, &indices})
    for (const std::string& name : *names) {
      if (!dice.chance(40)) continue;
      const std::string& other = dice.pick(close.empty() || dice.chance(50) ? pool() : close);
      if (taken.contains(other)) continue;
      Draft next = renamed(drawn, {{name, other}});
      if (!read_case(to_string(next))) continue;
      taken.insert(other);
      drawn = std::move(next);
    }
  return drawn;
}

}  // namespace trellis::randomised
