// What a session declares, and what it was compiled to; state_memory.cpp has its tensors.
#include "engine/session/state.hpp"

#include <algorithm>

#include "engine/explore/loop_orders.hpp"
#include "engine/explore/why.hpp"
#include "engine/format/misfit.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/lang/statement_edit.hpp"
#include "engine/loop/print.hpp"
#include "engine/loop/read.hpp"
#include "engine/session/files.hpp"
#include "engine/session/history.hpp"
#include "engine/session/prompt.hpp"
#include "engine/session/refuse.hpp"
#include "engine/session/replay/cursor.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/teach/lessons.hpp"
#include "engine/session/teach/quiz.hpp"
#include "engine/symbolic/with_patterns.hpp"
#include "engine/text/sequence.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

bool has_loops(const lang::Kernel& kernel, const lang::Order& order) {
  const std::vector<std::string> variables = kernel.variables();
  return std::ranges::all_of(order,
                             [&](const lang::LoopName& loop) { return std::ranges::count(variables, loop.name) > 0; });
}

std::string to_string(const Progress& progress) {
  const std::string numbers = std::to_string(progress.number) + " of " + std::to_string(progress.of) + ": ";
  return progress.what + " " + (progress.of > 0 ? numbers : "") + progress.which;
}

State::State(Options chosen)
    : options(std::move(chosen)),
      history(std::make_shared<History>()),
      cursor(std::make_shared<Cursor>()),
      learnt(std::make_shared<Learnt>()),
      quiz(std::make_shared<Quiz>()) {
  options.limits.cancel = cancel;
}

void State::restore(Content content) {
  file_ = std::move(content.declared);
  sizes_ = std::move(content.sizes);
  tensors_ = std::move(content.tensors);
  makers_ = std::move(content.makers);
  options.orders = std::move(content.orders);
  offer = std::move(content.offer);
  last_action_ = content.last_action;
  lesson = content.lesson;
  finished_ = std::move(content.runs);
  stale_ = true;
  ++version_;
}

void State::acted(const syntax::Statement& statement) {
  const auto& words = statement.as<syntax::Command>()->words;
  Action action{replayable(sources, statement), {}};
  if (!fills_tensors(statement)) action.ran = meanings(words.empty() ? "" : words.front().text);
  last_action_ = actions.add(last_action_, std::move(action));
}

std::map<std::string, SharedText> State::meanings(const std::string& kernel) {
  text::Diagnostics ignored;
  std::map<std::string, SharedText> all;
  if (const lang::Program* now = program(ignored))
    for (const lang::Kernel& one : now->kernels) all[one.name] = meaning_of(one);
  if (const auto found = all.find(kernel); found != all.end()) return {*found};
  return all;
}

bool State::add(const syntax::Statement& statement) {
  stale_ = true;
  ++version_;
  offer.illegal.reset();  // another program, another order
  if (replaces)
    for (syntax::Statement& one : file_.statements)
      if (defines_the_same(one, statement)) {
        one = statement;
        return true;
      }
  file_.statements.push_back(statement);
  return false;
}

bool State::become(syntax::File declared, text::Diagnostics& diagnostics) {
  std::swap(file_, declared);
  auto before = std::exchange(program_, std::nullopt);
  auto said = std::exchange(program_diagnostics_, {});
  stale_ = true;
  announced_.clear();
  if (program(diagnostics)) {
    offer = {};
    ++version_;
    return true;
  }
  file_ = std::move(declared);
  program_ = std::move(before);
  program_diagnostics_ = std::move(said);
  stale_ = false;
  announced_all_ = false;
  known_.clear();
  return false;
}

void State::mend(const std::string& kernel, const syntax::Statement& statement, text::Span at) {
  const syntax::Statement* block = lang::block_of(file_, {kernel, at});
  syntax::Kernel mended = block ? *block->as<syntax::Kernel>() : syntax::Kernel{};
  std::vector<syntax::Statement>& statements = block ? mended.statements : file_.statements;
  if (const auto* old = lang::predecessor(statements, statement, at)) statements[old - statements.data()] = statement;
  else if (block) statements.push_back(statement);
  else {
    add(statement);
    return;
  }
  if (block)
    file_.statements[block - file_.statements.data()] =
        syntax::Statement(syntax::StatementNode{std::move(mended), (*block)->span});
  stale_ = true;
  ++version_;
}

void State::withdraw() {
  file_.statements.pop_back();
  stale_ = true;
  --version_;
}

void State::ask_for(syntax::Expr value) {
  options.parameters.insert(sizes_.begin(), sizes_.end());
  asked_ = std::move(value);
  stale_ = true;
}

// What the command line says goes before what the program says.
void State::apply_chosen_orders() {
  for (lang::Kernel& kernel : program_->kernels)
    for (const std::string& scope : {kernel.name, std::string()}) {
      const auto chosen = options.orders.find(scope);
      if (chosen == options.orders.end()) continue;
      if (!has_loops(kernel, chosen->second)) continue;
      kernel.schedule.order = chosen->second;
      place_chosen_order(scope, kernel.schedule);
      break;
    }
}

int State::tried_source(const std::string& commands) {
  const auto [known, fresh] = tried_.emplace(commands, 0);
  if (fresh) known->second = sources.add("schedule", commands);
  return known->second;
}

// What was written on the command line becomes a source, so that messages can point at its loops.
void State::place_chosen_order(const std::string& scope, lang::Schedule& schedule) {
  const std::string head = "--set " + (scope.empty() ? "" : scope + ".") + "order=";
  const auto [known, fresh] = written_orders_.emplace(head + lang::to_string(*schedule.order), 0);
  if (fresh) known->second = sources.add("command line", known->first);
  auto at = static_cast<std::uint32_t>(head.size());
  schedule.order_span = {known->second, at, static_cast<std::uint32_t>(known->first.size())};
  schedule.loop_spans.clear();
  for (const lang::LoopName& loop : *schedule.order) {
    const auto end = at + static_cast<std::uint32_t>(loop.name.size());
    schedule.loop_spans.push_back({known->second, at, end});
    at = end + (loop.descending ? 2 : 1);
  }
}

// Sizes that data brought along may need 64 bits.
void State::widen_levels() {
  for (lang::TensorInfo& tensor : program_->tensors) {
    tensor::Index shape;
    for (const math::Affine& size : tensor.shape) shape.push_back(value_of(size).value_or(-1));
    tensor.format = format::widened(std::move(tensor.format), shape);
  }
}

const lang::Program* State::program(text::Diagnostics& diagnostics) {
  if (stale_) {
    const auto resolve = [&](const lang::Overrides& known) {
      program_diagnostics_ = {};
      program_ = lang::resolve(file_, program_diagnostics_, known, asked_);
    };
    resolve(options.parameters);
    // Sizes that came with data count where it matters whether they agree, or what they multiply to.
    if (!sizes_.empty() && (!program_ || lang::asks_for_values(*program_))) {
      lang::Overrides known = options.parameters;
      known.insert(sizes_.begin(), sizes_.end());
      resolve(known);
    }
    if (program_) {
      apply_chosen_orders();
      program_ = symbolic::with_patterns(std::move(*program_), program_diagnostics_);
      if (program_diagnostics_.has_errors()) program_.reset();
      else widen_levels();
    }
    stale_ = false;
    announced_all_ = false;
    known_.clear();
  }
  // Errors are said whenever they stand in the way, all else once.
  const bool quiet = announced_all_ && !program_diagnostics_.has_errors();
  for (const text::Diagnostic& d : quiet ? std::vector<text::Diagnostic>() : program_diagnostics_.all()) {
    const std::string key = d.code + d.message + std::to_string(d.span.source) + ":" + std::to_string(d.span.begin);
    if (d.severity != text::Severity::error && !announced_.insert(key).second) continue;
    diagnostics.add(d);
    if (!d.fixes.empty()) offer = {d.fixes, "", {}, d.span};
  }
  announced_all_ = true;
  return program_ ? &*program_ : nullptr;
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
  return nullptr;
}

namespace {

/// Are they the same but for how they run?
bool same_equations(const lang::Kernel& a, const lang::Kernel& b) {
  const auto same = [](const lang::Equation& one, const lang::Equation& other) {
    return one.left.same(other.left) && one.right.same(other.right);
  };
  const auto same_action = [](const lang::Action& one, const lang::Action& other) { return one.same(other); };
  if (a.until.has_value() != b.until.has_value() || a.loops.has_value() != b.loops.has_value()) return false;
  return std::ranges::equal(a.equations, b.equations, same) && a.schedule.masks == b.schedule.masks &&
         (!a.until || a.until->condition.same(b.until->condition)) &&
         (!a.loops || std::ranges::equal(*a.loops, *b.loops, same_action));
}

}  // namespace

State::Known* State::known(const lang::Kernel& kernel) const {
  const lang::Kernel* own = program_->kernel(kernel.name);
  if (!own || (own != &kernel && !same_equations(*own, kernel))) return nullptr;
  return &known_[kernel.name];
}

SharedText State::meaning_of(const lang::Kernel& kernel) const {
  Known* found = known(kernel);
  if (!found) return SharedText(printed_meaning(kernel));
  if (found->meaning.empty()) found->meaning = SharedText(printed_meaning(kernel));
  return found->meaning;
}

SharedText State::definition_key(const lang::Kernel& kernel) const {
  Known* found = known(kernel);
  if (!found) return SharedText(printed_definition(kernel));
  if (found->definition.empty()) found->definition = SharedText(printed_definition(kernel));
  return found->definition;
}

std::shared_ptr<CompiledKernel> State::compiled(const lang::Kernel& kernel) {
  Known* found = known(kernel);
  if (!found) return compiled_.of(*program_, kernel);
  if (!found->compiled) found->compiled = compiled_.of(*program_, kernel);
  return found->compiled;
}

std::string State::printed_meaning(const lang::Kernel& kernel) const {
  std::string key = kernel.name + "\n" + lang::print_equations(*program_, kernel).characters;
  if (kernel.loops) key += loop::to_string(loop::read(*kernel.loops, *program_));
  for (const lang::Schedule::Mask& mask : kernel.schedule.masks) key += to_string(mask) + "\n";
  const std::vector<std::string> all = tensors_of(kernel);
  const std::set<std::string> used(all.begin(), all.end());
  for (const lang::TensorInfo& tensor : program_->tensors) {
    if (!used.contains(tensor.name)) continue;
    key += tensor.name + ":" + std::string(format::name_of(tensor.type)) + format::to_string(tensor.fill);
    for (const math::Affine& size : tensor.shape) key += "," + math::to_string(size);
  }
  return key;
}

std::string State::printed_definition(const lang::Kernel& kernel) const {
  std::string key = meaning_of(kernel).str();
  for (const std::string& name : tensors_of(kernel))
    if (const lang::TensorInfo* tensor = program_->tensor(name)) key += "@" + format::to_string(tensor->format);
  key += "\n" + lang::proven_sizes(*program_);
  return key;
}

std::shared_ptr<const place::Analysis> State::analysis(const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  if (kernel.loops) {
    diagnostics
        .error("E0268", kernel.span, "kernel " + kernel.name + " is a loop program: it has no equations to place", "")
        .notes.push_back({{},
                          "`show loops " + kernel.name +
                              "` shows what it does; `orders` and `why` say in which orders its loops can run"});
    return nullptr;
  }
  const auto compiled = this->compiled(kernel);
  if (!compiled->analysed) {
    text::Diagnostics found;
    auto made = place::analyse(compiled->part(), kernel, found);
    if (made) compiled->analysis = std::make_shared<const place::Analysis>(std::move(*made));
    compiled->said = found;
    compiled->analysed = true;
    if (made) diagnostics.append(found);
  }
  if (!compiled->analysis) {
    for (const text::Diagnostic& d : compiled->said.all())
      if (!d.fixes.empty()) offer = {d.fixes, kernel.name, {}, d.span};
    diagnostics.append(compiled->said);
    return nullptr;
  }
  const auto inherits_the_same = [&](const std::shared_ptr<const place::Analysis>& one) {
    return one->kernel.inherited == kernel.inherited;
  };
  if (inherits_the_same(compiled->analysis)) return compiled->analysis;
  if (const auto* known = compiled->by_inheritance.find(inherits_the_same)) return *known;
  place::Analysis copy = *compiled->analysis;
  copy.kernel.inherited = kernel.inherited;
  return compiled->by_inheritance.add(std::make_shared<const place::Analysis>(std::move(copy)));
}

std::shared_ptr<const place::Analysis> State::known_analysis(const lang::Kernel& kernel) const {
  const auto known = compiled_.known(*program_, kernel);
  return known ? known->analysis : nullptr;
}

std::shared_ptr<const symbolic::Elimination> State::elimination(const lang::Kernel& kernel) {
  const auto compiled = this->compiled(kernel);
  if (!compiled->recognised) {
    if (auto found = symbolic::find_elimination(compiled->part(), kernel))
      compiled->elimination = std::make_shared<const symbolic::Elimination>(std::move(*found));
    compiled->recognised = true;
  }
  return compiled->elimination;
}

lang::Order State::order_of(const lang::Kernel& kernel, const place::Analysis& analysis) const {
  if (kernel.schedule.order) return place::completed(analysis, *kernel.schedule.order);
  if (const auto chosen = place::choose_order(analysis)) return *chosen;
  lang::Order order;
  for (const std::string& name : kernel.variables()) order.push_back({name, false});
  return order;
}

std::shared_ptr<const Compilation> State::compilation(const lang::Kernel& plain, text::Diagnostics& diagnostics) {
  const lang::Kernel kernel = with_inheritance(plain);
  const auto shared = kernel.loops ? nullptr : analysis(kernel, diagnostics);
  if (!shared && !kernel.loops) return nullptr;
  const auto compiled = this->compiled(kernel);
  const Attempt* known = compiled->attempt(kernel.schedule, kernel.inherited);
  if (known && known->compilation) return known->compilation;
  // What was refused without a word about why is known to those alone who read none.
  if (!known && text::Unseen::now()) {
    Attempt unseen = attempted(kernel, shared);
    if (!unseen.compilation) return nullptr;
    known = &compiled->add(std::move(unseen));
  }
  const Attempt& made = known ? *known : compiled->add(attempted(kernel, shared));
  diagnostics.append(made.said);
  if (!made.offer.fixes.empty() || made.offer.illegal) offer = made.offer;
  return made.compilation;
}

text::Diagnostics State::said_of(const lang::Kernel& plain) {
  const lang::Kernel kernel = with_inheritance(plain);
  const auto compiled = this->compiled(kernel);
  text::Diagnostics all = compiled->said;
  if (const Attempt* known = compiled->attempt(kernel.schedule, kernel.inherited)) all.append(known->said);
  return all;
}

Attempt State::attempted(const lang::Kernel& kernel, const std::shared_ptr<const place::Analysis>& analysis) {
  const lang::Schedule& schedule = kernel.schedule;
  Attempt attempt{schedule, kernel.inherited, nullptr};
  text::Diagnostics& said = attempt.said;
  Compilation made =
      analysis ? compile(analysis, said, schedule) : compile(lang::part_for(*program_, kernel), kernel, said);
  for (const text::Diagnostic& d : said.all())
    if (!d.fixes.empty()) attempt.offer = {d.fixes, kernel.name, {}, d.span};
  if (said.has_errors() && kernel.loops && schedule.order && !text::Unseen::now())
    explain_refused_order(kernel, attempt);
  if (made.rejected && text::Unseen::now()) return attempt;
  if (made.rejected) {
    const text::Diagnostic why =
        explore::to_diagnostic(explore::why(*analysis, made.rejected->order), schedule.order_span, schedule.loop_spans);
    attempt.offer = {why.fixes, kernel.name, made.rejected->order};
    said.add(why);
  }
  if (!said.has_errors()) attempt.compilation = std::make_shared<const Compilation>(std::move(made));
  return attempt;
}

std::shared_ptr<const Compilation> State::unscheduled(const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  lang::Kernel plain = kernel;
  plain.schedule = {};
  return compilation(plain, diagnostics);
}

std::optional<std::string> State::path_of(const lang::syntax::Name& name, text::Diagnostics& diagnostics) const {
  return allowed_path(sources, name, options.folder, diagnostics);
}

// The compiler knows why an order of a loop program is refused; which others are legal is looked for here.
void State::explain_refused_order(const lang::Kernel& kernel, Attempt& attempt) {
  const text::Diagnostic& first = attempt.said.all().front();
  text::Diagnostics ignored;
  const auto plain =
      first.span == kernel.schedule.order_span && first.instance ? unscheduled(kernel, ignored) : nullptr;
  if (!plain) return;
  explore::LoopOrders orders(plain->loops, kernel.variables(), plain->stored);
  const explore::Why why = orders.why(*kernel.schedule.order);
  if (why.legal) return;
  attempt.said = {};
  attempt.offer = {attempt.said.add(orders.to_diagnostic(why, kernel.schedule.order_span)).fixes, kernel.name};
}

const run::Kernel* State::machine_code(const Compilation& compilation, run::Backend backend,
                                       text::Diagnostics& diagnostics, Exit& exit) {
  const auto same = [&](const run::Kernel& one) {
    return one.backend() == backend && one.module().source == compilation.module.source;
  };
  if (const run::Kernel* known = machine_code_.find(same)) return known;
  auto made = run::compile(compilation.module, backend, options.limits);
  if (auto* kernel = std::get_if<run::Kernel>(&made)) return &machine_code_.add(std::move(*kernel));

  const auto& error = std::get<run::CompileError>(made);
  const std::string& name = compilation.kernel.name;
  const text::Span at = compilation.kernel.span;
  switch (error.kind) {
    case run::CompileError::Kind::refused:
      diagnostics
          .error("E0501", at, std::string("the ") + run::name_of(backend) + " back end could not compile " + name, "")
          .notes.push_back({{}, error.message});
      break;
    case run::CompileError::Kind::timed_out:
      diagnostics.error("E0504", at, "compiling kernel " + name + " did not finish in time", "")
          .notes.push_back({{}, "`--timeout S` sets the limit; " + error.message});
      exit = Exit::kernel_failed;
      break;
    case run::CompileError::Kind::interrupted:
      diagnostics.error("E0506", at, "compiling kernel " + name + " was interrupted", "");
      exit = Exit::interrupted;
      break;
  }
  return nullptr;
}

}  // namespace trellis::session
