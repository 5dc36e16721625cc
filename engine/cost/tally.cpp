#include "engine/cost/tally.hpp"

#include <algorithm>
#include <utility>

#include "engine/cost/memory.hpp"

namespace trellis::cost {

void Tally::scalar(double cycles) {
  body_->overhead += share_ * cycles;
  body_->plain = false;
  ask_for(cycles);
}

void Tally::operate(double cycles) {
  body_->operations += share_ * cycles;
  ask_for(cycles);
}

void Tally::touch(Access access, format::ScalarType type) {
  access.times = share_;
  body_->element_bytes = std::max(body_->element_bytes, static_cast<double>(format::size_of(type)));
  body_->touch(access);
  ask_for(cycles::load);
}

void Tally::charge() {
  std::vector<Level> levels = levels_;
  levels.insert(levels.end(), body_->unrolled.begin(), body_->unrolled.end());
  const double iterations = levels_.empty() ? 1 : levels_.back().executions();
  const IterationCycles iteration = iteration_cycles(*body_, levels);
  const MemoryCycles lines = memory_cycles(body_->accesses, levels, data_, machine_);
  const double computing = iterations * (iteration.busy + iteration.waiting);
  const double memory = lines.scattered + std::max(0.0, lines.streamed - computing);
  const double cycles = (iterations * iteration.all() + memory) / speed_;
  made_.cycles += cycles;
  made_.parts.memory += memory / speed_;
  made_.parts.busy += iterations * iteration.busy / speed_;
  made_.parts.waiting += iterations * iteration.waiting / speed_;
  made_.parts.overhead += iterations * iteration.overhead / speed_;
  double asked = 0;
  for (const auto& [statement, part] : body_->asked_by) asked += part;
  for (const auto& [statement, part] : body_->asked_by)
    if (asked > 0) made_.by_statement[statement] += cycles * part / asked;
}

Estimate Tally::finish() {
  charge();
  return std::move(made_);
}

}  // namespace trellis::cost
