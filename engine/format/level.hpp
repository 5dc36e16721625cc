#pragma once
// What a level format is, as facts. Coiteration, packing and the emitter look at these alone, so that a new level format is
// a new row of the table in level.cpp, and code only where it does something that none does yet.
//
// A level maps (parent position, coordinate) to a child position. Along one parent it offers a sequence: disjoint regions of
// coordinates, each with one child position (a point, a run) or one per coordinate (a block).
//
// Arrays that a level may have, per position of its parent or per entry:
//   positions    parents + 1 of them: the entries of parent p are positions[p] … positions[p+1] - 1
//   coordinates  one per entry
//   table        Locate::hash: table[0] is a mask, one less than a power of two; slot s, from `hash(parent, coordinate) & mask`
//                on, circularly, is table[1 + s]: an entry's number plus one, or 0 when free. Locate::direct: a byte per
//                (parent, coordinate), whether it is stored.
// positions and coordinates (and a hash table) are int32_t, or int64_t when the level is wide.
// Source: Chou, Kjolstad and Amarasinghe, Format abstraction for sparse tensor algebra compilers; Finch, section 3.

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/format/format.hpp"

namespace trellis::format {

enum class Region { point, block, run };
/// How a coordinate is found without walking: not at all; by its number; by bisection; by hashing.
enum class Locate { none, direct, binary, hash };
/// What the child position is: the entry's number; parent * size + coordinate; the parent's own position.
enum class Child { entry, product, parent };
enum class Array { values, positions, coordinates, table };

/// Whether a word such as `nonunique` stands behind the level's name.
bool has_option(const Level& level, std::string_view option);

struct Facts {
  Region region = Region::point;
  bool gaps = true;         ///< some coordinates may be absent
  bool single = false;      ///< one region per fiber at most
  bool ordered = true;      ///< by coordinate, rising or, if `decreasing`, falling
  bool decreasing = false;
  bool unique = true;       ///< no coordinate twice in one fiber
  bool seek = true;         ///< can be opened in the middle
  bool wide = false;
  Locate locate = Locate::binary;
  Child child = Child::entry;
  bool positions = true, coordinates = true, table = false;

  bool full() const { return !gaps; }
  bool operator==(const Facts&) const = default;
};

Facts facts(const Level& level);
/// Of all levels. The last one lists no coordinate twice, whatever its options: packing adds up what repeats, so that an
/// element is stored once.
std::vector<Facts> facts(const Format& format);
/// Whether the engine can compile and store the level; runs, blocks and layouts are names only so far.
bool available(const Level& level);
/// Why nothing can be stored in the format, such as "`singleton` needs a level above it that lists coordinates"; empty if
/// it can. A format with `pattern` holds booleans alone, which is the caller's to check.
std::string objection(const Format& format);

/// Of a hash table's slots, the same in generated code.
constexpr std::uint64_t hash(std::int64_t parent, std::int64_t coordinate) {
  return ((static_cast<std::uint64_t>(parent) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(coordinate)) * 0xD1B54A32D192ED03u) >> 32;
}

}  // namespace trellis::format
