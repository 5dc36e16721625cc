#include "engine/session/program/refuse.hpp"

#include <algorithm>
#include <map>

#include "engine/lang/schedule_commands.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/program/declare_filled.hpp"
#include "engine/session/running/evaluate.hpp"
#include "engine/session/state/actions.hpp"
#include "engine/tensor/save.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

// After these the program is what it was at some other time.
bool travels(const std::string& name) {
  return name == "undo" || name == "redo" || name == "restore" || name == "tutorial";
}

// Whatever else is done with a kernel is done when it is complete.
void refuse_commands_inside(const syntax::Kernel& kernel, text::Diagnostics& diagnostics) {
  for (const syntax::Statement& statement : kernel.statements) {
    const auto* c = statement.as<syntax::Command>();
    if (!c || lang::schedule_command(*c) || fills_tensors(statement)) continue;
    if (!find_command(c->name.text)) refuse_unknown(*c, diagnostics);
    else
      diagnostics.error("E0607", statement->span, "`" + c->name.text + "` does not belong inside a kernel", "")
          .notes.push_back({{}, "write it behind the `}` of kernel " + kernel.name.text});
  }
}

std::string written(const std::string& kernel, const lang::Order& order) {
  return "--set " + (kernel.empty() ? "" : kernel + ".") + "order=" + lang::to_string(order);
}

// What the command line names and the program does not have; true if there is such a thing.
bool refuse_options(const lang::Program& program, const Options& options, text::Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& why) -> text::Diagnostic& {
    return diagnostics.error("E0612", {}, why, "");
  };
  bool refused = false;
  for (const auto& [name, value] : options.parameters)
    if (!program.parameter(name)) {
      refused = true;
      text::Diagnostic& d = refuse("-D " + name + ": the program has no parameter or size `" + name + "`");
      std::vector<std::string> names;
      for (const lang::ParameterInfo& p : program.parameters) names.push_back(p.name);
      if (const std::string near = text::did_you_mean(name, names); !near.empty())
        d.notes.push_back({{}, "did you mean `-D " + near + "`?"});
    }
  for (const auto& [name, order] : options.orders) {
    const lang::Kernel* kernel = program.kernel(name);
    if (!name.empty() && !kernel) refuse(written(name, order) + ": the program has no kernel `" + name + "`");
    else if (kernel && !has_loops(*kernel, order))
      refuse(written(name, order) + ": kernel " + name + " does not have all of these indices");
    else if (!kernel &&
             std::ranges::none_of(program.kernels, [&](const lang::Kernel& k) { return has_loops(k, order); }))
      refuse(written(name, order) + ": no kernel has all of these indices");
    else continue;
    refused = true;
  }
  return refused;
}

// What no run can change: a file that cannot hold the tensor. A grey image wants a cast.
void refuse_save(const lang::Program& program, const syntax::Command& c, text::Diagnostics& diagnostics) {
  using WordKind = syntax::Word::Kind;
  const bool saves = c.words.size() == 2 && c.words[0].kind == WordKind::name && c.words[1].kind == WordKind::string;
  const lang::TensorInfo* info = saves ? program.tensor(c.words[0].text) : nullptr;
  text::Diagnostics found;
  if (!info ||
      tensor::can_save(info->type, static_cast<int>(info->shape.size()), c.words[1].text, c.words[1].span, found))
    return;
  text::Diagnostic refused = found.all().front();
  if (refused.code == "E0413" && info->shape.size() == 2 && format::is_floating(info->type))
    refused.notes.push_back(
        {{}, "or cast it: " + info->name + "8(i,j) = u8(" + info->name + "(i,j)), and save " + info->name + "8"});
  diagnostics.add(std::move(refused));
}

}  // namespace

void refuse_commands(const syntax::File& file, text::Diagnostics& diagnostics) {
  for (const syntax::Statement& statement : file.statements) {
    const auto* c = statement.as<syntax::Command>();
    if (c && !lang::schedule_command(*c) && !find_command(c->name.text)) refuse_unknown(*c, diagnostics);
    if (const auto* kernel = statement.as<syntax::Kernel>()) refuse_commands_inside(*kernel, diagnostics);
  }
}

namespace {

/// What people type who come from elsewhere, and what does it here.
std::string instead_of(const std::string& word) {
  static const std::map<std::string, std::string> known = {
      {"import",
       "nothing is imported: functions such as sqrt and reductions such as sum are there; `source \"f.tr\"` reads a "
       "program, `load` reads data"},
      {"end", "what `{` opens ends with `}`; a statement ends with its line"},
      {"function", "a function is written def f(x) = max(x, 0)"},
      {"var", "a number with a name is written param n = 3; an array is declared, as in tensor x(n)"},
      {"disp", "`print x` shows a value, and so does x alone"},
      {"clear", "`reset` forgets everything, `undo` the last step"},
      {"whos", "`show formats` lists the tensors"},
      {"return", "an equation says what an element is; a function's last expression is its value"},
      {"not", "it is written !x"},
      {"solve", "`examples` has programs that solve: lower_solve, lu, cholesky_solve and conjugate_gradients"},
  };
  static const std::map<std::string, std::string> same = {
      {"using", "import"}, {"from", "import"}, {"include", "import"}, {"require", "import"}, {"const", "var"},
      {"global", "var"},   {"local", "var"},   {"display", "disp"},   {"println", "disp"},   {"who", "whos"}};
  const auto alike = same.find(word);
  const auto found = known.find(alike == same.end() ? word : alike->second);
  return found == known.end() ? "" : found->second;
}

void refuse_unknown(const syntax::Name& name, std::vector<std::string> names, text::Diagnostics& diagnostics) {
  for (const char* word : {"tensor", "param", "kernel"}) names.emplace_back(word);
  for (const CommandInfo& info : commands()) names.emplace_back(info.name);
  text::Diagnostic& d = diagnostics.error("E0611", name.span, "there is no command `" + name.text + "`", "");
  if (const std::string instead = instead_of(name.text); !instead.empty()) {
    d.notes.push_back({{}, instead});
    return;
  }
  const std::string near = text::did_you_mean(name.text, names);
  d.notes.push_back(
      {{},
       near.empty() ? "`help` lists the commands; an equation is written `y(i) = …`" : "did you mean `" + near + "`?"});
}

/// What a text wants of the program as it is before the next `reset`.
struct Asked {
  std::vector<syntax::Name> names;  ///< that stand alone
  std::vector<syntax::Command> saves;
};

/// Names alone that are neither commands nor anything else, and tensors that files of that kind cannot hold.
void judge(const Asked& asked, const lang::Program& program, text::Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const lang::TensorInfo& info : program.tensors) known.push_back(info.name);
  for (const lang::ParameterInfo& info : program.parameters) known.push_back(info.name);
  for (const syntax::Name& name : asked.names)
    if (std::ranges::find(known, name.text) == known.end()) refuse_unknown(name, known, diagnostics);
  for (const syntax::Command& save : asked.saves) refuse_save(program, save, diagnostics);
}

}  // namespace

void refuse_unknown(const syntax::Command& c, text::Diagnostics& diagnostics) {
  refuse_unknown(c.name, {}, diagnostics);
}

text::Diagnostics first_errors(const text::Diagnostics& all) {
  constexpr std::size_t most = 20;
  text::Diagnostics first;
  for (const text::Diagnostic& d : all.all()) {
    if (first.all().size() == most) break;
    first.add(d);
  }
  const std::size_t hidden = all.all().size() - first.all().size();
  if (hidden == 0) return first;
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.message = std::to_string(hidden) + (hidden == 1 ? " more message" : " more messages");
  first.add(std::move(note));
  return first;
}

namespace {

/// What stands by itself behind a program without errors, and asks nothing of it, is judged by itself: a session goes
/// on as fast as it began, however long it is.
bool is_right_by_itself(State& state, const syntax::File& file) {
  std::vector<syntax::Statement> declared;
  for (const syntax::Statement& statement : file.statements) {
    const auto* c = statement.as<syntax::Command>();
    if (!c) declared.push_back(statement);
    else if (const std::string& name = c->name.text; lang::schedule_command(*c) || !find_command(name) ||
                                                     name_alone(*c) || travels(name) || name == "reset" ||
                                                     name == "save")
      return false;
  }
  return state.options.parameters.empty() && state.declarations.would_be_right(declared, state.options);
}

}  // namespace

text::Diagnostics with_advice(const text::Diagnostics& errors, const syntax::File& file) {
  if (file.statements.size() != 1) return errors;
  const auto* equation = file.statements.front().as<syntax::Equation>();
  const auto* left = equation ? equation->left.as<syntax::Reference>() : nullptr;
  if (!(left && left->step) && !file.statements.front().as<syntax::Until>()) return errors;
  const std::vector<std::string> lacks_others = {"E0201", "E0340", "E0343", "E0346"};
  text::Diagnostics advised;
  for (const text::Diagnostic& d : errors.all()) {
    text::Diagnostic& copy = advised.add(d);
    if (&d == &errors.all().front() && std::ranges::find(lacks_others, d.code) != lacks_others.end())
      copy.notes.push_back(
          {{}, "equations that need each other are entered as one: `kernel NAME {`, a line each, `}`"});
  }
  return advised;
}

Exit refuse(State& state, const syntax::File& file, text::Diagnostics& diagnostics) {
  if (!diagnostics.has_errors() && is_right_by_itself(state, file)) return Exit::success;
  State whole = state;
  bool known = true;  // what the program is at this point
  Asked asked;
  for (const syntax::Statement& statement : file.statements) {
    const auto* c = statement.as<syntax::Command>();
    if (c && c->name.text == "reset") {
      text::Diagnostics ignored;
      const lang::Program* before = diagnostics.has_errors() ? nullptr : whole.program(ignored);
      if (before) judge(asked, *before, diagnostics);
      asked = {};
      whole.restore(Content{});
    }
    known = known && !(c && travels(c->name.text));
    if (!known) continue;
    if (const auto implied = implied_declaration(whole, statement)) whole.add(implied->declaration);
    if (!c || lang::schedule_command(*c)) whole.add(statement);
    else if (const syntax::Name* name = name_alone(*c)) asked.names.push_back(*name);
    else if (!find_command(c->name.text)) refuse_unknown(*c, diagnostics);
    else if (c->name.text == "save") asked.saves.push_back(*c);
    if (const auto* kernel = statement.as<syntax::Kernel>()) refuse_commands_inside(*kernel, diagnostics);
  }
  // What could not be read may have declared the names that seem unknown now.
  if (diagnostics.has_errors()) return Exit::wrong_program;
  text::Diagnostics resolving;
  const lang::Program* program = whole.program(resolving);
  for (const text::Diagnostic& d : resolving.all())
    if (d.severity == text::Severity::error) diagnostics.add(d);
  if (program) judge(asked, *program, diagnostics);
  const bool options = program && refuse_options(*program, state.options, diagnostics);
  if (!diagnostics.has_errors()) return Exit::success;
  // A single equation that was refused is not part of the program: its fix takes its place.
  if (file.statements.size() == 1 && file.statements[0].as<syntax::Equation>())
    state.offer = {diagnostics.all().back().fixes, ""};
  return options ? Exit::wrong_command_line : Exit::wrong_program;
}

}  // namespace trellis::session
