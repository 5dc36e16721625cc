#include "engine/cost/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/cost/estimator.hpp"
#include "engine/flow/fibers.hpp"

namespace trellis::cost {
namespace {

using flow::Expr;
using flow::Stmt;

/// A condition on data, or on variables, holds as often as not, an equality seldom.
constexpr double even_chance = 0.5, equal_chance = 0.1;
constexpr double position_bytes = 4;

}  // namespace

Estimate Estimator::run() {
  visit(flow_.root);
  for (const flow::Tensor& t : flow_.tensors)
    if (t.storage == flow::Tensor::Storage::temporary) tally_.scalar(fresh_page * occupancy_.fresh_pages(t));
  return tally_.finish();
}

std::optional<Data> Estimator::with_collected() const {
  return collects_ ? std::optional(occupancy_.with_collected()) : std::nullopt;
}

void Estimator::visit(const Stmt& s) {
  tally_.of_statement(s.id(), [&] { visit_parts(s); });
}

void Estimator::visit_parts(const Stmt& s) {
  s.match([&](const flow::Seq& q) { std::ranges::for_each(q.statements, [&](const Stmt& inner) { visit(inner); }); },
          [&](const flow::Loop& l) {
            if (const auto tile = register_tile(l, flow_)) in_registers(*tile);
            else unrolled_trips(l) && !tally_.levels().empty() ? unrolled(l) : loop(l);
          },
          [&](const flow::Coiterate& c) { coiterate(c); },
          [&](const flow::While& w) {
            compute(w.condition);
            repeated({"", usual_iterations}, 0, false, [&] { visit(w.body); });
          },
          [&](const flow::If& i) { branch(i); }, [&](const flow::Let& l) { let(l); },
          [&](const flow::Test& t) { test(t); }, [&](const flow::Locate& l) { locate(l); },
          [&](const flow::Insert& i) { insert(i); }, [&](const flow::Tabulate& t) { tabulate(t); },
          [&](const flow::Declare& d) {
            if (tensor(d.tensor).levels.empty()) tally_.body().own.insert(d.tensor);
          },
          [&](const flow::Reset& r) { reset(r); }, [&](const flow::Freeze& f) { freeze(f); },
          [&](const flow::Assign& a) { assign(a); },
          [&](const flow::Append& a) {
            tally_.scalar(cycles::append);
            compute(a.value);
          },
          [&](const flow::Scatter& c) {
            if (c.counting) visit(*c.counting);
            visit(c.body);
          },
          [&](const flow::Await&) {
            if (machine_.threads > 1) tally_.scalar(cycles::await);
          },
          [](const flow::Exchange&) {},  // as long as messages take, which depends on who runs the ranks
          [&](const flow::Note&) {});
}

void Estimator::loop(const flow::Loop& l) {
  lists_.insert(lists_.end(), l.lists.begin(), l.lists.end());
  const auto low = value_of(l.low, names_), high = value_of(l.high, names_);
  const auto* first = l.low.as<flow::Name>();
  const bool in_region = first && regions_.contains(first->name);
  double trips = low && high ? std::max(0.0, *high - *low) : in_region ? regions_[first->name] : usual_size;
  trips = flow::iterations_in(l, trips);
  if (l.among) trips = waiting(l);
  if (l.until || l.unless) trips *= even_chance;
  const bool shaped = is_shaped_by(l.body, l.variable);
  if (l.counting) repeated({l.variable, trips}, low.value_or(0), shaped, [&] { visit(*l.counting); });
  in_threads(l.execution == flow::Loop::Execution::parallel, trips, [&] {
    repeated({l.variable, trips}, low.value_or(0), shaped, [&] {
      if (machine_.threads > 1 && flow::iterations_wait(l) && !flow::fibers_waited_for(flow_, l))
        tally_.scalar(cycles::hand_over);
      visit(l.body);
    });
  });
}

double Estimator::waiting(const flow::Loop& l) const {
  const auto of = std::ranges::find(lists_, l.among->lists, &flow::Lists::name);
  return of == lists_.end() ? usual_size : occupancy_.storing_fibers(of->tensor, of->level);
}

void Estimator::unrolled(const flow::Loop& l) {
  const double trips = *unrolled_trips(l);
  Level level{l.variable, trips, tally_.executions()};
  level.unrolled = true;
  tally_.body().unrolled.push_back(level);
  tally_.times(trips, [&] { visit(l.body); });
}

void Estimator::in_registers(const RegisterTile& tile) {
  const double bytes = static_cast<double>(format::size_of(tensor(tile.array).type));
  const double vectors = tile.column_trips * bytes / (machine_.wide_registers ? wide_vector_bytes : vector_bytes);
  const double operations = operation_cycles(tile.assign->value, flow_) + (tile.assign->op ? cycles::operation : 0);
  const auto* call = tile.assign->value.as<flow::Call>();
  const bool fused = call && call->function == format::Function::fma;
  tally_.scalar(0);
  tally_.operate(tile.row_trips * vectors * (fused ? cycles::operation : operations));
  tally_.body().unrolled.push_back({tile.rows->variable, tile.row_trips, tally_.executions()});
  tally_.body().unrolled.push_back({tile.columns->variable, tile.column_trips, tally_.executions()});
  for (std::size_t k = 1; k <= 2; ++k) (tally_.body().unrolled.end() - static_cast<std::ptrdiff_t>(k))->unrolled = true;
  const auto reach = [&](const std::string& name, const flow::Path& path, bool written) {
    if (name == tile.array) return;
    Access one = elements_.access(tensor(name), path, 0);
    one.read = !written;
    one.written = written;
    const double times = (one.moves_with(tile.rows->variable) ? tile.row_trips : 1) *
                         (one.moves_with(tile.columns->variable) ? vectors : 1);
    tally_.times(times, [&] { tally_.touch(one, tensor(name).type); });
  };
  const auto read = [&](const auto& self, const Expr& e) -> void {
    if (const auto* v = e.as<flow::Value>()) reach(v->tensor, elements_.of(v->position), false);
    flow::for_each_child(e, [&](const Expr& child) { self(self, child); });
  };
  read(read, tile.assign->value);
  reach(tile.assign->tensor, elements_.of(tile.assign->position), true);
}

void Estimator::coiterate(const flow::Coiterate& c) {
  elements_.enter(c);
  const bool outside = std::exchange(tested_, false), merges_outside = merges_;
  const auto low = value_of(c.low, names_), high = value_of(c.high, names_);
  const double range = low && high ? std::max(0.0, *high - *low) : usual_size;
  std::vector<double> stored;
  for (const flow::Cursor& cursor : c.cursors) {
    const double crowding = walks_.crowding(tensor(cursor.tensor), elements_.of(cursor.parent));
    stored.push_back(std::min(range, crowding * occupancy_.entries(cursor, c.variable, range)));
    begin_fiber(cursor);
  }
  for (std::size_t k = 0; k < c.points.size(); ++k) {
    const flow::Coiterate::Point& point = c.points[k];
    const Iterations iterations = iterations_of(c, k, stored, range);
    Level level{c.variable, c.unless ? iterations.number * even_chance : iterations.number};
    level.sparse = !point.leads.empty();
    for (const int lead : point.leads)
      for (const Expr& coordinate : elements_.of(c.cursors[static_cast<std::size_t>(lead)].parent))
        elements_.collect(coordinate, level.along);
    for (std::size_t cursor = 0; cursor < c.cursors.size(); ++cursor)
      present_[c.cursors[cursor].name] = {std::min(1.0, stored[cursor] / std::max(1.0, iterations.number)),
                                          std::min(1.0, stored[cursor] / std::max(1.0, range))};
    if (point.regions) {
      regions_[point.regions->first] = range / std::max(1.0, iterations.number);
      for (const std::string& name : {point.regions->first, point.regions->last})
        elements_.enter_region(name, c.variable);
    }
    merges_ = iterations.mispredicted > 0;
    const bool alone = point.leads.size() == 1;  // of several, who is there is nobody's certainty
    if (alone) begin_walk(c.cursors[static_cast<std::size_t>(point.leads.front())]);
    const double walked = static_cast<double>(point.regions ? c.cursors.size() : point.leads.size());
    if (c.counting) repeated(level, low.value_or(0), is_shaped_by(point.body, c.variable), [&] { visit(*c.counting); });
    in_threads(c.execution == flow::Loop::Execution::parallel, range, [&] {
      repeated(level, low.value_or(0), is_shaped_by(point.body, c.variable), [&] {
        tally_.scalar(walked * cycles::advance + iterations.mispredicted * cycles::misprediction);
        visit(point.body);
      });
    });
    if (alone) walks_.end();
  }
  tested_ = outside;
  merges_ = merges_outside;
}

void Estimator::begin_fiber(const flow::Cursor& cursor) {
  const flow::Tensor& t = tensor(cursor.tensor);
  const auto level = static_cast<std::size_t>(cursor.level);
  const format::Facts& facts = t.levels[level].facts;
  if (facts.positions && level > 0 && t.storage != flow::Tensor::Storage::temporary)
    touch(t, elements_.of(cursor.parent), position_bytes, true, false);
  const bool listed = facts.locate == format::Locate::direct && !facts.dense();
  if (!listed || t.storage != flow::Tensor::Storage::temporary || t.live) return;
  Collected fiber = occupancy_.collected(t, level);
  fiber.entries /= std::max(1.0, fiber.fibers);
  fiber.fibers = 1;
  if (!cursor.unsorted) tally_.scalar(order_cycles(fiber, machine_));
}

void Estimator::either(double chance, const Stmt& then, const std::optional<Stmt>& otherwise) {
  tally_.scalar(2 * chance * (1 - chance) * cycles::misprediction);
  choose(chance, then, otherwise);
}

void Estimator::choose(double chance, const Stmt& then, const std::optional<Stmt>& otherwise) {
  tally_.times(chance, [&] { visit(then); });
  if (otherwise) tally_.times(1 - chance, [&] { visit(*otherwise); });
}

double Estimator::chance_of(const Expr& condition) const {
  if (const auto known = value_of(condition, names_)) return *known != 0 ? 1 : 0;
  const auto* b = condition.as<flow::Binary>();
  const auto* n = b ? b->left.as<flow::Name>() : nullptr;
  if (n && found_.contains(n->name)) return found_.at(n->name);
  return b && b->op == format::BinaryOp::equal ? equal_chance : even_chance;
}

std::optional<double> Estimator::record_chance(const flow::If& i) const {
  std::optional<double> chance;
  flow::for_each_stmt(i.then, [&](const Stmt& s) {
    const auto* a = s.as<flow::Assign>();
    if (!a || !flow::mentions(i.condition, a->tensor)) return;
    const Access element = elements_.access(tensor(a->tensor), elements_.of(a->position));
    for (const Level& level : tally_.levels())
      if (!element.moves_with(level.variable)) chance = std::log(level.trips + 1) / std::max(1.0, level.trips);
  });
  return chance;
}

void Estimator::branch(const flow::If& i) {
  compute(i.condition);
  either(record_chance(i).value_or(chance_of(i.condition)), i.then, i.otherwise);
}

void Estimator::test(const flow::Test& t) {
  const auto [first, next] = present_.contains(t.cursor) ? present_.at(t.cursor) : std::pair(even_chance, even_chance);
  const bool inner = std::exchange(tested_, true);
  const double chance = t.certain ? 1 : inner ? next : first;
  // That of who comes next is what moves the cursors on, and counted there.
  if (!inner && merges_) choose(chance, t.then, t.otherwise);
  else either(chance, t.then, t.otherwise);
  tested_ = inner;
}

void Estimator::let(const flow::Let& l) {
  elements_.enter(l);
  compute(l.value);
  if (const auto* here = l.value.as<flow::Here>(); here && present_.contains(here->cursor))
    found_[l.name] = present_.at(here->cursor).second;
  if (const auto known = value_of(l.value, names_)) names_[l.name] = static_cast<std::int64_t>(*known);
  visit(l.body);
  names_.erase(l.name);
  elements_.leave(l);
}

Estimate estimate(const flow::Flow& flow, const Data& data, const Machine& machine) {
  Estimator first(flow, data, machine);
  Estimate found = first.run();
  const auto collected = first.with_collected();
  return collected ? Estimator(flow, *collected, machine).run() : found;
}

double estimate_cycles(const flow::Flow& flow, const Data& data, const Machine& machine) {
  return estimate(flow, data, machine).cycles;
}

}  // namespace trellis::cost
