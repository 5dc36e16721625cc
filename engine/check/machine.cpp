#include "engine/check/machine.hpp"

#include <algorithm>
#include <cmath>

#include "engine/check/annihilate.hpp"
#include "engine/check/forms.hpp"

namespace trellis::check {

using format::ScalarType;
using format::Value;

namespace {

constexpr std::int64_t most_repetitions = 10000000;  ///< of one loop of a function

/// argmin and argmax: candidates come in ascending order, so only a strictly better value replaces the first that is a
/// number.
void improve(const Instruction& in, Slot* r) {
  Slot& index = r[in.a];
  Slot& best = r[in.a + 1];
  const bool least = in.operation == static_cast<std::uint8_t>(format::ReduceOp::argmin);
  format::Fault fault = format::Fault::none;
  const auto op = least ? format::BinaryOp::less : format::BinaryOp::greater;
  const format::Value next = value_of(in.type, r[in.b]);
  if (index.integer < 0 ? std::isnan(next.real) : !format::apply(op, next, value_of(in.type, best), fault).is_true())
    return;
  best = r[in.b];
  index.integer = r[in.c].integer;
}

}  // namespace

Machine::Step Machine::report_read(const char* code, const Frame& frame, const Code::ReadAccess& access,
                                   tensor::Index element, std::string message) {
  text::Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.span = access.span;
  diagnostic.message = std::move(message);
  text::Instance instance;
  instance.read = name(access.tensor);
  if (has_steps(access.tensor)) {
    instance.read += "[" + std::to_string(element[0] - 1) + "]";
    element.erase(element.begin());
  }
  for (const auto& [variable, reg] : access.scope)
    instance.at.emplace_back(variable, registers_[frame.base + static_cast<std::size_t>(reg)].integer);
  instance.element = std::move(element);
  instance.sizes = sizes();
  diagnostic.instance = std::move(instance);
  problem_ = std::move(diagnostic);
  return Step::failed;
}

Machine::Step Machine::report(const Frame& frame, const Instruction& in, const char* code, std::string message) {
  text::Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.span = in.span;
  diagnostic.message = std::move(message);
  text::Instance instance;
  instance.read = name(frame.code->tensor);
  instance.at = point_of(*frame.code, registers_.data() + frame.base);
  instance.sizes = sizes();
  diagnostic.instance = std::move(instance);
  problem_ = std::move(diagnostic);
  return Step::failed;
}

Machine::Step Machine::fault(const Frame& frame, const Instruction& in, format::Fault fault) {
  const bool by_zero = fault == format::Fault::division_by_zero;
  return report(frame, in, "E0502", by_zero ? "an integer is divided by zero" : "an integer division overflows");
}

bool Machine::is_interrupted() {
  if (!interrupted_ || !interrupted_()) return false;
  text::Diagnostic diagnostic;
  diagnostic.code = "E0506";
  diagnostic.message = "the reference evaluator was interrupted";
  problem_ = std::move(diagnostic);
  return true;
}

Machine::Step Machine::endless(const Frame& frame, const Instruction& in) {
  return report(frame, in, "E0504", "a function repeats more than " + std::to_string(most_repetitions) + " times");
}

Slot Machine::load(const Operand& operand, std::span<const std::int64_t> element, std::int64_t offset) const {
  if (operand.tensor.strides().size() < element.size()) return slot_of(operand.tensor.get(element));
  if (operand.tensor.type() == ScalarType::f64)
    return {.real = static_cast<const double*>(operand.tensor.data())[offset]};
  return slot_of(operand.tensor.get_flat(offset));
}

bool Machine::is_absent(const Operand& operand, std::span<const std::int64_t> element) const {
  if (operand.absent_outside_mask) return masked_out(operand, element);
  if (!operand.sparse) return false;
  if (operand.stored.empty()) return operand.tensor.find(element) < 0;
  return !operand.stored[static_cast<std::size_t>(number_of(element, operand.tensor.shape()))];
}

Machine::Step Machine::read(Frame& frame, const Instruction& in, Slot* registers) {
  const Code& code = *frame.code;
  const Code::ReadAccess& access = code.accesses[static_cast<std::size_t>(in.b)];
  Operand& operand = operands_[static_cast<std::size_t>(access.tensor)];
  const tensor::Index& shape = operand.tensor.shape();
  const tensor::Index& strides = operand.tensor.strides();
  const std::size_t rank = shape.size();
  std::int64_t offset = 0;
  bool inside = true;
  if (element_.size() < rank) element_.resize(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    const Code::Dimension& dimension = access.dimensions[d];
    const std::int64_t index = dimension.form >= 0 ? evaluate(code, dimension.form, registers)
                                                   : registers[dimension.reg].integer + dimension.offset;
    inside = inside && index >= 0 && index < shape[d];
    if (d < strides.size()) offset += index * strides[d];
    element_[d] = index;
  }
  std::span<const std::int64_t> element(element_.data(), rank);
  tensor::Index kept;
  if (operand.mirror && inside) {
    element = kept = operand.mirror->kept_by(element);
    offset = operand.tensor.offset(element);
  }
  if (!inside)
    return report_read("E0104", frame, access, {element.begin(), element.end()},
                       "this reads " + name(access.tensor) + " outside its range");
  if (!operand.states.empty()) {
    const ElementState state = operand.states[static_cast<std::size_t>(offset)];
    if (state == ElementState::in_progress) {
      report_read("E0102", frame, access, {element.begin(), element.end()},
                  "an element of " + name(access.tensor) + " needs itself");
      for (const Frame& other : frames_)
        if (other.code->tensor == access.tensor && other.offset == offset)
          problem_->instance->written_at = point_of(*other.code, registers_.data() + other.base);
      return Step::failed;
    }
    // Starting may move the stack, so nothing of this frame is touched after it; the read is done again on return.
    if (state == ElementState::unknown) return start(access.tensor, element, offset) ? Step::suspended : Step::failed;
  }
  const bool absent = absence_ == Absence::noted && is_absent(operand, element);
  registers[in.a] = absent ? slot_of(operand.tensor.fill()) : load(operand, element, offset);
  if (absence_ == Absence::noted)
    certainty_[frame.base + static_cast<std::size_t>(in.a)] = absent ? Certainty::absent : Certainty::computed;
  return Step::finished;
}

bool Machine::start(int tensor, std::span<const std::int64_t> index, std::int64_t offset) {
  Operand& operand = operands_[static_cast<std::size_t>(tensor)];
  const std::size_t base = frames_.empty() ? 0 : frames_.back().base + frames_.back().code->registers.size();
  const Code* code = definition(tensor, index, base);
  if (problem_) return false;
  if (!code && operand.steps && index[0] > 0) return inherit(tensor, index, offset);
  if (!operand.states.empty())
    operand.states[static_cast<std::size_t>(offset)] = code ? ElementState::in_progress : ElementState::known;
  if (code) frames_.push_back({code, base, 0, offset});
  return true;
}

bool Machine::inherit(int tensor, std::span<const std::int64_t> index, std::int64_t offset) {
  Operand& operand = operands_[static_cast<std::size_t>(tensor)];
  const std::size_t base = frames_.empty() ? 0 : frames_.back().base + frames_.back().code->registers.size();
  const std::int64_t stride = operand.tensor.strides()[0];
  tensor::Index earlier(index.begin(), index.end());
  std::int64_t from = offset;
  while (true) {
    --earlier[0];
    from -= stride;
    ElementState& state = operand.states[static_cast<std::size_t>(from)];
    if (state == ElementState::known) break;
    if (state == ElementState::in_progress) {
      text::Diagnostic diagnostic;
      diagnostic.code = "E0102";
      diagnostic.message = "an element of " + name(tensor) + " needs itself";
      problem_ = std::move(diagnostic);
      return false;
    }
    const Code* code = definition(tensor, earlier, base);
    if (problem_) return false;
    if (code) {  // that one first; whoever needs this element asks again
      state = ElementState::in_progress;
      frames_.push_back({code, base, 0, from});
      return true;
    }
    if (earlier[0] > 0) continue;
    state = ElementState::known;
    break;
  }
  const Value value = operand.tensor.get_flat(from);
  for (std::int64_t at = from + stride; at <= offset; at += stride) {
    operand.tensor.set_flat(at, value);
    operand.states[static_cast<std::size_t>(at)] = ElementState::known;
  }
  return true;
}

Machine::Step Machine::run(Frame& frame) {
  const Code& code = *frame.code;
  Slot* r = registers_.data() + frame.base;
  const Instruction* instructions = code.instructions.data();
  int pc = frame.pc;
  format::Fault trouble = format::Fault::none;
  const bool notes_absence = absence_ == Absence::noted;
  const bool rounds = purpose_ == Purpose::single_elements;
  for (;;) {
    const Instruction& in = instructions[pc++];
    if (notes_absence && annihilate(in, code, r, certainty_.data() + frame.base)) {
      if (rounds) rounding_[frame.base + static_cast<std::size_t>(in.a)] = {};
      if (in.op == Op::annihilate) pc = in.target;
      continue;
    }
    if (rounds) note_rounding(in, code, r, rounding_.data() + frame.base);
    switch (in.op) {
      case Op::form: r[in.a].integer = evaluate(code, in.b, r); break;
      case Op::read: {
        frame.pc = pc - 1;
        const Step step = read(frame, in, r);
        if (step != Step::finished) return step;
        break;
      }
      case Op::move:
      case Op::choose: r[in.a] = r[in.b]; break;
      case Op::annihilate: break;
      case Op::place: {
        const Code::Operator& shape = code.shapes[static_cast<std::size_t>(in.b)];
        std::vector<std::int64_t> to;
        for (int k = 0; k < shape.to; ++k) to.push_back(r[in.c + k].integer);
        const ShapePlaces::Place place = shape.places.at(to);
        r[in.a].integer = place.part;
        for (std::size_t k = 0; k < place.from.size(); ++k) r[in.a + 1 + static_cast<int>(k)].integer = place.from[k];
        break;
      }
      case Op::add_real: r[in.a].real = r[in.b].real + r[in.c].real; break;
      case Op::subtract_real: r[in.a].real = r[in.b].real - r[in.c].real; break;
      case Op::multiply_real: r[in.a].real = r[in.b].real * r[in.c].real; break;
      case Op::divide_real: r[in.a].real = r[in.b].real / r[in.c].real; break;
      case Op::unary:
        r[in.a] = slot_of(format::apply(static_cast<format::UnaryOp>(in.operation), value_of(in.type, r[in.b])));
        break;
      case Op::binary:
        r[in.a] = slot_of(format::apply(static_cast<format::BinaryOp>(in.operation), value_of(in.type, r[in.b]),
                                        value_of(in.other, r[in.c]), trouble));
        if (trouble != format::Fault::none) return fault(frame, in, trouble);
        break;
      case Op::cast: r[in.a] = slot_of(format::cast(in.type, value_of(in.other, r[in.b]))); break;
      case Op::call: {
        std::vector<Value> arguments;
        for (int i = 0; i < in.c; ++i) arguments.push_back(value_of(in.type, r[in.b + i]));
        r[in.a] = slot_of(format::apply(static_cast<format::Function>(in.operation), arguments.data(), in.c));
        break;
      }
      case Op::jump: pc = in.target; break;
      case Op::repeat:
        if (++r[in.a].integer > most_repetitions) return endless(frame, in);
        pc = in.target;
        break;
      case Op::jump_if_false:
        if (r[in.a].integer == 0) pc = in.target;
        break;
      case Op::enter:
        if (!enter(code, in.b, r)) pc = in.target;
        break;
      case Op::next:
        if (r[in.a].integer < r[in.a + 1].integer) {
          ++r[in.a].integer;
          pc = in.target;
          if ((++rounds_ & 0xFFFFF) == 0 && is_interrupted()) return Step::failed;
        }
        break;
      case Op::test:
        if (!holds(code, in.b, r)) pc = in.target;
        break;
      case Op::combine:
        r[in.a] = slot_of(format::combine(static_cast<format::ReduceOp>(in.operation), value_of(in.type, r[in.a]),
                                          value_of(in.type, r[in.b])));
        break;
      case Op::sum_real: r[in.a].real += r[in.b].real; break;
      case Op::improve: improve(in, r); break;
      case Op::finish: finished_ = r[in.a]; return Step::finished;
    }
  }
}

bool Machine::run_to(std::size_t depth) {
  while (frames_.size() > depth) {
    const bool ends = (++rounds_ & 0xFFFFF) == 0 && is_interrupted();
    const Step step = ends ? Step::failed : run(frames_.back());
    if (step == Step::failed) {
      frames_.clear();
      return false;
    }
    if (step == Step::suspended) continue;
    const Frame done = frames_.back();
    frames_.pop_back();
    Operand& operand = operands_[static_cast<std::size_t>(done.code->tensor)];
    if (operand.states.empty()) continue;
    operand.tensor.set_flat(done.offset, value_of(operand.tensor.type(), finished_));
    operand.states[static_cast<std::size_t>(done.offset)] = ElementState::known;
  }
  return true;
}

bool Machine::demand(int tensor, const tensor::Index& index) {
  Operand& operand = operands_[static_cast<std::size_t>(tensor)];
  if (operand.states.empty()) return true;
  const tensor::Index kept = operand.mirror ? operand.mirror->kept_by(index) : index;
  const std::int64_t offset = operand.tensor.offset(kept);
  while (operand.states[static_cast<std::size_t>(offset)] != ElementState::known)
    if (!start(tensor, kept, offset) || !run_to(0)) return false;
  if (kept != index) operand.tensor.set(index, operand.tensor.get_flat(offset));
  return true;
}

}  // namespace trellis::check
