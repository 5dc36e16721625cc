// Schedule commands: loop orders and the steps behind them, by kernel.

#include <algorithm>
#include <charconv>

#include "engine/lang/resolve/distributions.hpp"
#include "engine/lang/resolve/order_command.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/usage.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/schedule_commands.hpp"

namespace trellis::lang::resolving {

namespace {

/// A command that is a step.
struct StepForm : ScheduleCommand::Step {
  std::string_view name;
};
std::optional<StepForm> form_of(std::string_view name) {
  const ScheduleCommand* command = schedule_command(name);
  return command && command->step ? std::optional(StepForm{*command->step, name}) : std::nullopt;
}

class ScheduleReader {
 public:
  ScheduleReader(Resolution& resolution, Kernel& kernel, bool complete)
      : resolution_(resolution), kernel_(kernel), complete_(complete), variables_(kernel.variables()) {}

  void read(const syntax::Command& command) {
    if (read_storage_command(resolution_, kernel_, complete_, command)) return;
    if (command.name.text == "order") read_order(command);
    else if (command.name.text == "inplace") read_inplace(command);
    else if (command.name.text == "distribute") read_distribute(command);
    else if (command.name.text == "pipeline") read_pipeline(command);
    else if (command.name.text == "wavefront") read_wavefront(command);
    else if (command.name.text == "plan") kernel_.schedule.planned = command.words[0].text == "on";
    else if (const auto form = form_of(command.name.text)) read_step(command, *form);
  }

 private:
  /// `order auto` takes back what was asked for before: the compiler chooses again.
  bool takes_back(const syntax::Command& command) {
    if (command.words.size() != 1 || command.words[0].text != "auto" || contains(variables_, "auto")) return false;
    kernel_.schedule.order.reset();
    kernel_.schedule.order_span = {};
    kernel_.schedule.loop_spans.clear();
    return true;
  }

  void read_order(const syntax::Command& command) {
    if (takes_back(command)) return;
    auto written = order_of(resolution_, command, [&](const syntax::Word& word) { return is_loop(word); });
    if (!written) return;
    for (const LoopName& loop : written->order) add_once(variables_, loop_variable(loop.name));
    kernel_.schedule.order = std::move(written->order);
    kernel_.schedule.order_span = written->span;
    kernel_.schedule.loop_spans = std::move(written->loop_spans);
  }

  void read_inplace(const syntax::Command& command) {
    if (command.words.empty())
      resolution_.error("E0322", command.name.span, "inplace names no tensor", "as in inplace D");
    for (const syntax::Word& word : command.words) {
      if (word.kind == syntax::Word::Kind::symbol && word.text == ",") continue;
      if (has_steps(word.text)) kernel_.schedule.inplace.push_back({word.text, word.span});
      else if (complete_)
        resolution_.error("E0347", word.span, word.text + " has no timesteps in " + kernel_.name,
                          "there is nothing to share");
    }
  }

  void read_distribute(const syntax::Command& command) {
    const auto distribution = distribution_of(resolution_, command, largest_factor);
    if (distribution && is_loop(command.words[0])) add_distribution(resolution_, kernel_, *distribution);
  }

  void read_pipeline(const syntax::Command& command) {
    const auto pipeline = pipeline_of(resolution_, command, largest_factor);
    if (pipeline && is_loop(command.words[0])) add_pipeline(resolution_, kernel_, *pipeline);
  }

  // The words of a step in turn, commas left out.
  struct StepWords {
    const syntax::Command& command;
    std::size_t next = 0;
    const syntax::Word* peek() {
      while (next < command.words.size() && command.words[next].kind == syntax::Word::Kind::symbol &&
             command.words[next].text == ",")
        ++next;
      return next < command.words.size() ? &command.words[next] : nullptr;
    }
    bool at_name() { return peek() && peek()->kind == syntax::Word::Kind::name; }
  };

  bool has_steps(const std::string& tensor) const {
    return std::ranges::find(kernel_.timesteps, tensor, &Timesteps::tensor) != kernel_.timesteps.end();
  }

  /// `wavefront t j` or `wavefront t j 2`: both are indices of the kernel.
  void read_wavefront(const syntax::Command& command) {
    StepWords words{command};
    const StepForm form{{ScheduleStep::Kind::skew, 2, 2, 1, "wavefront t j"}, "wavefront"};
    ScheduleStep step{form.kind, {}, {}, {}, whole_of(command), {}};
    if (read_loops(form, words, step) && read_factors(form, words, step) && ends(form, words))
      kernel_.schedule.wavefronts.push_back({step.loops[0], step.loops[1], step.factors[0], step.span});
  }

  /// `narrow H E i16`
  bool read_narrow(const StepForm& form, StepWords& words, ScheduleStep& step) {
    while (words.at_name() && words.next + 1 < words.command.words.size()) {  // the last word is the type
      const syntax::Word& word = *words.peek();
      ++words.next;
      if (!may_be_narrow(resolution_, kernel_, complete_, word)) return false;
      add_once(step.tensors, word.text);
    }
    if (step.tensors.empty() || !words.at_name() || words.peek()->text != "i16") return usage(form, words);
    ++words.next;
    step.factors = {16};
    return true;
  }

  void read_step(const syntax::Command& command, const StepForm& form) {
    StepWords words{command};
    ScheduleStep step{form.kind, {}, {}, {}, whole_of(command), {}};
    const bool fine = (form.kind != ScheduleStep::Kind::narrow || read_narrow(form, words, step)) &&
                      read_tensor(form, words, step) && read_loops(form, words, step) && read_into(form, words, step) &&
                      read_factors(form, words, step) && ends(form, words);
    if (!fine) return;
    if (form.kind == ScheduleStep::Kind::parallel && step.tensor.empty()) {
      for (std::size_t k = 0; k < step.loops.size(); ++k)
        kernel_.schedule.steps.push_back(
            {form.kind, {step.loops[k]}, {}, {}, step.loop_spans[k], {step.loop_spans[k]}});
      return;
    }
    remember(step);
    kernel_.schedule.steps.push_back(std::move(step));
  }

  /// `lead` and `pack` name a tensor of the kernel.
  bool read_tensor(const StepForm& form, StepWords& words, ScheduleStep& step) {
    const bool parallel = form.kind == ScheduleStep::Kind::parallel;
    const bool lead = form.kind == ScheduleStep::Kind::lead;
    if (!lead && form.kind != ScheduleStep::Kind::pack && !(parallel && is_operand(words))) return true;
    if (!words.at_name()) return usage(form, words);
    const syntax::Word& word = *words.peek();
    ++words.next;
    if (!resolution_.tensor(word.text)) {
      if (!resolution_.poisoned.contains(word.text)) report_no_tensor(resolution_, {word.text, word.span});
      return false;
    }
    step.tensor = word.text;
    if (parallel && !contains(kernel_.operands(), word.text)) {
      resolution_.error("E0150", word.span, word.text + " is no operand of " + kernel_.name,
                        "`parallel` deals out the entries of what a kernel reads, or the iterations of a loop");
      return false;
    }
    led_ |= lead;
    return true;
  }

  /// `parallel A`, of a tensor that no loop is called like.
  bool is_operand(StepWords& words) {
    return words.at_name() && !contains(variables_, words.peek()->text) && resolution_.tensor(words.peek()->text);
  }

  bool read_loops(const StepForm& form, StepWords& words, ScheduleStep& step) {
    if (!step.tensor.empty()) return true;
    while (words.at_name() && words.peek()->text != "into" && step.loops.size() < form.most) {
      if (!is_loop(*words.peek())) return false;
      const auto loop = loop_at(resolution_, words.command.words, words.next);
      if (!loop) return false;
      const std::string name = loop_variable(loop->name.name);
      if (contains(step.loops, name)) {
        resolution_.error("E0321", loop->span, name + " stands twice in this " + std::string(form.name));
        return false;
      }
      step.loops.push_back(name);
      step.loop_spans.push_back(loop->span);
    }
    return step.loops.size() >= form.least || usage(form, words);
  }

  // Names of the loops that a split makes: as written, or the loop's own with `_o` and `_i`.
  bool read_into(const StepForm& form, StepWords& words, ScheduleStep& step) {
    const bool tiles = form.kind == ScheduleStep::Kind::tile;
    if (form.kind != ScheduleStep::Kind::split && !tiles) return true;
    if (!tiles && words.at_name() && words.peek()->text == "into") {
      ++words.next;
      for (int k = 0; k < 2; ++k) {
        if (!words.at_name()) return usage(form, words);
        if (!is_new(*words.peek(), step)) return false;
        step.into.push_back(words.peek()->text);
        ++words.next;
      }
      return true;
    }
    for (const char* suffix : {"_o", "_i"})
      for (const std::string& loop : step.loops) step.into.push_back(unused(loop + suffix));
    return true;
  }

  bool read_factors(const StepForm& form, StepWords& words, ScheduleStep& step) {
    if (form.kind == ScheduleStep::Kind::narrow) return true;
    const std::size_t wanted = form.kind == ScheduleStep::Kind::tile ? step.loops.size() : form.factors;
    const bool skews = form.kind == ScheduleStep::Kind::skew;
    while (step.factors.size() < wanted && words.peek()) {
      const bool negative = skews && words.peek()->text == "-" && words.next + 1 < words.command.words.size();
      words.next += negative;
      const syntax::Word& word = *words.peek();
      if (word.kind != syntax::Word::Kind::number) return usage(form, words);
      std::int64_t factor = 0;
      const auto [end, problem] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), factor);
      if (problem != std::errc() || end != word.text.data() + word.text.size() || factor < 1 ||
          factor > largest_factor) {
        resolution_.error("E0324", word.span,
                          std::string(form.name) + " takes a factor from 1 to " + std::to_string(largest_factor) +
                              ", not " + word.text);
        return false;
      }
      if (form.kind == ScheduleStep::Kind::vectorize && !is_lanes(factor)) {
        resolution_.error("E0324", word.span, lanes_wanted(factor));
        return false;
      }
      if (form.kind == ScheduleStep::Kind::jam && !is_jam(factor)) {
        resolution_.error("E0324", word.span, jam_wanted(factor));
        return false;
      }
      step.factors.push_back(negative ? -factor : factor);
      ++words.next;
    }
    if (skews && step.factors.empty()) step.factors = {1};
    if (form.kind == ScheduleStep::Kind::vectorize && step.factors.empty()) return true;
    return step.factors.size() == wanted || usage(form, words);
  }

  bool ends(const StepForm& form, StepWords& words) { return !words.peek() || usage(form, words); }

  bool usage(const StepForm& form, StepWords& words) {
    report_usage(resolution_, words.command, words.peek(), "as in `" + std::string(form.example) + "`");
    return false;
  }

  // Later steps see the loops as this one leaves them.
  void remember(const ScheduleStep& step) {
    if (step.into.empty()) return;
    for (const std::string& loop : step.loops) std::erase(variables_, loop), gone_.push_back(loop);
    variables_.insert(variables_.end(), step.into.begin(), step.into.end());
  }

  bool is_taken(const std::string& name) const {
    return contains(variables_, name) || contains(gone_, name) || resolution_.program.parameter(name) ||
           resolution_.program.tensor(name);
  }

  std::string unused(const std::string& name) const {
    std::string free = name;
    for (int k = 2; is_taken(free); ++k) free = name + std::to_string(k);
    return free;
  }

  bool is_new(const syntax::Word& word, const ScheduleStep& step) {
    if (!is_taken(word.text) && !contains(step.into, word.text)) return true;
    resolution_.error("E0325", word.span, word.text + " is in use already")
        .notes.push_back({{}, "a loop that split makes needs a name of its own"});
    return false;
  }

  bool is_loop(const syntax::Word& word) {
    const bool name = word.kind == syntax::Word::Kind::name;
    if (name && (contains(variables_, word.text) || !complete_ || led_)) return true;
    auto& diagnostic = resolution_.error(
        "E0320", word.span, name ? "no index is called " + word.text : "a loop's name is needed, not " + word.text);
    std::string list;
    for (const std::string& v : variables_) list += " " + v;
    const std::string close = name ? text::did_you_mean(word.text, variables_) : "";
    if (!close.empty()) diagnostic.notes.push_back({{}, "did you mean " + close + "?"});
    else if (!list.empty()) diagnostic.notes.push_back({{}, "indices of " + kernel_.name + ":" + list});
    return false;
  }

  Resolution& resolution_;
  Kernel& kernel_;
  bool complete_;                       ///< every equation resolved, so that all variables are known
  std::vector<std::string> variables_;  ///< loops as they stand after the steps so far
  bool led_ = false;                    ///< by an operand, whose loops have names of their own
  std::vector<std::string> gone_;       ///< loops that steps took apart
};

}  // namespace

void resolve_schedules(Resolution& resolution) {
  std::vector<Kernel>& kernels = resolution.program.kernels;
  auto complete = [&](std::size_t i) { return kernels[i].equations.size() == resolution.kernels[i].equations.size(); };
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    ScheduleReader reader(resolution, kernels[i], complete(i));
    for (const syntax::Command* command : resolution.kernels[i].schedule) reader.read(*command);
  }
  if (resolution.loose_schedule.empty()) return;
  const std::size_t written = kernels.size() - (resolution.value ? 1 : 0);
  if (written == 0) {
    if (!resolution.diagnostics.has_errors())
      resolution.error("E0322", resolution.loose_schedule.front()->name.span, "there is no equation to schedule yet");
    return;
  }
  std::size_t target = written - 1;
  for (std::size_t i = 0; i < written; ++i)
    if (kernels[i].name == "main") target = i;
  ScheduleReader reader(resolution, kernels[target], complete(target));
  for (const syntax::Command* command : resolution.loose_schedule) reader.read(*command);
}

}  // namespace trellis::lang::resolving
