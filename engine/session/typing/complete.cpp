#include "engine/session/typing/complete.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "engine/format/format.hpp"
#include "engine/format/operation.hpp"
#include "engine/lang/lexer.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/typing/complete_orders.hpp"
#include "engine/session/typing/complete_words.hpp"

namespace trellis::session {
namespace {

using lang::Token;
using Names = std::vector<std::string>;

/// The tokens before the cursor that belong to its statement, and the word that the cursor stands behind.
struct Place {
  std::vector<Token> before;
  std::string partial;
  std::size_t begin = 0;
};

bool opens_block(const Token& first) {
  for (const char* word : {"kernel", "loops", "for", "forall", "while", "if", "else", "let", "def", "}"})
    if (first.text == word) return true;
  return false;
}

Place place_of(std::string_view text) {
  text::Diagnostics ignored;
  std::vector<Token> tokens = lang::tokenize(text, 0, ignored).tokens;
  tokens.pop_back();  // the end
  Place place;
  place.begin = text.size();
  if (!tokens.empty() && tokens.back().span.end == text.size() &&
      (tokens.back().kind == Token::Kind::name || tokens.back().kind == Token::Kind::reserved ||
       tokens.back().kind == Token::Kind::integer)) {
    place.begin = tokens.back().span.begin;
    place.partial = tokens.back().text;
    tokens.pop_back();
  }
  std::size_t start = 0;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool block = tokens[k].is("{") && opens_block(tokens[start]);
    if (tokens[k].kind == Token::Kind::separator || block || (tokens[k].is("}") && opens_block(tokens[start])))
      start = k + 1;
  }
  place.before.assign(tokens.begin() + static_cast<std::ptrdiff_t>(std::min(start, tokens.size())), tokens.end());
  return place;
}

/// Where the string begins that is open at the end of the text; npos when none is.
std::size_t open_string(std::string_view text) {
  std::size_t open = std::string_view::npos;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool inside = open != std::string_view::npos;
    if (text[k] == '\n') open = std::string_view::npos;
    else if (text[k] == '\\' && inside) ++k;
    else if (text[k] == '"') open = inside ? std::string_view::npos : k;
    else if (text[k] == '#' && !inside) k = std::min(text.find('\n', k), text.size()) - 1;
  }
  return open;
}

bool in_comment(std::string_view text) {
  const std::size_t line = text.rfind('\n') + 1;  // npos + 1 is 0
  bool string = false;
  for (const char c : text.substr(line)) {
    if (c == '"') string = !string;
    if (c == '#' && !string) return true;
  }
  return false;
}

Completion file_names(std::string_view text, std::size_t quote) {
  const std::string path(text.substr(quote + 1));
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const std::string partial = path.substr(slash == std::string::npos ? 0 : slash + 1);
  Completion found{text.size() - partial.size(), {}, "\""};
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(partial) || (name.starts_with(".") && partial.empty())) continue;
    std::error_code unknown;
    found.words.push_back(at->is_directory(unknown) ? name + "/" : name);
  }
  if (found.words.size() == 1 && found.words[0].ends_with("/")) found.closing.clear();
  return found;
}

Names expression_words(const Vocabulary& vocabulary, std::string_view statement) {
  Names all = vocabulary.tensors;
  const auto add = [&](const Names& names) { all.insert(all.end(), names.begin(), names.end()); };
  add(vocabulary.parameters);
  add(vocabulary.functions);
  add(vocabulary.indices);
  add(built_in_functions());
  add(type_names());
  for (const char* word : {"true", "false", "inf", "missing", "xor"}) all.emplace_back(word);
  add(names_in(statement));
  return all;
}

/// What stands before the word may be an expression's end.
bool ends_value(const Token& last) {
  return last.kind == Token::Kind::name || last.kind == Token::Kind::integer || last.is(")") || last.is("]");
}

// Behind `tensor A(n, n):` stand a format and an element type.
Names attribute_words(const std::vector<Token>& before, const Vocabulary& vocabulary) {
  Names all;
  const auto add = [&](const Names& names) { all.insert(all.end(), names.begin(), names.end()); };
  const bool levels = std::ranges::any_of(before, [](const Token& t) { return t.is("{"); }) &&
                      std::ranges::none_of(before, [](const Token& t) { return t.is("}"); });
  if (levels) {
    add(format::level_names());
    all.emplace_back("pattern");
    return all;
  }
  add(vocabulary.formats);
  add(type_names());
  add({"fill", "pad", "sorted", "decreasing", "injective", "range"});
  return all;
}

Names candidates(State& state, const Place& place, std::string_view text) {
  const Vocabulary vocabulary(state);
  if (place.before.empty()) return first_words(state, vocabulary);
  const Token& first = place.before.front();
  if (first.text == "tensor" || first.text == "layout") {
    const bool typed = std::ranges::any_of(place.before, [](const Token& t) { return t.is(":"); });
    return typed ? attribute_words(place.before, vocabulary) : vocabulary.parameters;
  }
  const bool equation =
      place.before.size() > 1 && (place.before[1].is("(") || place.before[1].is("[") || place.before[1].is("="));
  const CommandInfo* command = equation ? nullptr : find_command(first.text);
  const bool within = place.before.size() > 1 || !place.partial.empty();
  if (!command) return expression_words(vocabulary, text);
  if (command->name == "print" && within) {
    if (place.before.size() > 1 && ends_value(place.before.back())) return {"whole", "xor"};
    return expression_words(vocabulary, text);
  }
  Names words;
  for (std::size_t k = 1; k < place.before.size(); ++k) words.emplace_back(place.before[k].text);
  Names all = command_words(*command, words, state, vocabulary);
  if (takes_order(*command))
    for (std::string& rest : order_ends(words, state)) all.push_back(std::move(rest));
  return all;
}

std::string closing_of(const std::string& word, State& state, const Place& place) {
  const bool command = !place.before.empty() && find_command(place.before.front().text) &&
                       !(place.before.size() > 1 && place.before[1].is("("));
  const Names functions = built_in_functions();
  const bool prints = command && place.before.front().is_word("print");
  if ((!command || prints) && std::ranges::find(functions, word) != functions.end()) return "(";
  if (command) return word.ends_with("=") || word.ends_with(":") ? "" : " ";
  const bool access = !find_command(word) && Vocabulary(state).has_dimensions(word);
  return access ? "(" : place.before.empty() ? " " : "";
}

}  // namespace

Completion complete(State& state, std::string_view text, std::size_t cursor) {
  text = text.substr(0, cursor);
  Completion found;
  if (const std::size_t quote = open_string(text); quote != std::string_view::npos) {
    found = file_names(text, quote);
  } else {
    if (in_comment(text)) return {cursor, {}, ""};
    // `?name` asks for help.
    const std::size_t mark = text.find_first_not_of(" \t");
    const bool asks = mark != std::string_view::npos && text[mark] == '?';
    const std::string asked = asks ? "help " + std::string(text.substr(mark + 1)) : std::string(text);
    const Place place = place_of(asked);
    found.begin = text.size() - place.partial.size();
    for (std::string& word : candidates(state, place, asked))
      if (word.starts_with(place.partial)) found.words.push_back(std::move(word));
    std::ranges::sort(found.words);
    if (found.words.size() == 1) found.closing = closing_of(found.words[0], state, place);
  }
  std::ranges::sort(found.words);
  found.words.erase(std::unique(found.words.begin(), found.words.end()), found.words.end());
  return found;
}

}  // namespace trellis::session
