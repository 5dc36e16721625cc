#include "engine/lazy/promotion.hpp"

#include <algorithm>

namespace trellis::lazy {

using format::ScalarType;

namespace {

enum class Kind { boolean, integer, floating };

Kind kind_of_type(ScalarType type) {
  if (format::is_boolean(type)) return Kind::boolean;
  return format::is_floating(type) ? Kind::floating : Kind::integer;
}

/// Holds the values of an integer type: f32 has 24 bits.
ScalarType floating_for(ScalarType integer) {
  return format::is_boolean(integer) || format::size_of(integer) <= 2 ? ScalarType::f32 : ScalarType::f64;
}

ScalarType signed_above(std::size_t bytes) {
  return bytes < 2 ? ScalarType::i16 : bytes < 4 ? ScalarType::i32 : bytes < 8 ? ScalarType::i64 : ScalarType::f64;
}

}  // namespace

ScalarType promoted(ScalarType a, ScalarType b) {
  if (kind_of_type(a) > kind_of_type(b)) return promoted(b, a);
  if (a == b || format::is_boolean(a)) return b;
  if (format::is_floating(a)) return ScalarType::f64;  // of two different ones
  if (format::is_floating(b)) return b == ScalarType::f64 ? b : floating_for(a);
  if (format::is_signed(a) == format::is_signed(b)) return format::size_of(a) < format::size_of(b) ? b : a;
  const ScalarType with_sign = format::is_signed(a) ? a : b, without = format::is_signed(a) ? b : a;
  return format::size_of(without) < format::size_of(with_sign) ? with_sign : signed_above(format::size_of(without));
}

Promoted promoted(const Promoted& a, const Promoted& b) {
  if (a.weak == b.weak) return {promoted(a.type, b.type), a.weak};
  const Promoted &weak = a.weak ? a : b, &firm = a.weak ? b : a;
  return {kind_of_type(weak.type) <= kind_of_type(firm.type) ? firm.type : promoted(weak.type, firm.type), false};
}

ScalarType accumulating(format::ReduceOp op, ScalarType type) {
  const bool adds = op == format::ReduceOp::sum || op == format::ReduceOp::prod;
  if (!adds || format::is_floating(type)) return type;
  return format::is_integer(type) && !format::is_signed(type) ? ScalarType::u64 : ScalarType::i64;
}

ScalarType floating(ScalarType type) { return format::is_floating(type) ? type : ScalarType::f64; }

}  // namespace trellis::lazy
