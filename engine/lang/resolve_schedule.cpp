// Schedule commands: loop orders and parallel loops, by kernel.

#include "engine/lang/resolve.hpp"
#include "engine/lang/resolve_walk.hpp"

namespace trellis::lang::resolving {

namespace {

class ScheduleReader {
 public:
  ScheduleReader(Resolution& resolution, Kernel& kernel, bool complete)
      : resolution_(resolution), kernel_(kernel), complete_(complete), variables_(kernel.variables()) {}

  void read(const syntax::Command& command) {
    if (command.name.text == "order") read_order(command);
    else read_parallel(command);
  }

 private:
  void read_order(const syntax::Command& command) {
    Order order;
    std::vector<text::Span> loop_spans;
    text::Span span = command.name.span;
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const syntax::Word& word = command.words[i];
      span = text::cover(span, word.span);
      if (word.kind == syntax::Word::Kind::symbol && word.text == ",") continue;
      if (word.kind == syntax::Word::Kind::symbol && word.text == "-" && word.joined && !order.empty() && !order.back().descending) {
        order.back().descending = true;
        continue;
      }
      if (!is_loop(word)) return;
      for (const LoopName& loop : order)
        if (loop.name == word.text) {
          resolution_.error("E0321", word.span, word.text + " stands twice in this order");
          return;
        }
      order.push_back({word.text, false});
      loop_spans.push_back(word.span);
    }
    if (order.empty()) {
      resolution_.error("E0322", span, "order names no loop", "as in order i j");
      return;
    }
    kernel_.schedule.order = std::move(order);
    kernel_.schedule.order_span = span;
    kernel_.schedule.loop_spans = std::move(loop_spans);
  }

  void read_parallel(const syntax::Command& command) {
    if (command.words.empty()) resolution_.error("E0322", command.name.span, "parallel names no loop", "as in parallel i");
    for (const syntax::Word& word : command.words) {
      if (word.kind == syntax::Word::Kind::symbol && word.text == ",") continue;
      if (!is_loop(word)) return;
      kernel_.schedule.steps.push_back({ScheduleStep::Kind::parallel, {word.text}, {}, {}, word.span, {word.span}});
    }
  }

  bool is_loop(const syntax::Word& word) {
    const bool name = word.kind == syntax::Word::Kind::name;
    if (name && (contains(variables_, word.text) || !complete_)) return true;
    auto& diagnostic = resolution_.error("E0320", word.span, name ? "no index is called " + word.text : "a loop's name is needed, not " + word.text);
    std::string list;
    for (const std::string& v : variables_) list += " " + v;
    const std::string close = name ? text::did_you_mean(word.text, variables_) : "";
    if (!close.empty()) diagnostic.notes.push_back({{}, "did you mean " + close + "?"});
    else if (!list.empty()) diagnostic.notes.push_back({{}, "indices of " + kernel_.name + ":" + list});
    return false;
  }

  Resolution& resolution_;
  Kernel& kernel_;
  bool complete_;  ///< every equation resolved, so that all variables are known
  std::vector<std::string> variables_;
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
  if (kernels.empty()) {
    if (!resolution.diagnostics.has_errors())
      resolution.error("E0322", resolution.loose_schedule.front()->name.span, "there is no equation to schedule yet");
    return;
  }
  std::size_t target = kernels.size() - 1;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].name == "main") target = i;
  ScheduleReader reader(resolution, kernels[target], complete(target));
  for (const syntax::Command* command : resolution.loose_schedule) reader.read(*command);
}

}  // namespace trellis::lang::resolving
