#include "engine/session/program/declare_filled.hpp"

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/tensor/load.hpp"

namespace trellis::session {
namespace {

namespace syntax = lang::syntax;

bool defines_tensor(const syntax::Statement& statement, const std::string& name) {
  if (const auto* t = statement.as<syntax::TensorDecl>()) return t->name.text == name;
  if (const auto* p = statement.as<syntax::ParamDecl>()) return p->name.text == name;
  if (const auto* e = statement.as<syntax::Equation>())
    return e->left.as<syntax::Reference>() && e->left.as<syntax::Reference>()->name.text == name;
  const auto* kernel = statement.as<syntax::Kernel>();
  return kernel && std::ranges::any_of(kernel->statements, [&](const auto& one) { return defines_tensor(one, name); });
}

/// Results of loops too, which no statement names by itself.
bool has_meaning(State& state, const std::string& name) {
  if (std::ranges::any_of(state.declarations.file().statements, [&](const auto& s) { return defines_tensor(s, name); }))
    return true;
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  return program && (program->tensor(name) || program->parameter(name));
}

/// `tensor …` as a statement at the place of the command; empty when that is no declaration.
std::optional<syntax::Statement> declared(State& state, const std::string& text, text::Span at) {
  text::Diagnostics problems;
  const int source = state.declarations.written(state.sources, "declaration", text);
  const syntax::File file = lang::parse(state.sources, source, problems);
  const auto* tensor =
      file.statements.size() == 1 && !problems.has_errors() ? file.statements[0].as<syntax::TensorDecl>() : nullptr;
  if (!tensor) return std::nullopt;
  syntax::TensorDecl declaration = *tensor;
  declaration.name.span = at;
  return syntax::Statement(syntax::StatementNode{std::move(declaration), at});
}

/// `random A(4, 4): csr density 0.1`.
std::optional<ImpliedDeclaration> of_random(State& state, const syntax::Command& command, text::Span at) {
  const std::size_t behind = command.words.size() - without_shape(command).words.size() + 1;  // what is said of it
  if (behind == 1) return std::nullopt;
  std::string text = "tensor";
  for (auto word = command.words.begin(); word != command.words.begin() + static_cast<std::ptrdiff_t>(behind); ++word)
    text += (word->joined && word != command.words.begin() ? "" : " ") + word->text;
  auto declaration = declared(state, text, at);
  if (!declaration) return std::nullopt;
  return ImpliedDeclaration{std::move(*declaration), without_shape(command)};
}

/// `(4, 5): csr` of what stands in a file.
std::string described(const tensor::FileContents& contents) {
  tensor::Index shape = contents.shape();
  if (shape.size() == 2 && shape[1] == 1) shape.pop_back();  // a column is a vector
  const auto* list = std::get_if<tensor::Coordinates>(&contents.is);
  format::ScalarType type =
      list && list->field == tensor::Coordinates::Field::integer ? format::ScalarType::i64 : format::ScalarType::f64;
  if (const auto* array = std::get_if<tensor::ArrayContents>(&contents.is)) type = array->tensor.type();
  double elements = 1;
  std::string sizes;
  for (const std::int64_t size : shape) {
    elements *= static_cast<double>(size);
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  }
  const bool sparse = list && !shape.empty() && 2 * static_cast<double>(contents.entries()) <= elements;
  std::string attributes;
  if (sparse) attributes = shape.size() == 1 ? " compressed" : shape.size() == 2 ? " csr" : " csf";
  if (type != format::ScalarType::f64) attributes += " " + std::string(format::name_of(type));
  return (sizes.empty() ? "" : "(" + sizes + ")") + (attributes.empty() ? "" : ":" + attributes);
}

std::optional<ImpliedDeclaration> of_load(State& state, const syntax::Command& command, text::Span at) {
  if (command.words.size() != 2 || command.words[1].kind != syntax::Word::Kind::string) return std::nullopt;
  text::Diagnostics ignored;  // `load` itself reports them
  const auto path = path_of(state, {command.words[1].text, command.words[1].span}, ignored);
  const auto contents =
      path ? tensor::read_contents(file_request(state, *path, command.words[1].span), ignored) : std::nullopt;
  auto declaration =
      contents ? declared(state, "tensor " + command.words[0].text + described(*contents), at) : std::nullopt;
  return declaration ? std::optional(ImpliedDeclaration{std::move(*declaration), command}) : std::nullopt;
}

}  // namespace

tensor::FileRequest file_request(const State& state, const std::string& path, text::Span at,
                                 const std::optional<tensor::RecordChoice>& record) {
  constexpr int most_reading = 16;  // for which one hands out the lines
  return {.path = path,
          .span = at,
          .limit_bytes = state.data_limit(),
          .record = record,
          .cancelled = state.cancel.question(),
          .threads = std::min(state.options.machine.threads, most_reading),
          .memory_bytes = state.memory_limit(),
          .told = [&state, name = path.substr(path.find_last_of('/') + 1)](std::int64_t read, std::int64_t all) {
            state.tell({"reading", read, all, "MiB of " + name});
          }};
}

std::optional<ImpliedDeclaration> implied_declaration(State& state, const syntax::Statement& statement) {
  const auto* command = statement.as<syntax::Command>();
  if (!command || command->words.empty() || command->words[0].kind != syntax::Word::Kind::name) return std::nullopt;
  if (command->name.text != "random" && command->name.text != "load") return std::nullopt;
  if (has_meaning(state, command->words[0].text)) return std::nullopt;
  return command->name.text == "random" ? of_random(state, *command, statement->span)
                                        : of_load(state, *command, statement->span);
}

}  // namespace trellis::session
