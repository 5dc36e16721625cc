#include "engine/session/live/drawn.hpp"

#include <algorithm>

#include "engine/session/live/snapshot.hpp"
#include "engine/session/replay/replays.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/thread_seconds.hpp"
#include "engine/session/stages/lattices.hpp"

namespace trellis::session {
namespace {

/// Of three loops; dropping them has compiled most of these.
constexpr std::size_t most_orders_estimated = 6;

using text::Stage;

/// Of a walk through lattices; what it finds is copied, so that it may be walked while the session goes on.
constexpr std::size_t most_walked_steps = 2'000, most_walked_bytes = 4 << 20;

text::Text& stage(DrawnView& view, Stage which) { return view.stages[static_cast<std::size_t>(which)]; }

std::string written(const lang::Access& access) { return lang::to_string(lang::Expr({access, {}, {}})); }

/// From the access that writes too late to the one that reads too early. Where both are written alike they are one
/// node, and the edge is the one from there to what is computed of it.
std::set<std::pair<int, int>> violated_edges(const place::Analysis& analysis, const place::Failure& failure) {
  std::set<std::pair<int, int>> edges;
  if (failure.reader < 0 || failure.writer < 0) return edges;
  const auto fragment = [&](int f) -> const place::Fragment& {
    return analysis.fragments.fragments[static_cast<std::size_t>(f)];
  };
  const auto node = [&](const lang::Access& access) {
    const auto found = std::ranges::find(analysis.graph.nodes, written(access), &place::GraphNode::label);
    return found == analysis.graph.nodes.end() ? -1 : found->id;
  };
  const int writes = node(fragment(failure.writer).write), computes = node(fragment(failure.reader).write);
  for (const place::Read& read : fragment(failure.reader).reads)
    if (read.access.tensor == failure.instance.read && read.span == failure.read_span) {
      const int reads = node(read.access);
      edges.insert(reads == writes ? std::pair(reads, computes) : std::pair(writes, reads));
    }
  return edges;
}

PlacementView placement_view(ReplayedPlacement replayed) {
  PlacementView view;
  const place::Fragments& fragments = replayed.analysis->fragments;
  for (const place::Fragment& f : fragments.fragments) view.fragments.push_back({f.id, f.name, written(f.write)});
  for (const place::Event& event : replayed.events) {
    view.sentences.push_back(place::to_string(event));
    view.depth.push_back(event.depth);
  }
  view.progress = place::progress(replayed.needs, replayed.events);
  for (std::size_t done = 0; done <= replayed.events.size(); ++done)
    view.nests.push_back(place::print_sketch(replayed.events, done, fragments));
  view.legal = replayed.legal;
  if (replayed.legal) view.nests.back() = std::move(replayed.nest);
  view.events = std::move(replayed.events);
  return view;
}

void draw_graph(DrawnView& view, const place::Analysis& analysis) {
  view.graph = view::drawing_of(analysis.graph, analysis.fragments, drawn_font, view::Inputs::folded);
  view.graph_with_inputs = view::drawing_of(analysis.graph, analysis.fragments, drawn_font);
  stage(view, Stage::equations) = lang::print_equations(analysis.program, analysis.kernel);
  stage(view, Stage::fragments) = place::print(analysis.fragments);
  stage(view, Stage::graph) = place::print(analysis.graph, analysis.fragments);
}

void draw_placement(DrawnView& view, const DrawnFrom& from) {
  ReplayedPlacement replayed = replayed_placement(from.kernel, from.analysis, from.explained->order);
  stage(view, Stage::placement) = text_of(replayed);
  view.placement = std::make_shared<const PlacementView>(placement_view(std::move(replayed)));
}

void draw_compiled(DrawnView& view, const CompiledView& compiled) {
  const text::Text flow = flow::print(compiled.compilation.flow);
  view.lattices = view::drawings_of(coiterate::of_loop(compiled.lattices, ""), drawn_font, view::Cases::marked);
  view.algebra = view::drawing_of(view::tree_of_algebra(compiled.lattices), drawn_font);
  view.flow = view::drawing_of(view::tree_of_flow(flow, "kernel " + compiled.compilation.kernel.name), drawn_font);
  stage(view, Stage::loops) = compiled.loops;
  stage(view, Stage::algebra) = algebra_text(compiled.compilation, compiled.lattices);
  stage(view, Stage::lattice) = lattice_text(compiled.compilation, compiled.lattices);
  stage(view, Stage::flow) = flow;
  stage(view, Stage::c) = compiled.c;
}

/// What the kernel finds would be copied.
bool few_bytes(const State& state, const lang::Kernel& kernel) {
  std::size_t bytes = 0;
  for (const auto& names : {kernel.operands(), kernel.results()})
    for (const std::string& name : names)
      if (const tensor::Tensor* held = state.data.held(name)) bytes += held->bytes();
  return bytes <= most_walked_bytes;
}

std::shared_ptr<const ReplayedLattices> lattice_walk(State& state, const lang::Kernel& kernel,
                                                     const std::shared_ptr<const CompiledView>& compiled) {
  if (coiterate::of_loop(compiled->lattices, "").empty() || !few_bytes(state, kernel)) return nullptr;
  text::Diagnostics ignored;
  auto trace = traced_lattices(state, compiled->compilation, most_walked_steps, kernel.span, ignored);
  if (!trace || (trace->steps.empty() && !trace->fault)) return nullptr;
  ReplayedLattices walk{kernel.name, {compiled, &compiled->compilation}, compiled->lattices, std::move(*trace)};
  return std::make_shared<const ReplayedLattices>(std::move(walk));
}

void draw_execution(DrawnView& view, State& state, const lang::Kernel& kernel, const ExplainedView& explained) {
  if (!explained.execution) return;
  const Recorded& recorded = *explained.execution;
  view.timeline = view::timeline_of(recorded.trace);
  view.account = account_of(state, kernel, recorded);
  if (explained.why && explained.why->failure)
    view.instance_step = step_of(explained.why->failure->instance, recorded.trace);
}

/// Of nests that take long to compile, the loops behind the first ones have no estimates.
std::vector<std::vector<DropSlot>> all_drop_slots(State& state, const lang::Kernel& kernel, const lang::Order& order) {
  constexpr double enough_seconds = 3;
  std::vector<std::vector<DropSlot>> all;
  text::Diagnostics ignored;
  const double began = thread_seconds();
  for (int loop = 0; loop < static_cast<int>(order.size()); ++loop)
    all.push_back(drop_slots(state, kernel, loop, ignored, thread_seconds() - began < enough_seconds));
  return all;
}

}  // namespace

DrawnView drawn(State& state, const lang::Kernel& kernel, const DrawnFrom& from, const Drawn* last) {
  DrawnView view;
  view.compiled = from.compiled;
  view.explained = from.explained;
  view.stages.resize(static_cast<std::size_t>(Stage::c) + 1);
  const ExplainedView& explained = *from.explained;
  const auto take_stages = [&](Stage first, Stage end) {
    for (Stage one = first; one <= end; one = static_cast<Stage>(static_cast<int>(one) + 1))
      stage(view, one) = last->view->stage(one);
  };
  const bool same_analysis = last && from.analysis == last->from.analysis;
  if (from.analysis && same_analysis) {
    view.graph = last->view->graph;
    view.graph_with_inputs = last->view->graph_with_inputs;
    take_stages(Stage::equations, Stage::graph);
  } else if (from.analysis) {
    draw_graph(view, *from.analysis);
  }
  if (from.analysis && same_analysis && explained.order == last->from.explained->order) {
    view.placement = last->view->placement;
    take_stages(Stage::placement, Stage::placement);
  } else if (from.analysis) {
    draw_placement(view, from);
  }
  if (from.analysis && explained.why && explained.why->failure)
    view.violated = violated_edges(*from.analysis, *explained.why->failure);
  if (from.compiled && last && from.compiled == last->from.compiled) {
    view.lattices = last->view->lattices;
    view.algebra = last->view->algebra;
    view.flow = last->view->flow;
    take_stages(Stage::loops, Stage::c);
  } else if (from.compiled) {
    draw_compiled(view, *from.compiled);
  }
  for (const text::Text& one : view.stages) view.kin.add(one);
  if (from.compiled) {
    view.lattice_walk = lattice_walk(state, kernel, from.compiled);
    view.storage = storage_of(state, kernel);
    view.cycles = estimated_cycles(state, from.compiled->compilation);
    view.cost_share = cost_shares(state, from.compiled->compilation);
  }
  text::stop_if_cancelled();
  draw_execution(view, state, kernel, explained);
  view.drop_slots = all_drop_slots(state, kernel, explained.order);
  if (explained.orders.orders.size() <= most_orders_estimated) {
    view.estimated_orders = explained.orders.orders;
    estimate_orders(state, kernel, view.estimated_orders);
  }
  return view;
}

}  // namespace trellis::session
