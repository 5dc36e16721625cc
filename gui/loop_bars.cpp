#include "gui/loop_bars.hpp"

#include <algorithm>
#include <map>

#include "engine/lang/expr.hpp"
#include "engine/place/naming.hpp"

namespace trellis::gui {
namespace {

struct FoundLoop {
  loop::Stmt stmt;
  int depth = 0;
  const loop::For& loop() const { return *stmt.as<loop::For>(); }
};

void collect_loops(const loop::Stmt& stmt, int depth, std::vector<FoundLoop>& into) {
  if (!stmt) return;
  const bool is_loop = stmt.as<loop::For>() != nullptr;
  if (is_loop) into.push_back({stmt, depth});
  loop::for_each_child(
      stmt, [&](const loop::Stmt& child) { collect_loops(child, depth + (is_loop ? 1 : 0), into); },
      [](const lang::Expr&) {});
}

std::vector<std::string> marks_of(const loop::For& loop) {
  std::vector<std::string> marks;
  if (loop.execution == loop::For::Execution::parallel) marks.emplace_back("parallel");
  if (loop.execution == loop::For::Execution::vectorized)
    marks.push_back(loop.lanes > 1 ? "vector " + std::to_string(loop.lanes) : "vector");
  if (loop.jam > 1) marks.push_back("jam " + std::to_string(loop.jam));
  if (loop.registers) marks.emplace_back("registers");
  if (loop.unroll > 1) marks.push_back("unroll " + std::to_string(loop.unroll));
  return marks;
}

const char* kind_of(const loop::For& loop) { return loop.kind == loop::For::Kind::forall ? "forall" : "for"; }

int place_in(const lang::Order& order, const std::string& name) {
  const auto found =
      std::ranges::find_if(order, [&](const lang::LoopName& loop) { return lang::loop_variable(loop.name) == name; });
  return found == order.end() ? -1 : static_cast<int>(found - order.begin());
}

/// Each loop by itself.
std::vector<LoopBar> bars_of_loops(const std::vector<FoundLoop>& found, const lang::Order& order) {
  std::vector<LoopBar> bars;
  std::map<std::string, int> times;
  for (const FoundLoop& one : found) {
    const loop::For& loop = one.loop();
    const int time = ++times[loop.variable];
    LoopBar bar{.id = "loop:" + loop.variable + (time > 1 ? "." + std::to_string(time) : ""), .name = loop.variable};
    bar.range = lang::to_string(loop.low) + " : " + lang::to_string(loop.high);
    bar.kind = kind_of(loop), bar.marks = marks_of(loop), bar.descending = loop.descending;
    bar.depth = one.depth, bar.place = place_in(order, loop.variable);
    bar.nodes = {{text::Stage::loops, one.stmt.id()}};
    bars.push_back(std::move(bar));
  }
  return bars;
}

/// An index of the order by all loops over it: `forall` when all are.
std::vector<LoopBar> bars_of_order(const session::ExplainedView& explained, const std::vector<FoundLoop>& found) {
  std::vector<LoopBar> bars;
  for (const lang::LoopName& name : explained.order) {
    const int depth = static_cast<int>(bars.size());
    LoopBar bar{
        .id = "loop:" + name.name, .name = name.name, .descending = name.descending, .depth = depth, .place = depth};
    if (const auto range = place::range_of_index(explained.fragments, name.name))
      bar.range = range->low + " : " + range->high;
    for (const FoundLoop& one : found) {
      if (one.loop().variable != lang::loop_variable(name.name)) continue;
      if (bar.kind != "for") bar.kind = kind_of(one.loop());
      if (bar.marks.empty()) bar.marks = marks_of(one.loop());
      bar.nodes.push_back({text::Stage::loops, one.stmt.id()});
    }
    bars.push_back(std::move(bar));
  }
  return bars;
}

}  // namespace

std::vector<LoopBar> loop_bars(const Scene& scene) {
  std::vector<FoundLoop> found;
  const session::CompiledView* compiled = scene.compiled();
  if (compiled) collect_loops(compiled->compilation.loops, 0, found);
  const lang::Order order = scene.explained() ? scene.explained()->order : lang::Order{};
  const bool of_equations = compiled ? !compiled->compilation.kernel.equations.empty() : true;
  const bool as_ordered = of_equations && (!compiled || compiled->compilation.steps.empty());
  if (scene.explained() && as_ordered) return bars_of_order(*scene.explained(), found);
  return bars_of_loops(found, order);
}

}  // namespace trellis::gui
