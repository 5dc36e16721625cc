#pragma once
// What a tensor's levels keep: format/level.hpp in memory. For this folder; others ask Tensor::array.
//
//   csr of [[1, 0, 2], [0, 0, 0]]       level 0   dense        parents 1, entries 0
//                                       level 1   compressed   parents 2, entries 2: positions 0 2 2, coordinates 0 2
//                                       values    1 2

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/format/level.hpp"
#include "engine/tensor/shared_array.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// Positions, coordinates, starts, offsets or a hash table: int32_t each, or int64_t of a wide level.
struct Numbers {
  void* data = nullptr;
  bool wide = false;

  std::int64_t operator[](std::int64_t k) const {
    return wide ? static_cast<const std::int64_t*>(data)[k] : static_cast<const std::int32_t*>(data)[k];
  }
  void set(std::int64_t k, std::int64_t value) {
    if (wide) static_cast<std::int64_t*>(data)[k] = value;
    else static_cast<std::int32_t*>(data)[k] = static_cast<std::int32_t>(value);
  }
};

struct LevelStorage {
  format::Facts facts;
  std::int64_t size = 0;     ///< of the dimension
  std::int64_t parents = 1;  ///< positions of the level above
  std::int64_t entries = 0;  ///< coordinates that are listed
  std::int64_t within = 0;   ///< of a level in bounds: its children in all
  std::shared_ptr<SharedArray> positions = {}, coordinates = {}, table = {}, starts = {}, offsets = {};

  std::size_t width() const { return facts.wide ? 8 : 4; }
  Numbers position_numbers() const { return {positions ? positions->data() : nullptr, facts.wide}; }
  Numbers coordinate_numbers() const { return {coordinates ? coordinates->data() : nullptr, facts.wide}; }
  Numbers start_numbers() const { return {starts ? starts->data() : nullptr, facts.wide}; }
  Numbers offset_numbers() const { return {offsets ? offsets->data() : nullptr, facts.wide}; }
  Numbers slots() const { return {table->data(), facts.wide}; }  ///< of a hash table, the mask first
  std::uint8_t* bytes() const { return static_cast<std::uint8_t*>(table->data()); }  ///< of Locate::direct
  /// Positions for the level below; -1 on overflow.
  std::int64_t children() const;
  struct Entries {
    std::int64_t begin = 0, end = 0;
  };
  /// Of a parent; a level without coordinates has none.
  Entries fiber(std::int64_t parent) const;
  /// The coordinates below a parent of a level that lists none: to before `end`.
  Entries coordinates_below(std::int64_t parent) const;
  /// Of Child::product: where a coordinate's child is.
  std::int64_t product(std::int64_t parent, std::int64_t c) const {
    if (!facts.bounded) return parent * size + c;
    return offset_numbers()[parent] + c - (facts.starts ? start_numbers()[parent] : 0);
  }
  struct Region {
    std::int64_t first = 0, last = -1;  ///< coordinates; (0, -1): none
    std::int64_t child = 0;             ///< of the first one; of a run, of all
  };
  /// Of an entry of the fiber that begins with entry `begin`; not of Child::product.
  Region region(std::int64_t entry, std::int64_t begin) const;
  /// The child of a coordinate of the region.
  std::int64_t child(const Region& region, std::int64_t c) const {
    return facts.region == format::Region::block ? region.child + c - region.first : region.child;
  }
  /// Coordinate c lies behind d in a fiber.
  bool after(std::int64_t c, std::int64_t d) const { return facts.decreasing ? c < d : c > d; }
};

struct Storage {
  std::vector<LevelStorage> levels;
  std::shared_ptr<SharedArray> values;  ///< none of a pattern
  std::int64_t places = 0;              ///< among the values: the last level's children
  std::int64_t stored = 0;              ///< elements
  std::int64_t capacity = -1;           ///< of a reserved tensor, else -1

  /// Counts each level's parents and the places, out of sizes and entries. False on overflow.
  bool count_places();
  /// The same, and then what is stored, which may read the arrays.
  bool count();
};

/// Calls `visit(parent, range)` for each parent of level `l`, which has these bounds, below dense levels alone.
void for_each_bounded(const std::vector<LevelStorage>& levels, std::span<const format::Level> formats, std::size_t l,
                      const std::function<void(std::int64_t, format::Bounds::Range)>& visit);

/// Levels without arrays, in storage order. Where nothing is listed, a full level of runs has one in each fiber.
Storage outline(const Index& shape, const format::Format& format);

/// The format whose levels are as a kernel leaves them: no tables, runs as they came, other regions coordinate by
/// coordinate.
format::Format as_appended(const format::Format& format);

/// The first level whose 32-bit coordinates cannot count its dimension.
std::optional<std::size_t> level_too_narrow(const Index& shape, const format::Format& format);

/// Makes the tables of the levels that have one. False when memory is refused.
bool build_tables(Storage& storage);

/// Bytes that an array of `count` hash slots of a level takes, with the mask.
std::int64_t slots_for(std::int64_t entries);

/// Calls `use` with a typed pointer to values; bool is stored as a byte.
template <class Use>
auto with_elements(format::ScalarType type, void* data, Use&& use) {
  using format::ScalarType;
  switch (type) {
    case ScalarType::f64: return use(static_cast<double*>(data));
    case ScalarType::f32: return use(static_cast<float*>(data));
    case ScalarType::i64: return use(static_cast<std::int64_t*>(data));
    case ScalarType::i32: return use(static_cast<std::int32_t*>(data));
    case ScalarType::i16: return use(static_cast<std::int16_t*>(data));
    case ScalarType::u64: return use(static_cast<std::uint64_t*>(data));
    case ScalarType::u32: return use(static_cast<std::uint32_t*>(data));
    case ScalarType::u8:
    case ScalarType::boolean: break;
  }
  return use(static_cast<std::uint8_t*>(data));
}

/// The value's bits as an element type has them.
template <class T>
T stored_as(const format::Value& value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value.real);
  else return static_cast<T>(value.integer);
}

template <class T>
format::Value value_of(format::ScalarType type, T element) {
  if constexpr (std::is_floating_point_v<T>) return {type, element, 0};
  else return {type, 0, static_cast<std::int64_t>(element)};
}

/// Whether the value is all zero bits, as fresh memory is.
bool is_zero_bits(const format::Value& value);
/// Equality for which a not-a-number is itself, and a minus zero is no zero.
bool same_value(const format::Value& a, const format::Value& b);
/// Saturates at 2^63 - 1.
std::int64_t times(std::int64_t a, std::int64_t b);

}  // namespace trellis::tensor
