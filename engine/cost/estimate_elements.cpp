// What elements cost: to be found, read, computed and written, cleared and put in order.
#include <algorithm>

#include "engine/cost/estimator.hpp"

namespace trellis::cost {

using flow::Expr;

void Estimator::locate(const flow::Locate& l) {
  elements_.enter(l);
  const flow::Tensor& t = tensor(l.tensor);
  const auto level = static_cast<std::size_t>(l.level);
  const format::Facts& facts = t.levels[level].facts;
  const double fiber = fiber_of(t, level, data_);
  tally_.scalar(l.held ? cycles::held : find_cycles(facts, fiber, !l.march.empty() && !l.returns));
  touch(t, elements_.of_entry(l.name), 4, true, false);
  found_[l.name] = facts.full() ? 1 : std::min(1.0, fiber / size_of(t, level, data_));
  visit(l.body);
}

void Estimator::tabulate(const flow::Tabulate& t) {
  const double entries = fiber_of(tensor(t.tensor), static_cast<std::size_t>(t.level), data_);
  tally_.scalar(2 * entries * cycles::held);  // filled, and emptied
  visit(t.body);
}

void Estimator::insert(const flow::Insert& i) {
  elements_.enter(i);
  const flow::Tensor& t = tensor(i.tensor);
  const auto level = static_cast<std::size_t>(i.level);
  occupancy_.insert(i.tensor, i.level, tally_.executions());
  collects_ = true;
  Collected all = occupancy_.collected(t, level);
  if (const auto known = data_.regions.find(t.name); known != data_.regions.end()) all.entries = known->second[level];
  tally_.scalar(insert_cycles(all, machine_));
  visit(i.body);
}

void Estimator::freeze(const flow::Freeze& f) {
  const flow::Tensor& t = tensor(f.tensor);
  if (t.storage != flow::Tensor::Storage::temporary) return;
  for (std::size_t level = 0; level < t.levels.size(); ++level)
    if (!t.levels[level].facts.dense()) tally_.scalar(order_cycles(occupancy_.collected(t, level), machine_));
}

void Estimator::reset(const flow::Reset& r) {
  const flow::Tensor& t = tensor(r.tensor);
  double elements = 1;
  for (std::size_t level = 0; level < t.levels.size(); ++level)
    if (t.levels[level].facts.dense()) elements *= size_of(t, level, data_);
  const double lanes = vector_bytes / static_cast<double>(format::size_of(t.type));
  tally_.scalar(cycles::entry + elements / lanes * cycles::store);
  occupancy_.reset(r.tensor, tally_.executions());
}

void Estimator::assign(const flow::Assign& a) {
  compute(a.value);
  const flow::Tensor& t = tensor(a.tensor);
  const bool accumulates = a.op || flow::mentions(a.value, a.tensor);
  if (a.op) tally_.operate(cycles::operation);
  const flow::Path path = elements_.of(a.position);
  tally_.body().updates.push_back({elements_.access(t, path), format::is_floating(t.type), accumulates});
  if (!path.empty()) touch(t, path, 0, a.op.has_value(), true);
}

void Estimator::compute(const Expr& e) {
  tally_.operate(operation_cycles(e, flow_));
  tally_.body().plain &= !is_scalar_only(e);
  load(e);
}

void Estimator::load(const Expr& e) {
  if (const auto* v = e.as<flow::Value>())
    if (const flow::Path path = elements_.of(v->position); !path.empty())
      touch(tensor(v->tensor), path, 0, true, false);
  flow::for_each_child(e, [&](const Expr& child) { load(child); });
}

void Estimator::touch(const flow::Tensor& t, const flow::Path& path, double bytes, bool read, bool written) {
  Access one = elements_.access(t, path, bytes);
  one.read = read;
  one.written = written;
  tally_.touch(std::move(one), t.type);
}

}  // namespace trellis::cost
