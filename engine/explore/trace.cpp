#include "engine/explore/trace.hpp"

#include <algorithm>

#include "engine/explore/premises.hpp"

namespace trellis::explore {
namespace {

class Recorder : public loop::Observer {
 public:
  Recorder(std::size_t most, std::optional<Premises> premises) : most_(most), premises_(std::move(premises)) {}

  Go begin(const loop::Moment& moment) override {
    if (moment.statement.as<loop::Assign>()) return open(moment);
    if (!premises_) return Go::on;
    if (const auto* loop = moment.statement.as<loop::For>()) {
      const bool iterates = !moment.loops.empty() && moment.loops.back().first == loop->variable;
      if (!iterates) premises_->begin_loop(moment);
    } else if (premises_->is_one(moment.statement)) {
      if (trace.premises.size() == most_) return stop();
      trace.premises.push_back(premises_->begin(moment, trace.steps.size(), trace.premises.size()));
      hears_ = moment.statement.id();
    }
    return Go::on;
  }
  void until(const loop::Moment& moment) override {
    hears_ = -1;
    if (full || !premises_ || trace.premises.size() == most_) return;
    trace.premises.push_back(premises_->until(moment, trace.steps.size(), trace.premises.size()));
    hears_ = moment.statement.id();
  }
  void read(const loop::Moment& moment, const loop::Element& element, const format::Value& value) override {
    std::vector<Trace::Touch>* reads = nullptr;
    if (inside(moment)) reads = &trace.steps.back().reads;
    else if (!full && hears_ == moment.statement.id()) reads = &trace.premises.back().reads;
    if (!reads) return;
    const Trace::Touch touch = touched(element, value);
    const bool known = std::ranges::any_of(
        *reads, [&](const Trace::Touch& t) { return t.tensor == touch.tensor && t.index == touch.index; });
    if (!known) reads->push_back(touch);
  }
  void write(const loop::Moment& moment, const loop::Element& element, const format::Value&,
             const format::Value& after) override {
    if (inside(moment)) trace.steps.back().write = touched(element, after);
  }
  void reset(const loop::Moment& moment, const std::string& tensor, const format::Value& value) override {
    start(moment, tensor, value);
  }
  void declare(const loop::Moment& moment, const std::string& tensor) override { start(moment, tensor, std::nullopt); }

  Trace trace;
  bool full = false;

 private:
  Go open(const loop::Moment& moment) {
    if (trace.steps.size() == most_) return stop();
    Trace::Step step;
    step.statement = moment.statement.id();
    step.loops = moment.loops;
    if (premises_) step.premises = premises_->around(step.statement);
    trace.steps.push_back(std::move(step));
    return Go::on;
  }
  Go stop() {
    full = true;
    return Go::stop;
  }
  void start(const loop::Moment& moment, const std::string& tensor, const std::optional<format::Value>& filled) {
    if (full || open(moment) == Go::stop) return;
    trace.steps.back().starts = tensor;
    trace.steps.back().filled = filled;
  }
  bool inside(const loop::Moment& moment) const {
    return !full && !trace.steps.empty() && trace.steps.back().statement == moment.statement.id();
  }
  static Trace::Touch touched(const loop::Element& element, const format::Value& value) {
    return {element.tensor, tensor::Index(element.index.begin(), element.index.end()), value, !element.defined};
  }
  std::size_t most_;
  std::optional<Premises> premises_;
  int hears_ = -1;  ///< the statement whose reads are those of the newest premise; -1: none is
};

using Element = std::pair<std::string, tensor::Index>;

bool touches(const Trace::Touch& a, const Trace::Touch& b) { return a.tensor == b.tensor && a.index == b.index; }

/// Marks reads of what a later step writes, other than by updating it.
void mark_incomplete(Trace& trace) {
  std::set<Element> later;
  auto premise = trace.premises.rbegin();
  const auto mark_premises = [&](std::size_t from_step) {
    for (; premise != trace.premises.rend() && premise->step >= from_step; ++premise)
      for (Trace::Touch& read : premise->reads) {
        const bool own =
            std::ranges::any_of(premise->targets, [&](const Trace::Touch& target) { return touches(target, read); });
        if (!own && later.contains({read.tensor, read.index})) read.early = true;
      }
  };
  for (std::size_t k = trace.steps.size(); k-- > 0;) {
    mark_premises(k + 1);
    Trace::Step& step = trace.steps[k];
    if (!step.starts.empty()) std::erase_if(later, [&](const Element& e) { return e.first == step.starts; });
    for (Trace::Touch& read : step.reads)
      if (!(step.write && touches(*step.write, read)) && later.contains({read.tensor, read.index})) read.early = true;
    if (step.write) later.insert({step.write->tensor, step.write->index});
  }
  mark_premises(0);
}

}  // namespace

bool Trace::Touch::covers(const tensor::Index& element) const {
  if (element.size() != index.size()) return false;
  const tensor::Index& end = last.empty() ? index : last;
  for (std::size_t d = 0; d < index.size(); ++d)
    if (element[d] < index[d] || element[d] > end[d]) return false;
  return true;
}

void Trace::Touch::each_element(const std::function<void(const tensor::Index&)>& visit) const {
  tensor::Index element = index;
  visit(element);
  for (std::size_t d = 0; d < last.size(); ++d)  // only that of the run differs
    while (element[d] < last[d]) {
      ++element[d];
      visit(element);
    }
}

Trace trace(const loop::Stmt& nest, const loop::Bindings& bindings, const std::set<std::string>& poisoned,
            std::size_t most) {
  Recorder recorder(most, poisoned.empty() ? std::nullopt : std::optional<Premises>(std::in_place, nest, bindings));
  loop::Options options;
  options.poisoned = poisoned;
  options.undefined = loop::Options::Undefined::allow;
  loop::Execution execution = loop::interpret(nest, bindings, options, &recorder);
  recorder.trace.complete = execution.end == loop::Execution::End::finished;
  if (!poisoned.empty()) mark_incomplete(recorder.trace);
  recorder.trace.fault = std::move(execution.fault);
  return std::move(recorder.trace);
}

}  // namespace trellis::explore
