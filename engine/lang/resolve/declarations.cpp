// Parameters, tensors and kernels: what each name of the file stands for.

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/constant_value.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/resolve/whole_parameters.hpp"
#include "engine/lang/schedule_commands.hpp"

namespace trellis::lang::resolving {

using format::ScalarType;
using format::Value;

namespace {

class Declarations {
 public:
  Declarations(Resolution& resolution, std::set<std::string> whole)
      : resolution_(resolution), whole_(std::move(whole)) {}

  void parameters(const std::vector<syntax::Statement>& statements) {
    for_each_statement(statements, [&](const syntax::Statement& statement) {
      if (const auto* p = statement.as<syntax::ParamDecl>()) parameter(*p);
    });
  }
  void ranks(const std::vector<syntax::Statement>& statements) {
    for_each_statement(statements, [&](const syntax::Statement& statement) {
      if (const auto* r = statement.as<syntax::RanksDecl>()) declare_ranks(resolution_, *r, statement->span);
    });
  }
  void tensors(const std::vector<syntax::Statement>& statements) {
    for_each_statement(statements, [&](const syntax::Statement& statement) {
      if (const auto* t = statement.as<syntax::TensorDecl>()) declare_tensor(resolution_, *t, claim(t->name));
    });
  }
  void definitions(const std::vector<syntax::Statement>& statements) {
    for_each_statement(statements, [&](const syntax::Statement& statement) {
      const auto* d = statement.as<syntax::Definition>();
      if (!d || claim(d->name) != Freshness::fresh) return;
      DefinitionInfo& info = resolution_.definitions[d->name.text];
      info.source = d;
      info.origin = {{text::Stage::source, statement.id()}};
    });
    read_definitions(resolution_);
  }
  void kernels(const syntax::File& file) {
    for (const syntax::Statement& statement : file.statements) {
      if (const auto* k = statement.as<syntax::Kernel>()) open_kernel(*k, statement->span);
      else if (const auto* e = statement.as<syntax::Equation>())
        add_equation(kernel("main", statement->span), *e, statement->span);
      else if (const auto* l = statement.as<syntax::Loops>()) kernel("main", statement->span).loops.push_back(l);
      else if (const auto* u = statement.as<syntax::Until>())
        kernel("main", statement->span).untils.push_back({u, statement->span});
      else if (const auto* c = statement.as<syntax::Command>()) schedule(resolution_.loose_schedule, *c);
    }
  }
  void layouts(const std::vector<syntax::Statement>& statements) {
    for_each_statement(statements, [&](const syntax::Statement& statement) {
      const auto* l = statement.as<syntax::LayoutDecl>();
      if (l && claim(l->name) == Freshness::fresh) declare_layout(resolution_, *l);
    });
  }

 private:
  /// Reports a second declaration of a name.
  Freshness claim(const syntax::Name& name) {
    auto [first, fresh] = declared_.emplace(name.text, name.span);
    if (fresh) return Freshness::fresh;
    auto& diagnostic = resolution_.error("E0202", name.span, name.text + " is declared twice", "declared again");
    diagnostic.notes.push_back({first->second, "first declared here"});
    return Freshness::taken;
  }

  void parameter(const syntax::ParamDecl& p) {
    if (claim(p.name) == Freshness::taken) return;
    const Quotients quotients = whole_.contains(p.name.text) ? Quotients::rounded_down : Quotients::exact;
    const auto [value, rounded] = constant_value(resolution_, p.value, quotients);
    if (value && rounded) note_rounded(p, *rounded, *value);
    if (!value) {
      resolution_.poisoned.insert(p.name.text);
      return;
    }
    ParameterInfo info{p.name.text, format::is_floating(value->type), value, p.name.span};
    if (auto override = resolution_.overrides.find(p.name.text); override != resolution_.overrides.end()) {
      if (!info.real && format::is_floating(override->second.type))
        resolution_.error("E0215", p.name.span, p.name.text + " is an integer parameter",
                          "given " + to_string(override->second));
      else info.value = format::cast(info.real ? ScalarType::f64 : ScalarType::i64, override->second);
    }
    resolution_.program.parameters.push_back(std::move(info));
  }

  void note_rounded(const syntax::ParamDecl& p, const syntax::Expr& quotient, const Value& value) {
    const bool overridden = resolution_.overrides.contains(p.name.text);
    if (overridden) return;
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0206";
    note.span = quotient->span;
    note.message = to_string(quotient) + " rounds down, as " + p.name.text +
                   " is a size, a bound or an index: " + p.name.text + " = " + to_string(value);
    note.notes.push_back({{}, "floor(…) and ceil(…) say which whole number is meant"});
    resolution_.diagnostics.add(std::move(note));
  }

  KernelDraft& kernel(const std::string& name, text::Span span) {
    for (KernelDraft& k : resolution_.kernels)
      if (k.name == name) return k;
    resolution_.kernels.push_back({name, span, {}, {}, {}});
    return resolution_.kernels.back();
  }

  void open_kernel(const syntax::Kernel& k, text::Span span) {
    for (const KernelDraft& other : resolution_.kernels)
      if (other.name == k.name.text) {
        auto& diagnostic = resolution_.error("E0202", k.name.span, "kernel " + k.name.text + " is declared twice");
        diagnostic.notes.push_back({other.span, "first declared here"});
        return;
      }
    KernelDraft draft{k.name.text, span, {}, {}, {}};
    for (const syntax::Statement& statement : k.statements) {
      if (const auto* e = statement.as<syntax::Equation>()) add_equation(draft, *e, statement->span);
      else if (const auto* l = statement.as<syntax::Loops>()) draft.loops.push_back(l);
      else if (const auto* u = statement.as<syntax::Until>()) draft.untils.push_back({u, statement->span});
      else if (const auto* c = statement.as<syntax::Command>()) schedule(draft.schedule, *c);
      else if (statement.as<syntax::Kernel>())
        resolution_.error("E0217", statement->span, "a kernel stands inside another");
    }
    resolution_.kernels.push_back(std::move(draft));
  }

  void add_equation(KernelDraft& kernel, const syntax::Equation& equation, text::Span span) {
    kernel.equations.push_back(draft_of(resolution_, equation, span));
  }

  void schedule(std::vector<const syntax::Command*>& into, const syntax::Command& command) {
    if (command.name.text == "format") resolution_.format_commands.push_back(&command);
    else if (schedule_command(command)) into.push_back(&command);
  }

  Resolution& resolution_;
  const std::set<std::string> whole_;  ///< parameters whose quotients round down
  std::map<std::string, text::Span> declared_;
};

}  // namespace

Draft draft_of(Resolution& resolution, const syntax::Equation& equation, text::Span span) {
  Draft draft;
  draft.source = &equation;
  draft.span = span;
  if (const auto* left = equation.left.as<syntax::Reference>()) draft.tensor = left->name.text;
  draft.right = equation.right;
  std::vector<syntax::Expr> around{equation.left, equation.right};
  for (const syntax::Constraint& c : equation.constraints) around.insert(around.end(), c.sides.begin(), c.sides.end());
  draft.right = write_out_functions(resolution, around, equation.right, draft.sound);
  draft.right = write_out_slices(resolution, draft.right, draft.sound);
  if (draft.sound)
    draft.right = write_out_operators(resolution, {equation.left}, equation.constraints, draft.right, draft.sound);
  return draft;
}

void declare(Resolution& resolution, const syntax::File& file, const std::optional<syntax::Expr>& value) {
  Declarations declarations(resolution, whole_parameters(file, value));
  declarations.parameters(file.statements);
  declarations.ranks(file.statements);
  declarations.layouts(file.statements);
  declarations.tensors(file.statements);
  declarations.definitions(file.statements);
  declarations.kernels(file);
}

}  // namespace trellis::lang::resolving
