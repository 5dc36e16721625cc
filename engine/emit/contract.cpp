// What a contract (emit/abi/trellis_tensor.h) says of a tensor, in numbers.
#include <bit>

#include "engine/emit/entry.hpp"

namespace trellis::emit {

using format::Facts;

LevelKind level_kind(const Facts& facts) {
  switch (facts.region) {
    case format::Region::block:
      if (facts.dense()) return LevelKind::dense;
      return facts.single ? LevelKind::band : LevelKind::vbl;
    case format::Region::run:
      if (facts.single) return LevelKind::interval;
      return facts.starts ? LevelKind::sparse_rle : LevelKind::rle;
    case format::Region::point: break;
  }
  if (facts.table) return facts.locate == format::Locate::hash ? LevelKind::hashed : LevelKind::bytemap;
  if (facts.positions || facts.slots > 0) return LevelKind::compressed;
  return facts.locate == format::Locate::one ? LevelKind::pinpoint : LevelKind::singleton;
}

int level_flags(const Facts& facts) {
  return (facts.unique ? 0 : 1) | (facts.ordered ? 0 : 2) | (facts.decreasing ? 4 : 0) | (facts.wide ? 8 : 0) |
         (facts.bounded ? 16 : 0);
}

Facts as_appended(const Facts& facts) {
  if (facts.dense()) return facts;
  const bool runs = facts.region == format::Region::run;
  format::Level level;
  level.name = runs ? "sparse_rle" : facts.covaries() ? "singleton" : "compressed";
  Facts plain = format::facts(level);
  plain.unique = facts.unique;
  plain.decreasing = facts.decreasing;
  plain.wide = facts.wide;
  return plain;
}

int type_number(format::ScalarType type) {
  using format::ScalarType;
  switch (type) {
    case ScalarType::f64: return 0;
    case ScalarType::f32: return 1;
    case ScalarType::i64: return 2;
    case ScalarType::i32: return 3;
    case ScalarType::i16: return 4;
    case ScalarType::u64: return 5;
    case ScalarType::u32: return 6;
    case ScalarType::u8: return 7;
    case ScalarType::boolean: return 8;
  }
  return 0;
}

std::uint64_t fill_bits(const format::Value& fill) {
  return format::is_floating(fill.type) ? std::bit_cast<std::uint64_t>(fill.real)
                                        : static_cast<std::uint64_t>(fill.integer);
}

}  // namespace trellis::emit
