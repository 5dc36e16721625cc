#pragma once
// In which types arrays meet: NumPy's promotion, where Python numbers are weak (docs/design/arrays.md#types).

#include "engine/format/scalar.hpp"
#include "engine/lazy/logic.hpp"

namespace trellis::lazy {

/// A type, and whether it is that of a Python number: such a one takes the other's type where its kind (bool, integer,
/// floating) is not above that.
struct Promoted {
  format::ScalarType type;
  bool weak = false;
};

/// The smallest type that holds the values of both: i32 and f32 make f64, u64 and i64 too.
format::ScalarType promoted(format::ScalarType a, format::ScalarType b);
Promoted promoted(const Promoted& a, const Promoted& b);

/// In which integers and truth values are added up: i64, or u64 of unsigned ones. Others stay.
format::ScalarType accumulating(format::ReduceOp op, format::ScalarType type);

/// In which `/`, mean and functions such as sqrt are computed: a floating type stays, of all others it is f64.
format::ScalarType floating(format::ScalarType type);

}  // namespace trellis::lazy
