#include "engine/lang/resolve/integers.hpp"

namespace trellis::lang::resolving {

using format::ScalarType;

bool holds(ScalarType wide, ScalarType narrow) {
  if (!format::is_integer(wide) || !format::is_integer(narrow)) return wide == narrow;
  if (format::is_signed(wide) == format::is_signed(narrow)) return format::size_of(wide) >= format::size_of(narrow);
  return format::is_signed(wide) && format::size_of(wide) > format::size_of(narrow);
}

std::optional<ScalarType> common_integer(ScalarType a, ScalarType b) {
  for (const ScalarType type :
       {ScalarType::u8, ScalarType::i16, ScalarType::u32, ScalarType::i32, ScalarType::i64, ScalarType::u64})
    if (holds(type, a) && holds(type, b)) return type;
  return std::nullopt;
}

ScalarType accumulating(ScalarType type) {
  return format::is_integer(type) && type != ScalarType::u64 ? ScalarType::i64 : type;
}

}  // namespace trellis::lang::resolving
