#include "engine/session/live/follow.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "engine/format/storage_order.hpp"
#include "engine/place/in_place.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/replay/record.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/text/sequence.hpp"
#include "engine/view/source_spans.hpp"

namespace trellis::session {
namespace {

/// For the orders around the one that is looked at: what follows waits for them.
constexpr std::chrono::milliseconds budget_of_orders{500};
constexpr std::int64_t most_items = 4'096, most_cuts = 512;

void append(std::vector<Message>& messages, const text::Diagnostics& said, const std::string& kernel) {
  for (const text::Diagnostic& d : said.all()) messages.push_back({d, kernel});
}

/// The kernel whose text a message points into.
std::string kernel_of(const lang::Program* program, text::Span span) {
  if (!program || !span.known()) return "";
  for (const lang::Kernel& kernel : program->kernels) {
    const auto contains = [&](text::Span whole) {
      return whole.source == span.source && whole.begin <= span.begin && span.end <= whole.end;
    };
    if (contains(kernel.span) ||
        std::ranges::any_of(kernel.equations, [&](const lang::Equation& e) { return contains(e.span); }))
      return kernel.name;
  }
  return "";
}

}  // namespace

void Follower::revise(std::uint64_t version, const std::string& name, std::string content, const Wishes& wishes,
                      const Waves& waves) {
  Session::Revised revised = session_.revise(name, std::move(content));
  if (revised.exit == Exit::interrupted) return;
  source_ = revised.source;
  accepted_ = revised.accepted;
  read_ = std::move(revised.diagnostics);
  const State& state = session_.state();
  text_ = std::make_shared<const text::Text>(
      view::annotated_source(state.sources, source_, accepted_ ? state.declarations.file() : lang::syntax::File{}));
  refresh(version, wishes, waves);
}

void Follower::refresh(std::uint64_t version, const Wishes& wishes, const Waves& waves) {
  Snapshot snapshot;
  snapshot.version = version;
  make_waves(std::move(snapshot), wishes, waves);
}

void Follower::make_waves(Snapshot snapshot, const Wishes& wishes, const Waves& waves) try {
  State& state = session_.state();
  const text::CancelScope scope(state.cancel);
  add_program(snapshot);
  waves.publish(snapshot);

  // The last good program stays in the pictures; its messages are those of the text alone.
  const std::vector<lang::Kernel> kernels = snapshot.program ? snapshot.program->kernels : std::vector<lang::Kernel>();
  const auto for_each_kernel = [&](const auto& visit) {
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (waves.pause) waves.pause();
      text::stop_if_cancelled();
      visit(kernels[k], snapshot.kernels[k]);
    }
  };
  const auto publish = [&](Wave wave) {
    snapshot.wave = wave;
    snapshot.sources = state.sources;
    waves.publish(snapshot);
  };
  for_each_kernel([&](const lang::Kernel& kernel, KernelView& view) {
    view.compiled = compiled(kernel);
    compare_measurements(kernel);
    if (accepted_) append(snapshot.messages, state.said_of(kernel), kernel.name);
  });
  add_measurements(snapshot);
  publish(Wave::compiled);

  if (accepted_)
    session_.refill([&](const Reply& reply) {
      if (reply.exit == Exit::interrupted) throw text::Cancelled{};
      append(snapshot.messages, reply.diagnostics, "");
    });
  for_each_kernel([&](const lang::Kernel& kernel, KernelView& view) { view.explained = explained(kernel); });
  add_tensors(snapshot);
  publish(Wave::explained);

  for_each_kernel([&](const lang::Kernel& kernel, KernelView& view) {
    if (view.explained) view.drawn = drawn(kernel, view);
    view.pattern = pattern(kernel);
    view.plan = plan(kernel);
    view.ranks = ranks(kernel);
  });
  publish(Wave::drawn);

  if (!wishes.run || !accepted_) return;
  std::set<std::string> made;
  for_each_kernel([&](const lang::Kernel& kernel, KernelView& view) {
    if (view.compiled) view.ran = ran(kernel, wishes, made);
  });
  // Of what kernels before have made now.
  for_each_kernel([&](const lang::Kernel& kernel, KernelView& view) {
    view.pattern = pattern(kernel);
    view.plan = plan(kernel);
    view.ranks = ranks(kernel);
  });
  add_tensors(snapshot);
  publish(Wave::ran);
} catch (const text::Cancelled&) {
  // Another request has come, whose waves follow.
}

void Follower::add_program(Snapshot& snapshot) {
  State& state = session_.state();
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  if (program && (!program_ || program_version_ != state.version()))
    program_ = std::make_shared<const lang::Program>(*program);
  program_version_ = state.version();
  snapshot.program = program ? program_ : nullptr;
  snapshot.source = source_;
  snapshot.text = text_;
  snapshot.accepted = accepted_;
  snapshot.selection = state.focus.selection;
  for (const text::Diagnostic& d : read_.all()) snapshot.messages.push_back({d, kernel_of(program, d.span)});
  if (program)
    for (const lang::Kernel& kernel : program->kernels)
      snapshot.kernels.push_back({kernel.name, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr});
  add_tensors(snapshot);
  add_measurements(snapshot);
  snapshot.sources = state.sources;
}

void Follower::add_tensors(Snapshot& snapshot) {
  snapshot.tensors.clear();
  if (!snapshot.program) return;
  const State& state = session_.state();
  for (const lang::TensorInfo& info : snapshot.program->tensors) {
    const tensor::Tensor* held = state.data.has(info.name) ? state.data.held(info.name) : nullptr;
    TensorView view{info, held ? std::optional(*held) : std::nullopt, {}, {}};
    if (held) view.stored = view::stored_arrays(info.name, *held, most_items);
    const bool as_declared = held && format::same_storage(held->format(), info.format);
    view.format = stored_format(info, as_declared ? held : nullptr);
    if (held) view.cuts = view::block_cuts(*held, most_cuts);
    if (held && pictured(*held)) view.picture = view::storage_picture(info.name, *held);
    snapshot.tensors[info.name] = std::move(view);
  }
}

Follower::Subject Follower::measured(const lang::Kernel& kernel) {
  text::Diagnostics ignored;
  return {session_.state().compilation(kernel, ignored)};
}

Follower::Subject Follower::measured_in_all_orders(const lang::Kernel& kernel) {
  State& state = session_.state();
  text::Diagnostics ignored;
  if (kernel.loops) return {state.unscheduled(kernel, ignored), kernel.schedule.steps};
  return {state.analysis(kernel, ignored), kernel.schedule.steps};
}

void Follower::hear(const Reply& reply) {
  if (!reply.ok()) return;
  // Compiling may renew the program.
  const auto kernel = [&](const std::string& name) {
    text::Diagnostics ignored;
    const lang::Program* program = session_.state().program(ignored);
    const lang::Kernel* found = program ? program->kernel(name) : nullptr;
    return found ? std::optional(*found) : std::nullopt;
  };
  if (const auto* timed = std::get_if<Timed>(&reply.result))
    for (const Timed::Kernel& one : timed->kernels)
      if (const auto k = kernel(one.kernel))
        timings_[one.kernel] = {std::make_shared<const Timed::Kernel>(one), measured(*k)};
  if (const auto* shown = std::get_if<Shown>(&reply.result); shown && shown->ranks)
    ranks_shown_[shown->kernel] = shown->ranks->grid;
  if (const auto* listed = std::get_if<OrdersListed>(&reply.result); listed && listed->timed)
    if (const auto k = kernel(listed->kernel))
      orders_[listed->kernel] = {std::make_shared<const OrdersListed>(*listed), measured_in_all_orders(*k)};
}

void Follower::compare_measurements(const lang::Kernel& kernel) {
  if (const auto timed = timings_.find(kernel.name); timed != timings_.end())
    timed->second.stale = timed->second.of != measured(kernel);
  if (const auto listed = orders_.find(kernel.name); listed != orders_.end())
    listed->second.stale = listed->second.of != measured_in_all_orders(kernel);
}

void Follower::add_measurements(Snapshot& snapshot) const {
  const auto add = [&](const auto& measured, auto& results, std::set<std::string>& stale) {
    results.clear();
    stale.clear();
    for (const auto& [kernel, one] : measured) {
      if (!snapshot.kernel(kernel)) continue;
      results[kernel] = one.result;
      if (one.stale) stale.insert(kernel);
    }
  };
  add(timings_, snapshot.timings, snapshot.stale_timings);
  add(orders_, snapshot.measured_orders, snapshot.stale_orders);
}

std::shared_ptr<const CompiledView> Follower::compiled(const lang::Kernel& kernel) {
  text::Diagnostics ignored;
  const auto made = session_.state().compilation(kernel, ignored);
  if (!made) return nullptr;
  if (const Compiled* known = compiled_.find([&](const Compiled& one) { return one.from == made; })) return known->view;
  return compiled_.add({made, std::make_shared<const CompiledView>(*made)}).view;
}

std::vector<const void*> Follower::data_of(const lang::Kernel& kernel) const {
  std::vector<const void*> all;
  const State& state = session_.state();
  for (const std::string& name : tensors_of(kernel)) {
    const tensor::Tensor* held = state.data.has(name) ? state.data.held(name) : nullptr;
    all.push_back(held ? &held->storage() : nullptr);
  }
  if (const FinishedRun* run = state.finished(kernel)) all.push_back(run);
  return all;
}

std::shared_ptr<const ExplainedView> Follower::explained(const lang::Kernel& kernel) {
  State& state = session_.state();
  text::Diagnostics ignored;
  const auto analysis = kernel.loops ? nullptr : state.analysis(kernel, ignored);
  if (!analysis && !kernel.loops) return nullptr;
  const auto from = state.compilation(kernel, ignored);
  const lang::Order order = kernel.schedule.order.value_or(lang::Order{});
  const std::vector<const void*> data = data_of(kernel);
  const auto sizes = parameters();
  const auto same = [&](const Explained& one) {
    return one.kernel == kernel.name && one.analysis == analysis && one.from == from && one.order == order &&
           one.steps == kernel.schedule.steps && one.parameters == sizes && one.data == data;
  };
  // Of a loop program that is wrong nothing says which one it is.
  const bool known_by_name = from || analysis;
  if (const Explained* known = known_by_name ? explained_.find(same) : nullptr) return known->view;
  auto view = std::make_shared<const ExplainedView>(explain(kernel, analysis));
  if (!known_by_name) return view;
  return explained_.add({kernel.name, analysis, from, order, kernel.schedule.steps, sizes, data, std::move(view)}).view;
}

std::map<std::string, format::Value> Follower::parameters() const {
  std::map<std::string, format::Value> all;
  if (program_)
    for (const lang::ParameterInfo& p : program_->parameters)
      if (const auto value = session_.state().parameter(p.name)) all[p.name] = *value;
  return all;
}

ExplainedView Follower::explain(const lang::Kernel& kernel, const std::shared_ptr<const place::Analysis>& analysis) {
  State& state = session_.state();
  ExplainedView view;
  text::Diagnostics ignored;
  const auto orders = KernelOrders::of(state, kernel, ignored);
  if (!orders) return view;
  view.order = orders->present();
  view.in_force = orders->in_force();
  view.orders =
      explore::orders(orders->judge(), view.order, explore::Directions::ascending, {.budget = budget_of_orders});
  if (analysis) {
    view.fragments = analysis->fragments;
    view.graph = analysis->graph;
    place::Placement placement = place::place(*analysis, view.order, place::wanted_in_place(kernel.schedule));
    if (auto* placed = std::get_if<place::Placed>(&placement)) {
      view.events = std::move(placed->events);
      view.certificate = placed->certificate;
    } else {
      view.events = std::move(std::get<place::Rejected>(placement).events);
    }
  }
  if (!orders->is_legal()) view.why = orders->why_present();
  if (auto recorded = record(state, kernel, most_recorded, kernel.span, view.undrawn)) {
    if (recorded->compilation)
      recorded->compilation = std::make_shared<const Compilation>(without_analysis(*recorded->compilation));
    view.execution = std::make_shared<const Recorded>(std::move(*recorded));
  }
  return view;
}

/// It finds what it found, and its results are there; what it has left in them is another matter.
bool Follower::would_run_the_same(const FinishedRun& finished, const lang::Kernel& kernel) const {
  const State& state = session_.state();
  const std::vector<std::string> results = kernel.results();
  if (!std::ranges::all_of(results, [&](const std::string& name) { return state.data.has(name); })) return false;
  return std::ranges::all_of(kernel.operands(), [&](const std::string& name) {
    if (contains(results, name)) return true;
    const tensor::Tensor* held = state.data.held(name);
    const auto found = finished.before.tensors.find(name);
    return held && found != finished.before.tensors.end() && &held->storage() == &found->second.storage();
  });
}

std::shared_ptr<const RunView> Follower::ran(const lang::Kernel& kernel, const Wishes& wishes,
                                             std::set<std::string>& made) {
  State& state = session_.state();
  text::Diagnostics ignored;
  const auto from = state.compilation(kernel, ignored);
  const std::vector<std::string> used = tensors_of(kernel);
  if (std::ranges::none_of(used, [&](const std::string& name) { return made.contains(name); })) {
    const FinishedRun* finished = state.finished(kernel);
    if (finished && would_run_the_same(*finished, kernel))
      if (const Ran* known = ran_.find([&](const Ran& one) { return one.from == from && one.finished == finished; }))
        return known->view;
    const std::vector<const void*> data = data_of(kernel);
    if (late_.find([&](const Late& one) { return one.from == from && one.data == data; })) return nullptr;
  }
  rewind(state, kernel);
  auto view = run(kernel, wishes);
  std::ranges::copy(kernel.results(), std::inserter(made, made.end()));
  if (view) ran_.add({state.compilation(kernel, ignored), state.finished(kernel), view});
  else late_.add({from, data_of(kernel)});
  return view;
}

// Not in time, or not at all: the pictures are those of the trace, and a run that is asked for says why.
std::shared_ptr<const RunView> Follower::run(const lang::Kernel& kernel, const Wishes& wishes) {
  State& state = session_.state();
  trellis::run::Limits limits = state.options.limits;
  limits.seconds = std::min(limits.seconds, wishes.seconds);
  text::Diagnostics ignored;
  Exit exit = Exit::success;
  const auto done = run_kernel(state, kernel, {state.options.backend}, limits, kernel.span, ignored, exit);
  text::stop_if_cancelled();
  if (!done) return nullptr;
  RunView view{done->compile_ms, done->run_ms, {}};
  const FinishedRun* finished = state.finished(kernel);
  if (!finished) return std::make_shared<const RunView>(std::move(view));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(wishes.seconds);
  const auto late = [&] { return state.cancel.requested() || std::chrono::steady_clock::now() > deadline; };
  check::Report report =
      check::compare(*state.program(ignored), kernel, finished->before, finished->after, finished->checked_by(), late);
  text::stop_if_cancelled();
  if (!report.problem || report.problem->code != "E0506") view.check = std::move(report);
  return std::make_shared<const RunView>(std::move(view));
}

}  // namespace trellis::session
