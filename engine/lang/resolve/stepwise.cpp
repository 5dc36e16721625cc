#include "engine/lang/stepwise.hpp"

#include <algorithm>
#include <iterator>

#include "engine/lang/lexer.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang {

namespace {

/// All names that a statement mentions, wherever they stand in it: those of its text. "[" when it has timesteps.
std::vector<std::string> mentioned_by(const syntax::Statement& statement) {
  text::Diagnostics ignored;
  const std::string text = to_string(statement);
  std::vector<std::string> names;
  for (const Token& token : tokenize(text, -1, ignored).tokens)
    if (token.kind == Token::Kind::name || token.is("[")) names.emplace_back(token.text);
  return names;
}

bool has_steps(const std::vector<std::string>& names) { return std::ranges::find(names, "[") != names.end(); }

const std::string* defined_by(const syntax::Equation& equation) {
  const auto* left = equation.left.as<syntax::Reference>();
  return left ? &left->name.text : nullptr;
}

/// What the statements find of the program: its parameters, and the tensors that they mention, which are given.
Program known_to(Growth::Statements statements, const Program& program) {
  Program known;
  known.parameters = program.parameters;
  for (const syntax::Statement& statement : statements)
    for (const std::string& name : mentioned_by(statement))
      if (const TensorInfo* info = program.tensor(name); info && !known.tensor(name)) {
        known.tensors.push_back(*info);
        known.tensors.back().kind = TensorInfo::Kind::declared;
      }
  return known;
}

/// Behind the last node of the kernel: the right side of its last equation is numbered last, in pre-order.
int next_number(const Kernel& kernel) {
  if (kernel.equations.empty()) return 0;
  int last = kernel.equations.back().id;
  const auto visit = [&](const Expr& e, const auto& self) -> void {
    last = std::max(last, e.id());
    for_each_child(e, [&](const Expr& child) { self(child, self); });
  };
  visit(kernel.equations.back().right, visit);
  return last + 1;
}

}  // namespace

void Growth::follow(const Program& program, Statements statements) {
  for (const syntax::Statement& statement : statements)
    if (plain_) note(statement);
  plain_ = plain_ && program.assumed.empty() && !asks_for_values(program);
}

void Growth::note(const syntax::Statement& statement) {
  const std::vector<std::string> names = mentioned_by(statement);
  mentioned_.insert(names.begin(), names.end());
  plain_ = plain_ && !has_steps(names);
  statement.match([](const syntax::TensorDecl&) {},
                  [&](const syntax::ParamDecl& p) {
                    if (!p.value.as<syntax::Number>()) written_out_.insert(p.name.text);
                  },
                  [&](const syntax::LayoutDecl& l) { written_out_.insert(l.name.text); },
                  [&](const syntax::Definition& d) { written_out_.insert(d.name.text); },
                  [&](const syntax::Equation& e) {
                    if (const std::string* name = defined_by(e)) defined_.insert(*name);
                  },
                  [&](const auto&) { plain_ = false; });
}

bool Growth::can_stand_alone(Statements more) const {
  return plain_ && std::ranges::all_of(more, [&](const syntax::Statement& statement) {
           const auto* equation = statement.as<syntax::Equation>();
           if (!equation && !statement.as<syntax::TensorDecl>()) return false;
           const std::string* defined = equation ? defined_by(*equation) : nullptr;
           if (equation && (!defined || defined_.contains(*defined))) return false;
           const std::vector<std::string> names = mentioned_by(statement);
           return !has_steps(names) &&
                  std::ranges::none_of(names, [&](const std::string& name) { return written_out_.contains(name); });
         });
}

std::optional<Program> Growth::addition(const Program& program, Statements more, text::Diagnostics& diagnostics,
                                        const Overrides& overrides) const {
  if (!can_stand_alone(more)) return std::nullopt;
  text::Diagnostics found;
  resolving::Resolution resolution{known_to(more, program), found, overrides, {}, {}, {}, {}};
  const auto sizes = static_cast<std::ptrdiff_t>(resolution.program.parameters.size());
  const auto given = static_cast<std::ptrdiff_t>(resolution.program.tensors.size());
  if (!program.kernels.empty()) resolution.first_number = next_number(program.kernels.back());
  resolving::take_steps(resolution, {{more.begin(), more.end()}}, {});
  Program& made = resolution.program;
  made.parameters.erase(made.parameters.begin(), made.parameters.begin() + sizes);
  made.tensors.erase(made.tensors.begin(), made.tensors.begin() + given);
  const auto is_new = [&](const auto& one) { return !mentioned_.contains(one.name); };
  const auto has_value = [](const ParameterInfo& size) { return size.value.has_value(); };
  const bool alone = std::ranges::all_of(made.parameters, is_new) && std::ranges::all_of(made.tensors, is_new) &&
                     std::ranges::none_of(made.parameters, has_value) && made.functions.empty() &&
                     made.assumed.empty() && !asks_for_values(made);
  if (!alone || found.has_errors()) return std::nullopt;
  diagnostics.append(found);
  return std::move(made);
}

void extend(Program& program, Program addition) {
  std::ranges::move(addition.parameters, std::back_inserter(program.parameters));
  const auto implicit = [](const TensorInfo& info) { return info.kind == TensorInfo::Kind::implicit; };
  // Those that are declared come before results that are not, whatever comes first in the text.
  const auto declared_end = std::ranges::stable_partition(addition.tensors, std::not_fn(implicit)).begin();
  program.tensors.insert(std::ranges::find_if(program.tensors, implicit), std::move_iterator(addition.tensors.begin()),
                         std::move_iterator(declared_end));
  std::move(declared_end, addition.tensors.end(), std::back_inserter(program.tensors));
  if (program.kernels.empty()) program.kernels = std::move(addition.kernels);
  else
    for (Kernel& kernel : addition.kernels)
      std::ranges::move(kernel.equations, std::back_inserter(program.kernels.back().equations));
}

}  // namespace trellis::lang
