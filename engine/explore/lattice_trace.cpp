#include "engine/explore/lattice_trace.hpp"

#include <algorithm>
#include <map>

#include "engine/explore/elements.hpp"

namespace trellis::explore {
namespace {

using coiterate::Lattice;
using flow::Coiterate;
using flow::Moment;
using flow::Standing;
using Kind = LatticeStep::Touch::Kind;

constexpr std::size_t most_touches = 12;
/// Of the interpreter: what walks nothing for so long may have no end.
constexpr std::int64_t most_followed = 5'000'000;

/// The lattice of a loop: its points are the coiteration's, its operands that lead and then those that follow the
/// cursors.
const Lattice* lattice_of(const Compilation& compilation, const flow::Stmt& s, const Coiterate& loop, int& number) {
  for (const text::NodeId& node : s.origin())
    if (node.stage == text::Stage::algebra) {
      number = node.id;
      const Lattice& lattice = compilation.lattices[static_cast<std::size_t>(node.id)];
      return lattice.points.size() == loop.points.size() ? &lattice : nullptr;
    }
  return nullptr;
}

class LatticeRecorder : public flow::Observer {
 public:
  LatticeRecorder(const Compilation& compilation, const flow::Bindings& bindings, std::size_t most)
      : compilation_(compilation), elements_(bindings), most_(most) {}
  LatticeTrace trace;

  Go begin(const Moment& m) override {
    const auto* l = m.statement.as<flow::Loop>();
    const auto* number = l && l->among ? l->among->coordinate.as<flow::Name>() : nullptr;
    if (number && !m.loops.empty())
      if (const auto coordinate = value_of(m, number->name)) waited_[l->variable] = *coordinate;
    return trace.complete ? Go::on : Go::stop;
  }
  void enters(const Moment& m, const Coiterate& c, int point, const std::vector<Standing>& standings) override {
    if (open_.empty() || open_.back().loop != &c) open(m.statement, c);
    Open& loop = open_.back();
    if (loop.lattice) run_out(m, loop, point, standings);
    if (point < 0) open_.pop_back();
  }
  void at(const Moment& m, const Coiterate&, std::int64_t coordinate, const std::vector<Standing>& standings) override {
    const Open& loop = open_.back();
    if (!loop.lattice) return;
    LatticeStep step = made(m, loop, loop.point, standings);
    step.coordinate = coordinate;
    const auto here = [&](int operand) {
      const auto found = std::ranges::find(step.cursors, operand, &LatticeStep::Cursor::operand);
      return found != step.cursors.end() && found->here;
    };
    const std::vector<Said>& all = outcomes_of(loop);
    const auto found = std::ranges::find_if(all, [&](const Said& one) {
      return std::ranges::all_of(one.outcome.present, here) && std::ranges::none_of(one.outcome.absent, here);
    });
    if (found != all.end()) {
      step.does = found->text;
      step.which = static_cast<int>(found - all.begin());
    }
    add(std::move(step));
  }
  void fails(const Moment&, const flow::Fault& fault) override { trace.fault = fault; }

  void locates(const Moment& m, const flow::Locate& l, const flow::Entry& e) override {
    const flow::Tensor& tensor = *compilation_.flow.tensor(l.tensor);
    const bool last = l.level + 1 == static_cast<int>(tensor.levels.size());
    if (last && tensor.levels.size() == 1) touch(m, Kind::finds, tensor, {e.coordinate}, e.position, {});
    if (l.march.empty() || tensor.levels.size() != 2) return;
    const auto* above = l.parent.as<flow::Direct>();
    const auto* fiber = above ? above->coordinate.as<flow::Name>() : nullptr;
    if (const auto number = fiber ? value_of(m, fiber->name) : std::nullopt) march(m, l, tensor, *number, e);
  }
  void read(const Moment& m, const flow::Element& e, const format::Value& value) override {
    touch(m, Kind::reads, e, value);
  }
  void write(const Moment& m, const flow::Element& e, const format::Value&, const format::Value& after) override {
    touch(m, Kind::writes, e, after);
  }
  void inserts(const Moment& m, const flow::Insert& i, const flow::Trail& trail, bool fresh) override {
    const flow::Tensor& tensor = *compilation_.flow.tensor(i.tensor);
    if (fresh && trail.size() == tensor.levels.size())
      touch(m, Kind::inserts, {tensor, trail, trail.back().position}, std::nullopt);
  }
  void appends(const Moment& m, const flow::Element& e, const format::Value& value) override {
    touch(m, Kind::appends, e, value);
  }

 private:
  struct Open {
    const Coiterate* loop = nullptr;
    const Lattice* lattice = nullptr;
    int number = 0, point = 0;
  };
  static std::optional<std::int64_t> value_of(const Moment& m, const std::string& loop) {
    const auto found = std::ranges::find(m.loops, loop, &std::pair<std::string, std::int64_t>::first);
    return found == m.loops.end() ? std::nullopt : std::optional(found->second);
  }

  /// The pointer of a fiber moves on to an entry, from the one that it found last.
  void march(const Moment& m, const flow::Locate& l, const flow::Tensor& tensor, std::int64_t fiber,
             const flow::Entry& e) {
    const std::size_t before = touches();
    touch(m, Kind::marches, tensor, {fiber, e.coordinate}, e.position, {});
    if (e.position < 0) return;
    const auto [pointer, first] = pointers_.try_emplace({l.march, fiber}, e.position);
    if (touches() > before && !first) trace.steps.back().touches.back().moved = e.position - pointer->second;
    pointer->second = e.position;
  }

  struct Said {
    coiterate::Outcome outcome;
    std::string text;
  };

  void open(const flow::Stmt& s, const Coiterate& c) {
    Open loop{&c, nullptr, 0, 0};
    loop.lattice = lattice_of(compilation_, s, c, loop.number);
    open_.push_back(loop);
  }

  const std::vector<Said>& outcomes_of(const Open& loop) {
    const auto [found, fresh] = said_.try_emplace({loop.lattice, loop.point});
    if (fresh)
      for (coiterate::Outcome& one : coiterate::outcomes(loop.lattice->points[static_cast<std::size_t>(loop.point)])) {
        std::string text = coiterate::in_brief(one.body);
        found->second.push_back({std::move(one), std::move(text)});
      }
    return found->second;
  }

  LatticeStep made(const Moment& m, const Open& loop, int point, const std::vector<Standing>& standings) const {
    LatticeStep step;
    step.lattice = loop.number;
    step.point = point;
    std::vector<int> operands = loop.lattice->with_role(Lattice::Role::leads);
    const std::vector<int> follow = loop.lattice->with_role(Lattice::Role::follows);
    operands.insert(operands.end(), follow.begin(), follow.end());
    for (std::size_t k = 0; k < standings.size() && k < operands.size(); ++k) {
      const Standing& s = standings[k];
      step.cursors.push_back(
          {operands[k], s.at, s.begin, s.end, s.here, !s.alive, s.first, s.stored, s.starts, s.from, s.to, s.levels});
    }
    std::ranges::sort(step.cursors, {}, &LatticeStep::Cursor::operand);
    step.around = m.loops;
    for (const auto& [name, value] : m.loops)
      if (const auto waited = waited_.find(name); waited != waited_.end()) step.waited.emplace_back(*waited);
    if (!step.around.empty() && step.around.back().first == loop.loop->variable) step.around.pop_back();
    return step;
  }

  // Along the edges of what has run out, to the point that comes next.
  void run_out(const Moment& m, Open& loop, int next, const std::vector<Standing>& standings) {
    while (loop.point >= 0 && loop.point != next) {
      LatticeStep step = made(m, loop, loop.point, standings);
      for (LatticeStep::Cursor& cursor : step.cursors) cursor.here = false, cursor.to = cursor.from;
      const auto over = [&](const Lattice::Edge& edge) {
        const auto found = std::ranges::find(step.cursors, edge.runs_out, &LatticeStep::Cursor::operand);
        return edge.runs_out < 0 || (found != step.cursors.end() && found->ran_out);
      };
      const auto& edges = loop.lattice->points[static_cast<std::size_t>(loop.point)].edges;
      const auto edge = std::ranges::find_if(edges, over);
      step.runs_out = edge == edges.end() ? -1 : edge->runs_out;
      step.left = edge == edges.end();
      step.to = edge == edges.end() ? -1 : edge->to;
      loop.point = step.to;
      add(std::move(step));
    }
    loop.point = next;
  }

  void add(LatticeStep step) {
    if (trace.steps.size() < most_) trace.steps.push_back(std::move(step));
    else trace.complete = false;
  }

  /// What happens is done by the visit that came last.
  void touch(const Moment& m, Kind kind, const flow::Element& e, const std::optional<format::Value>& value) {
    std::vector<std::int64_t> coordinates;
    for (const flow::Entry& entry : e.trail) coordinates.push_back(entry.coordinate);
    const std::size_t before = touches();
    touch(m, kind, e.tensor, coordinates, e.place, value);
    if (touches() > before && !e.through.empty())
      trace.steps.back().touches.back().last = elements_.at(e.tensor, e.through);
  }
  std::size_t touches() const { return trace.steps.empty() ? 0 : trace.steps.back().touches.size(); }
  void touch(const Moment&, Kind kind, const flow::Tensor& tensor, const std::vector<std::int64_t>& coordinates,
             std::int64_t place, const std::optional<format::Value>& value) {
    const bool own = compilation_.flow.tensor(tensor.name) == &tensor;  // not of a function of the user
    if (!own || open_.empty() || trace.steps.empty() || !trace.complete) return;
    LatticeStep& step = trace.steps.back();
    if (!step.coordinate || step.touches.size() == most_touches) return;
    step.touches.push_back({kind, tensor.name, elements_.at(tensor, coordinates), place, value});
  }

  const Compilation& compilation_;
  const Elements elements_;
  const std::size_t most_;
  std::vector<Open> open_;
  std::map<std::pair<const Lattice*, int>, std::vector<Said>> said_;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t>
      pointers_;                                ///< that march, by fiber: the entry found last
  std::map<std::string, std::int64_t> waited_;  ///< loops over fibers that waited: for which coordinate
};

}  // namespace

const char* name_of(LatticeStep::Touch::Kind kind) {
  switch (kind) {
    case Kind::finds: return "finds";
    case Kind::marches: return "marches";
    case Kind::reads: return "reads";
    case Kind::writes: return "writes";
    case Kind::inserts: return "inserts";
    case Kind::appends: break;
  }
  return "appends";
}

std::string in_words(const LatticeStep::Touch& touch) {
  std::string words = name_of(touch.kind);
  if (const std::int64_t far = std::abs(touch.moved); far > 0)
    words += " " + std::to_string(far) + (far == 1 ? " entry" : " entries") + (touch.moved > 0 ? " on" : " back");
  if (touch.kind == Kind::marches) words += " to";
  words += " " + text::element_text(touch.tensor, touch.index);
  if (!touch.last.empty()) words += " to " + text::element_text(touch.tensor, touch.last);
  return words + (touch.place < 0 ? ", which is not stored" : "");
}

LatticeTrace trace_lattices(const Compilation& compilation, const flow::Bindings& bindings, std::size_t most) {
  LatticeRecorder recorder(compilation, bindings, most);
  const flow::Execution execution =
      flow::interpret(compilation.flow, bindings, {.most_steps = most_followed}, &recorder);
  if (execution.end == flow::Execution::End::limit) recorder.trace.complete = false;
  return std::move(recorder.trace);
}

}  // namespace trellis::explore
