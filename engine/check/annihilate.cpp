#include "engine/check/annihilate.hpp"

namespace trellis::check {

using format::Value;

namespace {

/// Its result may be settled by an absent operand, or at least has to be said to be computed.
bool makes_value(Op op) {
  switch (op) {
    case Op::move:
    case Op::choose:
    case Op::annihilate:
    case Op::unary:
    case Op::binary:
    case Op::cast:
    case Op::call:
    case Op::combine:
    case Op::improve: return true;
    default: return false;
  }
}

}  // namespace

bool annihilate(const Instruction& in, const Code& code, Slot* registers, Certainty* certainty) {
  if (!makes_value(in.op)) return false;
  Certainty& result = certainty[in.a];
  const auto by = [&](const std::optional<Value>& value) {
    if (!value) return false;
    registers[in.a] = slot_of(*value);
    result = Certainty::absent;
    return true;
  };
  const auto absent = [&](int operand) { return certainty[operand] == Certainty::absent; };
  switch (in.op) {
    case Op::binary: {
      const auto op = static_cast<format::BinaryOp>(in.operation);
      if (absent(in.b) && by(annihilated(op, 0, value_of(in.type, registers[in.b])))) return true;
      if (absent(in.c) && by(annihilated(op, 1, value_of(in.other, registers[in.c])))) return true;
      result = both(certainty[in.b], certainty[in.c]);
      return false;
    }
    case Op::call:
      result = Certainty::constant;
      for (int i = in.b; i < in.b + in.c; ++i) {
        if (absent(i) && by(annihilated(static_cast<format::Function>(in.operation), value_of(in.type, registers[i]))))
          return true;
        result = both(result, certainty[i]);
      }
      return false;
    case Op::annihilate:
      return absent(in.b) &&
             by(annihilated(code.functions[in.operation]->properties, in.c, value_of(in.type, registers[in.b])));
    case Op::unary:
    case Op::cast:
    case Op::move: result = certainty[in.b]; return false;
    default: result = Certainty::computed; return false;
  }
}

}  // namespace trellis::check
