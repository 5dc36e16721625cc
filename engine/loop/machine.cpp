#include "engine/loop/machine.hpp"

#include "engine/text/cancel.hpp"

namespace trellis::loop {

namespace {

template <class Numbers>
std::string tuple(const Numbers& numbers) {
  std::string all;
  for (std::int64_t number : numbers) all += (all.empty() ? "" : ",") + std::to_string(number);
  return "(" + all + ")";
}

}  // namespace

bool Machine::begin(const Stmt& stmt) {
  if (halted) return false;
  current = stmt;
  ++execution.steps;
  text::stop_if_cancelled();
  if (options.max_steps > 0 && execution.steps > options.max_steps) {
    --execution.steps;
    execution.end = Execution::End::limit;
    halted = true;
  } else if (observer && observer->begin(moment()) == Observer::Go::stop) {
    execution.end = Execution::End::stopped;
    halted = true;
  }
  return !halted;
}

void Machine::fail(Fault fault) {
  if (halted) return;
  fault.statement = current ? current.id() : -1;
  fault.loops = loops;
  execution.fault = std::move(fault);
  execution.end = Execution::End::fault;
  halted = true;
}

bool Machine::in_range(const Cell& cell, const tensor::Index& index, text::Span span) {
  if (cell.tensor.in_range(index)) return true;
  fail({FaultKind::index_out_of_range,
        span,
        "index " + tuple(index) + " is outside " + cell.name + tuple(cell.tensor.shape()),
        -1,
        {},
        cell.name,
        index});
  return false;
}

format::Value Machine::read(int cell, const tensor::Index& index, text::Span span) {
  const Cell& c = cells[cell];
  const format::Value none = format::Value::of_integer(c.tensor.type(), 0);
  if (halted || !in_range(c, index, span)) return none;
  const std::int64_t offset = c.tensor.offset(index);
  const bool defined = !c.tracked || c.defined[offset];
  const format::Value value = c.tensor.get_flat(offset);
  if (observer) observer->read(moment(), {c.name, index, defined}, value);
  if (!defined && options.undefined == Options::Undefined::fault) {
    fail({FaultKind::undefined_read,
          span,
          c.name + tuple(index) + " is read before it is written",
          -1,
          {},
          c.name,
          index});
    return none;
  }
  return value;
}

void Machine::write(int cell, const tensor::Index& index, std::optional<format::ReduceOp> op,
                    const format::Value& value, text::Span span) {
  Cell& c = cells[cell];
  if (halted || !in_range(c, index, span)) return;
  const std::int64_t offset = c.tensor.offset(index);
  const bool defined = !c.tracked || c.defined[offset];
  const format::Value before = c.tensor.get_flat(offset);
  // What is undefined stays so, whatever is added to it, until it is written anew.
  if (op && observer) observer->read(moment(), {c.name, index, defined}, before);
  const format::Value after = op ? format::combine(*op, before, value) : value;
  c.tensor.set_flat(offset, after);
  c.written = true;
  if (c.tracked && (!op || options.undefined == Options::Undefined::allow)) c.defined[offset] = true;
  if (observer) observer->write(moment(), {c.name, index, defined}, before, after);
}

void Machine::reset(int cell, const format::Value& value) {
  Cell& c = cells[cell];
  if (halted) return;
  for (std::int64_t offset = 0; offset < c.tensor.count(); ++offset) c.tensor.set_flat(offset, value);
  c.written = true;
  if (c.tracked) c.defined.assign(c.defined.size(), true);
  if (observer) observer->reset(moment(), c.name, value);
}

}  // namespace trellis::loop
