// What a session declares, and the way back; state_compiled.cpp has what it was compiled to, state_memory.cpp its
// tensors.
#include "engine/session/state/state.hpp"

#include <algorithm>
#include <utility>

#include "engine/session/program/files.hpp"
#include "engine/session/running/result_bytes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

std::string to_string(const Progress& progress) {
  const std::string numbers = std::to_string(progress.number) + " of " + std::to_string(progress.of) + ": ";
  return progress.what + " " + (progress.of > 0 ? numbers : "") + progress.which;
}

State::State(Options chosen) : options(std::move(chosen)), history(std::make_shared<History>()) {
  options.limits.cancel = cancel;
}

Content State::content() const {
  return {declarations.shared(), data.sizes(), data.tensors(), data.makers(), options.orders, offer,
          last_action_,          lesson,       runs.all()};
}

void State::restore(Content content) {
  declarations.restore(std::move(content.declared));
  data.restore(std::move(content.sizes), std::move(content.tensors), std::move(content.makers));
  options.orders = std::move(content.orders);
  offer = std::move(content.offer);
  last_action_ = content.last_action;
  lesson = content.lesson;
  runs.restore(std::move(content.runs));
}

void State::acted(const syntax::Statement& statement) {
  const auto& words = statement.as<syntax::Command>()->words;
  Action action{replayable(sources, statement), {}};
  if (!fills_tensors(statement)) action.ran = meanings(*this, words.empty() ? "" : words.front().text);
  last_action_ = actions.add(last_action_, std::move(action));
}

std::map<std::string, SharedText> meanings(State& state, const std::string& kernel) {
  text::Diagnostics ignored;
  std::map<std::string, SharedText> all;
  if (const lang::Program* now = state.program(ignored))
    for (const lang::Kernel& one : now->kernels) all[one.name] = state.meaning_of(one);
  if (const auto found = all.find(kernel); found != all.end()) return {*found};
  return all;
}

bool State::add(const syntax::Statement& statement) {
  offer.illegal.reset();  // another program, another order
  return declarations.add(statement, replaces);
}

bool State::become(syntax::File declared, text::Diagnostics& diagnostics) {
  Declarations::Former former = declarations.replace(std::move(declared));
  if (program(diagnostics)) {
    offer = {};
    declarations.accept();
    return true;
  }
  declarations.take_back(std::move(former));
  caches.forget_program();
  return false;
}

bool State::is_right() {
  if (declarations.resolve(options, data.sizes(), sources)) caches.forget_program();
  return declarations.program() != nullptr;
}

const lang::Program* State::program(text::Diagnostics& diagnostics) {
  is_right();
  text::Diagnostics said;
  declarations.announce(said, offer);
  const lang::Program* program = declarations.program();
  diagnostics.append(program ? with_bytes(*this, *program, said) : said);
  return program;
}

const lang::Kernel* State::kernel(const std::optional<syntax::Name>& name, text::Span at,
                                  text::Diagnostics& diagnostics) {
  const lang::Program* all = program(diagnostics);
  if (!all) return nullptr;
  if (all->kernels.empty()) {
    diagnostics.error("E0604", at, "there is nothing to run yet", "")
        .notes.push_back({{}, "write an equation first, such as `y(i) = sum(j)(A(i,j) * x(j))`"});
    return nullptr;
  }
  if (!name) {
    const lang::Kernel* main = all->kernel("main");
    return main ? main : &all->kernels.back();
  }
  if (const lang::Kernel* found = all->kernel(name->text)) return found;
  std::vector<std::string> names;
  for (const lang::Kernel& kernel : all->kernels) names.push_back(kernel.name);
  text::Diagnostic& d = diagnostics.error("E0605", name->span, "there is no kernel `" + name->text + "`", "");
  const std::string near = text::did_you_mean(name->text, names);
  std::string list;
  for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
  d.notes.push_back({{}, near.empty() ? "the kernels are: " + list : "did you mean `" + near + "`?"});
  if (all->tensor(name->text))
    d.notes.push_back({{}, name->text + " is a tensor: `show formats " + name->text + "` shows what it stores"});
  return nullptr;
}

std::optional<std::string> path_of(const State& state, const syntax::Name& name, text::Diagnostics& diagnostics) {
  return allowed_path(state.sources, name, state.options.folder, diagnostics);
}

}  // namespace trellis::session
