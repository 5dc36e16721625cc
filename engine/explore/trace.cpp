#include "engine/explore/trace.hpp"

#include <algorithm>

namespace trellis::explore {
namespace {

class Recorder : public loop::Observer {
 public:
  explicit Recorder(std::size_t most) : most_(most) {}

  Go begin(const loop::Moment& moment) override {
    if (moment.statement.as<loop::Assign>()) return open(moment);
    return Go::on;
  }
  void read(const loop::Moment& moment, const loop::Element& element, const format::Value& value) override {
    if (!inside(moment)) return;
    Trace::Step& step = trace.steps.back();
    const Trace::Touch touch = touched(element, value);
    const bool known = std::ranges::any_of(
        step.reads, [&](const Trace::Touch& t) { return t.tensor == touch.tensor && t.index == touch.index; });
    if (!known) step.reads.push_back(touch);
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
    if (trace.steps.size() == most_) {
      full = true;
      return Go::stop;
    }
    Trace::Step step;
    step.statement = moment.statement.id();
    step.loops = moment.loops;
    trace.steps.push_back(std::move(step));
    return Go::on;
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
};

using Element = std::pair<std::string, tensor::Index>;

/// Marks reads of what a later step writes, other than by updating it.
void mark_incomplete(std::vector<Trace::Step>& steps) {
  std::set<Element> later;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!step->starts.empty()) std::erase_if(later, [&](const Element& e) { return e.first == step->starts; });
    for (Trace::Touch& read : step->reads) {
      const bool own = step->write && step->write->tensor == read.tensor && step->write->index == read.index;
      if (!own && later.contains({read.tensor, read.index})) read.early = true;
    }
    if (step->write) later.insert({step->write->tensor, step->write->index});
  }
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
  Recorder recorder(most);
  loop::Options options;
  options.poisoned = poisoned;
  options.undefined = loop::Options::Undefined::allow;
  loop::Execution execution = loop::interpret(nest, bindings, options, &recorder);
  recorder.trace.complete = execution.end == loop::Execution::End::finished;
  if (!poisoned.empty()) mark_incomplete(recorder.trace.steps);
  recorder.trace.fault = std::move(execution.fault);
  return std::move(recorder.trace);
}

}  // namespace trellis::explore
