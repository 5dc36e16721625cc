// What rounding makes of single elements, instruction by instruction (rounding.hpp).

#include "engine/check/machine.hpp"

namespace trellis::check {

using format::ScalarType;
using format::Value;

namespace {

/// argmin and argmax: of candidates that rounding may have put in another order nobody knows which one is taken.
void note_improvement(const Instruction& in, const Slot* r, Rounding* rounding) {
  const Rounded next{value_of(in.type, r[in.b]), rounding[in.b]};
  const Rounded best{value_of(in.type, r[in.a + 1]), rounding[in.a + 1]};
  if (r[in.a].integer < 0 && rounding[in.a].exact()) {
    rounding[in.a + 1] = next.rounding;
  } else if (may_change_places(next, best)) {
    rounding[in.a] = undecided;
    rounding[in.a + 1] = of_update(format::ReduceOp::max, best, next);
  } else {
    const bool least = in.operation == static_cast<std::uint8_t>(format::ReduceOp::argmin);
    format::Fault ignored = format::Fault::none;
    const auto better = least ? format::BinaryOp::less : format::BinaryOp::greater;
    if (!format::apply(better, next.value, best.value, ignored).is_true()) return;
    rounding[in.a] = {};
    rounding[in.a + 1] = next.rounding;
  }
}

}  // namespace

void Machine::note_rounding(const Instruction& in, const Code& code, const Slot* r, Rounding* rounding) {
  const auto rounded = [&](ScalarType type, int reg) { return Rounded{value_of(type, r[reg]), rounding[reg]}; };
  Rounding& result = rounding[in.a];
  switch (in.op) {
    case Op::read:
      result = {};
      for (const Code::Dimension& d : code.accesses[static_cast<std::size_t>(in.b)].dimensions)
        if (d.form < 0 && !rounding[d.reg].exact()) result = undecided;
      break;
    case Op::form: result = {}; break;
    case Op::move:
    case Op::choose: result = rounding[in.b]; break;
    case Op::add_real:
    case Op::subtract_real: result = of_sum(rounded(ScalarType::f64, in.b), rounded(ScalarType::f64, in.c)); break;
    case Op::multiply_real: result = of_product(rounded(ScalarType::f64, in.b), rounded(ScalarType::f64, in.c)); break;
    case Op::divide_real:
      result = of_binary(format::BinaryOp::divide, rounded(ScalarType::f64, in.b), rounded(ScalarType::f64, in.c));
      break;
    case Op::unary: result = of_unary(static_cast<format::UnaryOp>(in.operation), rounded(in.type, in.b)); break;
    case Op::binary:
      result = of_binary(static_cast<format::BinaryOp>(in.operation), rounded(in.type, in.b), rounded(in.other, in.c));
      break;
    case Op::cast: result = of_cast(in.type, rounded(in.other, in.b)); break;
    case Op::call: {
      std::vector<Rounded> operands;
      for (int k = 0; k < in.c; ++k) operands.push_back(rounded(in.type, in.b + k));
      result = of_call(static_cast<format::Function>(in.operation), operands);
      break;
    }
    case Op::combine:
      result = of_update(static_cast<format::ReduceOp>(in.operation), rounded(in.type, in.a), rounded(in.type, in.b));
      break;
    case Op::sum_real: result = of_sum(rounded(ScalarType::f64, in.a), rounded(ScalarType::f64, in.b)); break;
    case Op::improve: note_improvement(in, r, rounding); break;
    case Op::jump_if_false: undecided_ |= !result.exact(); break;
    case Op::jump:
    case Op::repeat:
    case Op::annihilate:
    case Op::place:
    case Op::enter:
    case Op::next:
    case Op::test:
    case Op::finish: break;
  }
}

std::optional<Machine::Recomputed> Machine::recompute(int tensor, const tensor::Index& asked) {
  const Operand& operand = operands_[static_cast<std::size_t>(tensor)];
  const tensor::Index index = operand.mirror ? operand.mirror->kept_by(asked) : asked;
  const std::int64_t offset = operand.tensor.dense() ? operand.tensor.offset(index) : 0;
  undecided_ = false;
  if (!start(tensor, index, offset) || frames_.empty()) return std::nullopt;
  const Code& code = *frames_.back().code;
  const std::size_t base = frames_.back().base;
  if (!run_to(0)) return std::nullopt;
  const auto result = static_cast<std::size_t>(code.instructions.back().a);  // of `finish`, which is the last one
  const Value value = value_of(operand.tensor.type(), finished_);
  const auto equation = static_cast<int>(&code - codes_.data());
  return Recomputed{{value, undecided_ ? undecided : rounding_[base + result]}, equation};
}

}  // namespace trellis::check
