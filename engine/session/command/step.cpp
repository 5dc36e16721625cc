// step, back, goto, next: an execution of a kernel, forwards and backwards.
#include <algorithm>

#include "engine/session/command/commands.hpp"
#include "engine/session/command/iteration.hpp"
#include "engine/session/replay/account.hpp"
#include "engine/session/replay/look_at.hpp"
#include "engine/session/replay/record.hpp"

namespace trellis::session {
namespace {

/// The execution that the cursor stands in, recorded anew when the session has changed or another kernel or order is
/// asked for.
Position<Recorded>* execution(State& state, const std::optional<lang::syntax::Name>& name, Words& words,
                              const std::optional<lang::Order>& order = {}) {
  Position<Recorded>& position = state.focus.cursor->execution;
  const bool same = position.of && position.version == state.version() &&
                    (!name || name->text == position.of->kernel) && (!order || order == position.of->order);
  if (same) return &position;
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  if (!kernel) return nullptr;
  const Offer offer = state.offer;  // what is refused once more offers nothing else
  auto recorded = record(state, *kernel, most_recorded, words.whole(), words.diagnostics(), order);
  state.offer = offer;
  if (!recorded) return nullptr;
  position = {std::make_shared<const Recorded>(std::move(*recorded)), 0, state.version()};
  return &position;
}

enum class Way { forth, back };

CommandResult here(State& state, const Position<Recorded>& position, std::size_t stride = 1, Way way = Way::forth) {
  look_at(state, position);
  Stepped stepped{"execution", position.of->kernel, position.at, position.of->trace.steps.size(),
                  position.of->trace.complete};
  stepped.execution = position.of;
  const std::string count = stride == 1 ? "" : " " + std::to_string(stride);
  stepped.forth = "step" + count;
  stepped.back = "back" + count;
  stepped.again = way == Way::back ? stepped.back : stepped.forth;
  return {std::move(stepped)};
}

/// `[N]`, 1 without.
std::optional<std::size_t> count_word(Words& words) {
  const auto* word = words.peek();
  if (!word || word->kind == lang::syntax::Word::Kind::name) return 1;
  const text::Span at = words.span();
  const auto number = words.integer("a number of steps");
  if (!number) return std::nullopt;
  if (*number >= 1) return static_cast<std::size_t>(*number);
  words.diagnostics().error("E0601", at, "`" + words.command() + "` takes a number of steps of at least 1", "");
  return std::nullopt;
}

/// Moves to the first step behind the present one that is wanted; E0631 when there is none.
template <class Wanted>
CommandResult search(State& state, Position<Recorded>& position, const std::string& what, Words& words,
                     const Wanted& wanted) {
  const auto& steps = position.of->trace.steps;
  const auto found = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(position.at), steps.end(), wanted);
  if (found == steps.end()) {
    text::Diagnostic& d = words.diagnostics().error("E0631", words.whole(), "no step behind this one " + what, "");
    if (std::any_of(steps.begin(), steps.end(), wanted))
      d.notes.push_back({{}, "an earlier one does: `goto start` goes back to the beginning"});
    else if (!position.of->trace.complete)
      d.notes.push_back(
          {{}, "only the first " + std::to_string(steps.size()) + " steps are kept: choose smaller sizes"});
    return {};
  }
  position.at = static_cast<std::size_t>(found - steps.begin()) + 1;
  return here(state, position);
}

bool is_in(const explore::Trace::Step& step, const loop::LoopValues& iteration) {
  return std::ranges::all_of(iteration,
                             [&](const auto& one) { return std::ranges::find(step.loops, one) != step.loops.end(); });
}

CommandResult next_violation(State& state, Position<Recorded>& position, Words& words) {
  if (position.of->legal) {
    words.diagnostics()
        .error("E0631", words.whole(), "the order is legal: no read comes too early", "")
        .notes.push_back({{}, "`orders` lists illegal ones, which can be stepped through as well"});
    return {};
  }
  return search(state, position, "reads too early", words, [](const explore::Trace::Step& s) {
    return std::ranges::any_of(s.reads, &explore::Trace::Touch::early);
  });
}

/// The step that reads the element of the smallest instance of the order's failure, which `why` names.
std::optional<std::size_t> step_of_instance(State& state, const Recorded& recorded) {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  const lang::Kernel* kernel = program ? program->kernel(recorded.kernel) : nullptr;
  const auto analysis = kernel && !kernel->loops ? state.analysis(*kernel, ignored) : nullptr;
  if (!analysis) return std::nullopt;
  const place::Placement placement = place::place(*analysis, recorded.order);
  const auto* rejected = std::get_if<place::Rejected>(&placement);
  if (!rejected) return std::nullopt;
  return step_of(rejected->failure.instance, recorded.trace);
}

}  // namespace

CommandResult show_instance(State& state, Words& words) {
  auto name = words.optional_name();
  if (!words.finish()) return {};
  std::optional<lang::Order> order;
  if (const Offer& offer = state.offer; offer.illegal && (!name || name->text == offer.kernel)) {
    order = offer.illegal;
    name = lang::syntax::Name{offer.kernel, words.whole()};
  }
  Position<Recorded>* position = execution(state, name, words, order);
  if (!position) return {};
  const auto smallest = step_of_instance(state, *position->of);
  position->at = smallest.value_or(0);
  return smallest ? here(state, *position) : next_violation(state, *position, words);
}

CommandResult step(State& state, Words& words) {
  const auto count = count_word(words);
  if (!count) return {};
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  Position<Recorded>* position = execution(state, name, words);
  if (!position) return {};
  const std::size_t last = position->of->trace.steps.size();
  if (position->at == last && last > 0) {
    words.diagnostics()
        .error("E0631", words.whole(), "the execution has no step behind this one", "")
        .notes.push_back({{}, "`back` and `goto start` go back"});
    return {};
  }
  position->at = std::min(position->at + *count, last);
  return here(state, *position, *count);
}

CommandResult back(State& state, Words& words) {
  const auto count = count_word(words);
  if (!count || !words.finish()) return {};
  Position<Recorded>* position = execution(state, std::nullopt, words);
  if (!position) return {};
  if (position->at == 0) {
    words.diagnostics()
        .error("E0631", words.whole(), "nothing has been done yet: there is no step to take back", "")
        .notes.push_back({{}, "`step` goes on"});
    return {};
  }
  position->at -= std::min(*count, position->at);
  return here(state, *position, *count, Way::back);
}

CommandResult goto_(State& state, Words& words) {
  if (words.at_end()) {
    words.unexpected("a step's number, `start`, `end` or an iteration such as `i=1,j=0`", {"start", "end"});
    return {};
  }
  const text::Span at = words.span();
  std::string written;
  std::optional<lang::syntax::Name> name;
  if (words.peek()->kind == lang::syntax::Word::Kind::number && words.accept(words.peek()->text)) {
    written = words.previous();
    name = words.optional_name();
    if (!words.finish()) return {};
  } else {
    written = words.rest();
    std::erase(written, ' ');
  }
  Position<Recorded>* position = execution(state, name, words);
  if (!position) return {};
  const std::size_t last = position->of->trace.steps.size();
  if (written == "start" || written == "end") {
    position->at = written == "start" ? 0 : last;
    return here(state, *position);
  }
  if (std::ranges::all_of(written, [](char c) { return c >= '0' && c <= '9'; }) && written.size() < 10) {
    const auto wanted = static_cast<std::size_t>(std::stoul(written));
    if (wanted > last) {
      words.diagnostics().error("E0631", at, "there are " + std::to_string(last) + " steps, not " + written, "");
      return {};
    }
    position->at = wanted;
    return here(state, *position);
  }
  const loop::LoopValues iteration = read_iteration(written);
  if (iteration.empty()) {
    words.diagnostics().error(
        "E0601", at, "`" + written + "` is no step: write a number, `start`, `end` or an iteration such as `i=1,j=0`",
        "");
    return {};
  }
  const auto inside = [&](const explore::Trace::Step& s) { return is_in(s, iteration); };
  // Behind the present step, else from the beginning.
  const auto& steps = position->of->trace.steps;
  if (std::none_of(steps.begin() + static_cast<std::ptrdiff_t>(position->at), steps.end(), inside)) position->at = 0;
  return search(state, *position, "runs in the iteration " + written, words, inside);
}

CommandResult next(State& state, Words& words) {
  if (words.accept("violation")) {
    if (!words.finish()) return {};
    Position<Recorded>* position = execution(state, std::nullopt, words);
    return position ? next_violation(state, *position, words) : CommandResult{};
  }
  if (words.accept("write")) {
    const lang::TensorInfo* info = tensor_word(state, words);
    if (!info || !words.finish()) return {};
    Position<Recorded>* position = execution(state, std::nullopt, words);
    if (!position) return {};
    return search(state, *position, "writes " + info->name, words,
                  [&](const explore::Trace::Step& s) { return s.write && s.write->tensor == info->name; });
  }
  words.unexpected("`violation` or `write`", {"violation", "write"});
  return {};
}

}  // namespace trellis::session
