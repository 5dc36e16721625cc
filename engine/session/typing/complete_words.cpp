#include "engine/session/typing/complete_words.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "engine/flow/passes.hpp"
#include "engine/format/format.hpp"
#include "engine/format/operation.hpp"
#include "engine/lang/expr.hpp"
#include "engine/lang/lexer.hpp"
#include "engine/session/program/documents.hpp"
#include "engine/session/stages/formats.hpp"
#include "engine/session/state/history.hpp"
#include "engine/session/teach/lessons.hpp"
#include "engine/session/teach/quiz.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

using Names = std::vector<std::string>;

void add(Names& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// One word of a command's usage: `TENSOR`, `[jit|native]`, `"file.mtx"`.
struct Item {
  std::string text;
  bool optional = false;
};

std::vector<Item> items_of(std::string_view usage) {
  std::vector<Item> items;
  std::istringstream words{std::string(usage)};
  std::string word;
  words >> word;  // the command itself
  bool optional = false;
  while (words >> word) {
    const auto opened = std::ranges::count(word, '['), closed = std::ranges::count(word, ']');
    const bool begins = opened > 0 && word.front() == '[' && word[1] != '[';
    std::string bare;
    for (const char c : word)
      if (c != '[' && c != ']') bare += c;
    optional = optional || begins;
    if (!bare.empty()) items.push_back({bare, optional});
    if (closed > 0) optional = false;
  }
  return items;
}

bool is_index(const std::string& word) {
  return word == "i" || word == "j" || word == "k" || word == "k-" || word == "k-|auto" || word == "io" || word == "ii";
}

Names all_codes() { return sections(errors_page); }

Names all_topics() {
  Names all = help_topics();
  for (const CommandInfo& command : commands()) all.emplace_back(command.name);
  for (const std::string& code : all_codes()) all.push_back(code);
  return all;
}

Names example_names() {
  Names all;
  for (const Example& example : example_programs) all.emplace_back(example.name);
  return all;
}

Names snapshot_names(const State& state) {
  Names all;
  for (const auto& [name, content] : state.history->snapshots) all.push_back(name);
  return all;
}

Names fix_numbers(const State& state) {
  Names all;
  for (std::size_t n = 1; n <= state.offer.fixes.size(); ++n) all.push_back(std::to_string(n));
  return all;
}

/// What `export` writes of a stage depends on the word before.
Names exported_stages(const Names& words) {
  if (contains(words, "json")) return stage_names();
  return contains(words, "dot") || contains(words, "svg") ? drawn_stages() : Names{};
}

Names iterations(const Vocabulary& vocabulary) {
  Names all;
  for (const std::string& index : vocabulary.indices) all.push_back(index + "=");
  return all;
}

/// `c:`, before a node's number.
Names stages_of_nodes() {
  Names all;
  for (int stage = 0; stage <= static_cast<int>(text::Stage::c); ++stage)
    all.push_back(std::string(text::name_of(static_cast<text::Stage>(stage))) + ":");
  return all;
}

/// Of one of the kinds of what can be selected.
Names selectable(const Names& words, const Vocabulary& vocabulary) {
  const std::string kind = words.empty() ? "" : words.front();
  if (kind == "kernel") return vocabulary.kernels;
  if (kind == "instance") return iterations(vocabulary);
  if (kind == "element") return vocabulary.tensors;
  if (kind == "node") return stages_of_nodes();
  return {};
}

/// `show formats` is about a kernel, a tensor or a layout.
Names stored_things(const State& state, const Vocabulary& vocabulary) {
  Names all = vocabulary.kernels;
  for (const std::string& tensor : vocabulary.tensors) add(all, tensor);
  for (const std::string& format : vocabulary.formats)
    if (!layout_text(state, format).empty()) add(all, format);
  return all;
}

bool asks_flow(const Names& words) { return !words.empty() && (words.front() == "flow" || words.front() == "cfir"); }

Names pass_names() {
  Names all;
  for (const flow::PassName& pass : flow::pass_names()) all.push_back(pass.name);
  return all;
}

/// What one item stands for, behind these words.
Names meaning(const Item& item, const std::string& command, const Names& words, const State& state,
              const Vocabulary& vocabulary) {
  const std::string& text = item.text;
  if (text.front() == '"' || std::isdigit(static_cast<unsigned char>(text.front()))) return {};
  if (text.ends_with("|auto") && (is_index(text) || text.starts_with("csr"))) {
    Names all = is_index(text) ? vocabulary.indices : vocabulary.formats;
    if (words.size() < 2 && (words.empty() || !is_index(text))) add(all, "auto");
    return all;
  }
  if (is_index(text)) return vocabulary.indices;
  if (command == "distribute" && text == "p") return vocabulary.ranks;
  if (text == "STAGE") return command == "export" ? exported_stages(words) : stage_names();
  if (text == "CODE") return all_codes();
  if (text == "TOPIC") return all_topics();
  if (text == "STATE") return snapshot_names(state);
  if (text == "NAME")
    return command == "examples" ? example_names() : command == "restore" ? snapshot_names(state) : Names{};
  if (command == "show" && text == "after")
    return asks_flow(words) && words.back() != "after" ? Names{"after", "each"} : Names{};
  if (command == "show" && text == "PASS|each")
    return asks_flow(words) && words.back() == "after" ? pass_names() : Names{};
  if (command == "show" && !words.empty() && words.front() == "formats") return stored_things(state, vocabulary);
  if (command == "show" && text == "KERNEL" && !words.empty() && words.front() == "ranks") {
    Names all = vocabulary.kernels;
    for (const char* word : {"c", "latency", "bandwidth"}) add(all, word);
    return all;
  }
  if (text.starts_with("KERNEL") || text == "K") return vocabulary.kernels;
  if (text == "SIZE") return vocabulary.parameters;
  if (text == "N" && command == "fix") return fix_numbers(state);
  if (command == "goto") {
    Names all = {"start", "end"};
    std::ranges::copy(iterations(vocabulary), std::back_inserter(all));
    return all;
  }
  if (text == "WHAT") return selectable(words, vocabulary);
  if (text == "STAGE:ID") return stages_of_nodes();
  if (text == "N" || text == "X" || text == "LO:HI") return {};

  Names all;
  std::istringstream alternatives(text);
  for (std::string word; std::getline(alternatives, word, '|');) {
    if (word == "TENSOR" ||
        (std::isupper(static_cast<unsigned char>(word[0])) && (word.size() == 1 || word[1] == '('))) {
      all.insert(all.end(), vocabulary.tensors.begin(), vocabulary.tensors.end());
    } else if (word == "ANSWER" && state.focus.quiz->open) {
      for (std::size_t k = 1; k <= state.focus.quiz->open->choices.size(); ++k) all.push_back(std::to_string(k));
    } else if (word == "LESSON") {
      for (const Lesson& lesson : lessons()) all.push_back(std::to_string(lesson.number));
    } else if (std::ranges::all_of(word, [](char c) { return std::islower(static_cast<unsigned char>(c)); }) &&
               word.size() + (text.size() != word.size()) > 1) {
      all.push_back(word);
    }
  }
  return all;
}

}  // namespace

Vocabulary::Vocabulary(State& state) : formats(format::format_names()) {
  text::Diagnostics ignored;
  if (const lang::Program* program = state.program(ignored)) {
    for (const lang::TensorInfo& tensor : program->tensors) {
      if (tensor.kind == lang::TensorInfo::Kind::temporary) continue;
      add(tensors, tensor.name);
      if (tensor.shape.empty()) add(scalars_, tensor.name);
    }
    for (const lang::ParameterInfo& parameter : program->parameters) add(parameters, parameter.name);
    for (const lang::RanksInfo& dimension : program->ranks) add(ranks, dimension.name);
    for (const lang::Kernel& kernel : program->kernels) {
      add(kernels, kernel.name);
      for (const std::string& name : kernel.variables()) add(indices, name);
    }
  }
  for (const syntax::Statement& statement : state.declarations.file().statements) {
    if (const auto* tensor = statement.as<syntax::TensorDecl>()) {
      add(tensors, tensor->name.text);
      if (tensor->shape.empty()) add(scalars_, tensor->name.text);
    }
    if (const auto* parameter = statement.as<syntax::ParamDecl>()) add(parameters, parameter->name.text);
    if (const auto* kernel = statement.as<syntax::Kernel>()) add(kernels, kernel->name.text);
    if (const auto* definition = statement.as<syntax::Definition>()) add(functions, definition->name.text);
    if (const auto* layout = statement.as<syntax::LayoutDecl>()) add(formats, layout->name.text);
  }
}

bool Vocabulary::has_dimensions(const std::string& tensor) const {
  return std::ranges::find(tensors, tensor) != tensors.end() && std::ranges::find(scalars_, tensor) == scalars_.end();
}

Names built_in_functions() {
  Names all;
  for (int f = 0; f <= static_cast<int>(format::Function::max); ++f)
    add(all, std::string(format::name_of(static_cast<format::Function>(f))));
  for (int r = 0; r < static_cast<int>(format::ReduceOp::user); ++r)
    add(all, std::string(format::name_of(static_cast<format::ReduceOp>(r))));
  add(all, "coalesce");
  for (const std::string_view shape : lang::shape_op_names) add(all, std::string(shape));
  return all;
}

Names type_names() {
  Names all;
  for (int t = 0; t <= static_cast<int>(format::ScalarType::boolean); ++t)
    all.emplace_back(format::name_of(static_cast<format::ScalarType>(t)));
  return all;
}

Names names_in(std::string_view text) {
  Names all;
  text::Diagnostics ignored;
  const lang::TokenList list = lang::tokenize(text, 0, ignored);
  // The last one is being typed.
  for (const lang::Token& token : list.tokens)
    if (token.kind == lang::Token::Kind::name && token.span.end < text.size()) add(all, std::string(token.text));
  return all;
}

Names first_words(const State& state, const Vocabulary& vocabulary) {
  static_cast<void>(state);
  Names all = vocabulary.tensors;
  for (const Names& names : {vocabulary.parameters, vocabulary.functions})
    all.insert(all.end(), names.begin(), names.end());
  for (const CommandInfo& command : commands()) all.emplace_back(command.name);
  for (const char* word : {"param", "ranks", "tensor", "layout", "kernel", "loops", "def", "until"})
    all.emplace_back(word);
  return all;
}

Names command_words(const CommandInfo& command, const Names& words, State& state, const Vocabulary& vocabulary) {
  const std::vector<Item> items = items_of(command.usage);
  // Words that must be there come in their order; from the first one that may be missing, all that follow are possible.
  std::size_t at = 0;
  while (at < items.size() && at < words.size() && !items[at].optional && !is_index(items[at].text)) ++at;
  Names all;
  for (std::size_t k = at; k < items.size(); ++k) {
    for (const std::string& word : meaning(items[k], std::string(command.name), words, state, vocabulary))
      if (std::ranges::find(words, word) == words.end()) add(all, word);
    if (!items[k].optional && !is_index(items[k].text)) break;
  }
  return all;
}

}  // namespace trellis::session
