// The same for control flow: what it does to elements, one statement after another, with the places where they are
// stored.

#include <algorithm>

#include "engine/explore/elements.hpp"
#include "engine/explore/trace.hpp"

namespace trellis::explore {
namespace {

using flow::Moment;

class FlowRecorder : public flow::Observer {
 public:
  FlowRecorder(const flow::Flow& flow, const flow::Bindings& bindings, std::size_t most)
      : flow_(flow), elements_(bindings), most_(most) {}
  Trace trace;

  Go begin(const Moment& m) override {
    if (m.statement.as<flow::Assign>() || m.statement.as<flow::Append>()) open(m);
    return full_ ? Go::stop : Go::on;
  }
  void read(const Moment& m, const flow::Element& element, const format::Value& value) override {
    if (!inside(m)) return;
    const Trace::Touch touch = touched(element, value);
    auto& reads = trace.steps.back().reads;
    const auto same = [&](const Trace::Touch& t) { return t.tensor == touch.tensor && t.index == touch.index; };
    if (std::ranges::none_of(reads, same)) reads.push_back(touch);
  }
  void write(const Moment& m, const flow::Element& element, const format::Value&, const format::Value& after) override {
    if (inside(m)) trace.steps.back().write = touched(element, after);
  }
  void appends(const Moment& m, const flow::Element& element, const format::Value& value) override {
    if (inside(m)) trace.steps.back().write = touched(element, value);
  }
  void inserts(const Moment& m, const flow::Insert& i, const flow::Trail& trail, bool fresh) override {
    const flow::Tensor& tensor = *flow_.tensor(i.tensor);
    if (!fresh || trail.size() != tensor.levels.size() || !open(m)) return;
    trace.steps.back().write = touched({tensor, trail, trail.back().position}, tensor.fill);
  }
  void declares(const Moment& m, const flow::Tensor& tensor) override { start(m, tensor.name, std::nullopt); }
  void resets(const Moment& m, const flow::Tensor& tensor, const format::Value& value) override {
    start(m, tensor.name, value);
  }
  void freezes(const Moment& m, const flow::Tensor& tensor) override {
    if (tensor.storage == flow::Tensor::Storage::result && open(m)) trace.steps.back().ends = tensor.name;
  }
  // Another kind of fault, of which only the words are shown.
  void fails(const Moment& m, const flow::Fault& fault) override {
    loop::Fault told{loop::FaultKind::index_out_of_range,
                     fault.span,
                     fault.message,
                     m.statement ? m.statement.id() : -1,
                     m.loops,
                     "",
                     {}};
    trace.fault = std::move(told);
  }

 private:
  /// What functions of the user do has no number.
  bool open(const Moment& m) {
    if (m.statement.id() < 0) return false;
    full_ = full_ || trace.steps.size() == most_;
    if (full_) return false;
    Trace::Step step;
    step.statement = m.statement.id();
    step.loops = m.loops;
    trace.steps.push_back(std::move(step));
    return true;
  }
  void start(const Moment& m, const std::string& tensor, const std::optional<format::Value>& filled) {
    if (!open(m)) return;
    trace.steps.back().starts = tensor;
    trace.steps.back().filled = filled;
  }
  bool inside(const Moment& m) const {
    return !full_ && !trace.steps.empty() && trace.steps.back().statement == m.statement.id();
  }
  Trace::Touch touched(const flow::Element& element, const format::Value& value) const {
    std::vector<std::int64_t> coordinates;
    for (const flow::Entry& entry : element.trail) coordinates.push_back(entry.coordinate);
    Trace::Touch touch{element.tensor.name, elements_.at(element.tensor, coordinates), value, false};
    if (!element.through.empty()) touch.last = elements_.at(element.tensor, element.through);
    return touch;
  }

  const flow::Flow& flow_;
  const Elements elements_;
  const std::size_t most_;
  bool full_ = false;
};

}  // namespace

Trace trace(const flow::Flow& flow, const flow::Bindings& bindings, std::size_t most) {
  FlowRecorder recorder(flow, bindings, most);
  const flow::Execution execution = flow::interpret(flow, bindings, {}, &recorder);
  recorder.trace.complete = execution.end == flow::Execution::End::finished;
  return std::move(recorder.trace);
}

}  // namespace trellis::explore
