// orders, why, core, fix.
#include <algorithm>
#include <utility>

#include "engine/lang/parse.hpp"
#include "engine/place/core.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/time_orders.hpp"

namespace trellis::session {
namespace {

using lang::syntax::Name;

// `why [KERNEL:] i j k`, or no order at all: the kernel's own.
std::optional<lang::Order> read_order(Words& words) {
  const text::Span at = words.span();
  const std::string text = words.rest();
  auto order = lang::parse_order(text);
  if (!order)
    words.diagnostics().error("E0601", at, "`" + text + "` is not an order",
                              "write loop names, outermost first: `j k i-`");
  return order;
}

bool same_names(const lang::Order& order, const lang::Kernel& kernel, const KernelOrders& orders, Words& words) {
  std::vector<std::string> known = kernel.variables();
  if (kernel.loops) {  // those of one iteration are gone
    known.clear();
    for (const lang::LoopName& loop : orders.present()) known.push_back(loop.name);
  }
  for (const lang::LoopName& loop : order)
    if (std::ranges::find(known, kernel.loops ? loop.name : lang::variable_of(loop.name)) == known.end()) {
      const std::string what = kernel.loops ? "there is no loop over `" : "no equation uses an index `";
      text::Diagnostic& d = words.diagnostics().error("E0608", words.whole(), what + loop.name + "`", "");
      const std::string near = text::did_you_mean(loop.name, known);
      std::string list;
      for (const std::string& name : known) list += (list.empty() ? "" : " ") + name;
      d.notes.push_back({{},
                         near.empty() ? (kernel.loops ? "the loops are: " : "the indices are: ") + list
                                      : "did you mean `" + near + "`?"});
      return false;
    }
  return true;
}

// A step that moves loops either leaves a dependence alone or breaks it: each broken one is a core of its own.
void refuse_core(const std::string& kernel, Words& words) {
  words.diagnostics()
      .error("E0268", words.whole(),
             "kernel " + kernel + " is a loop program: `core` is about orders that equations are placed in", "")
      .notes.push_back({{}, "`why` names the dependence that forbids an order of its loops"});
}

/// What `why` and `core` are about.
struct Question {
  std::string kernel;
  std::shared_ptr<const place::Analysis> analysis;  ///< of equations
  KernelOrders orders;
  lang::Order order;
  bool present = false;                ///< nobody named one: it is that of the program
  text::Span at;                       ///< where the order is written
  std::vector<text::Span> loop_spans;  ///< and each of its loops
};

/// Which kernel `why i j k` is about when it names none.
struct KernelMeant {
  const lang::Kernel* kernel;            ///< null is reported
  std::vector<std::string> others = {};  ///< that have these indices as well
};

/// How well an order fits a kernel: it may leave loops out, but names none that the kernel lacks.
enum class Fit { none, some_loops, all_loops };
Fit fit_of(const lang::Order& order, const lang::Kernel& kernel) {
  if (!has_loops(kernel, order)) return Fit::none;
  return order.size() == kernel.variables().size() ? Fit::all_loops : Fit::some_loops;
}

/// The kernel whose indices these are: of several the usual one, if it is among them, else the last.
KernelMeant kernel_with(State& state, const lang::Order& order, Words& words) {
  KernelMeant meant{state.kernel(std::nullopt, words.whole(), words.diagnostics())};
  if (!meant.kernel) return meant;
  Fit best = Fit::none;
  std::vector<const lang::Kernel*> found;
  for (const lang::Kernel& kernel : state.program(words.diagnostics())->kernels) {
    const Fit fit = fit_of(order, kernel);
    if (fit == Fit::none || fit < best) continue;
    if (fit > best) found.clear();
    best = fit;
    found.push_back(&kernel);
  }
  if (found.empty()) return meant;  // which says what its own are
  if (std::ranges::find(found, meant.kernel) == found.end()) meant.kernel = found.back();
  for (const lang::Kernel* one : found)
    if (one != meant.kernel) meant.others.push_back(one->name);
  return meant;
}

void announce(const KernelMeant& meant, const std::string& order, Words& words) {
  if (meant.others.empty()) return;
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0604";
  note.span = words.whole();
  note.message = "this is about kernel " + meant.kernel->name;
  std::string list;
  for (const std::string& other : meant.others)
    list += (list.empty() ? "`" : ", `") + words.command() + " " + other + ": " + order + "`";
  note.notes.push_back({{}, "of others with these indices: " + list});
  words.diagnostics().add(std::move(note));
}

// `[KERNEL] [:] [i j k]`; without an order the kernel's own. Empty is reported.
std::optional<Question> read_question(State& state, Words& words) {
  const lang::Program* program = state.program(words.diagnostics());
  std::optional<Name> name;
  // A kernel's name may come first, as long as it is no loop's.
  if (program && words.peek() && program->kernel(words.peek()->text)) {
    const auto variables = program->kernel(words.peek()->text)->variables();
    if (std::ranges::find(variables, words.peek()->text) == variables.end()) name = words.optional_name();
    words.accept(":");
  }
  const std::vector<text::Span> loop_spans = words.spans_of_names();
  std::optional<lang::Order> order;
  if (!words.at_end() && !(order = read_order(words))) return std::nullopt;
  const KernelMeant meant = name || !order ? KernelMeant{state.kernel(name, words.whole(), words.diagnostics())}
                                           : kernel_with(state, *order, words);
  const lang::Kernel* kernel = meant.kernel;
  if (!kernel) return std::nullopt;
  auto orders = KernelOrders::of(state, *kernel, words.diagnostics());
  if (!orders) return std::nullopt;
  Question asked{kernel->name,
                 kernel->loops ? nullptr : state.analysis(*kernel, words.diagnostics()),
                 std::move(*orders),
                 {},
                 false,
                 {},
                 {}};
  asked.at = order ? words.whole() : kernel->schedule.order_span;
  asked.loop_spans = order ? loop_spans : kernel->schedule.loop_spans;
  asked.order = order.value_or(asked.orders.present());
  asked.present = !order;
  if (!same_names(asked.order, *kernel, asked.orders, words)) return std::nullopt;
  if (order) announce(meant, lang::to_string(*order), words);
  return asked;
}

}  // namespace

CommandResult orders(State& state, Words& words) {
  std::optional<Name> name;
  explore::Directions directions = explore::Directions::ascending;
  std::optional<run::Backend> timed;
  while (!words.at_end()) {
    if (words.accept("down")) directions = explore::Directions::both;
    else if (words.accept("time")) timed = timed.value_or(state.options.backend);
    else if (timed && words.accept("jit")) timed = run::Backend::jit;
    else if (timed && words.accept("native")) timed = run::Backend::native;
    else if (!name && words.peek()->kind == lang::syntax::Word::Kind::name) name = words.optional_name();
    else {
      words.unexpected("a kernel, `down` or `time`", {"down", "time"});
      return {};
    }
  }
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  if (!kernel) return {};
  const auto space = KernelOrders::of(state, *kernel, words.diagnostics());
  if (!space) return {};
  OrdersListed listed{kernel->name, explore::orders(space->judge(), space->present(), directions), timed};
  listed.both_ways = space->both_ways();
  listed.present = space->in_force();
  estimate_orders(state, *kernel, listed.table.orders);
  sort_by_estimate(listed.table.orders);
  if (timed && !time_orders(state, *kernel, listed, words)) return {};
  return {std::move(listed)};
}

CommandResult why(State& state, Words& words) {
  const auto asked = read_question(state, words);
  if (!asked) return {};
  WhyAnswered answer{asked->present ? asked->orders.why_present() : asked->orders.why(asked->order), {}};
  if (!answer.why.legal) {
    answer.diagnostic = asked->orders.to_diagnostic(answer.why, asked->at, asked->loop_spans);
    state.offer = {answer.diagnostic.fixes, asked->kernel, asked->analysis ? std::optional(asked->order) : std::nullopt,
                   answer.diagnostic.span};
  }
  return {std::move(answer)};
}

CommandResult core(State& state, Words& words) {
  const auto asked = read_question(state, words);
  if (!asked) return {};
  if (!asked->analysis) {
    refuse_core(asked->kernel, words);
    return {};
  }
  CoreFound found{asked->kernel, asked->order, place::is_legal(*asked->analysis, asked->order), {}, {}};
  if (found.legal) return {std::move(found)};
  found.core = place::core(*asked->analysis, asked->order);
  for (const place::CoreDependence& d : found.core)
    found.reads.push_back({std::string(state.sources.slice(d.read_span)), state.sources.begin(d.read_span).line,
                           state.sources.begin(d.write_span).line});
  return {std::move(found)};
}

CommandResult fix(State& state, Words& words) {
  const auto number = words.integer("the number of a fix");
  if (!number || !words.finish()) return {};
  const auto count = static_cast<std::int64_t>(state.offer.fixes.size());
  if (*number < 1 || *number > count) {
    words.diagnostics().error("E0609", words.whole(),
                              count == 0 ? "no error has offered a fix"
                                         : "the last error offered " + std::to_string(count) +
                                               (count == 1 ? " fix" : " fixes") + ", not " + std::to_string(*number),
                              "");
    return {};
  }
  Content before = state.content();
  text::Diagnostics ignored, left;
  const bool was_right = state.program(ignored) != nullptr;
  const Offer offer = std::exchange(state.offer, {});
  const std::string& command = offer.fixes[static_cast<std::size_t>(*number - 1)].command;
  const int source = state.sources.add("fix", command);
  for (const auto& statement : lang::parse(state.sources, source, words.diagnostics()).statements) {
    if (const auto* c = statement.as<lang::syntax::Command>(); c && c->name.text == "print") {
      Words reading(*c, statement->span, words.diagnostics());
      return print(state, reading);
    }
    state.declarations.mend(offer.kernel, statement, offer.at, state.replaces);
  }
  // What is refused when it is typed is refused here too.
  if (was_right && !state.program(left)) {
    state.restore(std::move(before));
    for (const text::Diagnostic& d : left.all()) words.diagnostics().add(d);
    return {};
  }
  // An order from the command line would win over the one that was just chosen.
  for (const std::string& scope : {offer.kernel, std::string()}) state.options.orders.erase(scope);
  return {Scheduled{command, offer.kernel}};
}

}  // namespace trellis::session
