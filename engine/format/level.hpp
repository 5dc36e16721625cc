#pragma once
// What a level format is, as facts. Coiteration, packing and the emitter look at these alone, so that a new level
// format is a new row of the table in level.cpp, and code only where it does something that none does yet.
//
// A level maps (parent position, coordinate) to a child position. Along one parent it offers a sequence: disjoint
// regions of coordinates, each with one child position (a point, a run) or one per coordinate (a block). A region is an
// entry.
//
// Arrays that a level may have, per position of its parent or per entry:
//   positions    parents + 1 of them: the entries of parent p are positions[p] … positions[p+1] - 1. Without them,
//                entry p is the one of parent p; with slots p * slots … p * slots + slots - 1, where free ones stand
//                at the end, whose coordinates are the level's size, and which have an empty child.
//   coordinates  one per entry: the last coordinate of the region, in every level, so that one lower bound finds,
//                seeks and skips. Locate::one: -1 when the fiber has no region.
//   starts       one per entry of a run: its first coordinate (0 when there is none). A run without begins behind
//                the one before it, the first one at 0.
//   offsets      entries + 1 of them: the children of block q are offsets[q] … offsets[q+1] - 1, as many as its
//                coordinates. Without them, of a level with a width, q * width … q * width + width - 1, where
//                coordinates may lie behind the level's size.
//                Of a dense level within bounds parents + 1 of them: parent p's children, whose first coordinate is
//                starts[p], or 0 where there are no starts.
//
//   region q of         first coordinate                             child of coordinate i
//     a point           coordinates[q]                               q; parent p's: p; of Child::product p * size + i
//     a run             starts[q], else coordinates[q-1] + 1 or 0    q; parent p's: p
//     a block           coordinates[q] + 1 - (offsets[q+1] - offsets[q])
//                                                                    offsets[q+1] - 1 - (coordinates[q] - i)
//     dense, in bounds  starts[p], or 0                              offsets[p] + i - starts[p]
//
//   table        Locate::hash: table[0] is a mask, one less than a power of two; slot s, from
//                `hash(parent, coordinate) & mask` on, circularly, is table[1 + s]: an entry's number plus one, or 0
//                when free. Locate::direct: a byte per (parent, coordinate), whether it is stored.
// All but the bytes of a table are int32_t, or int64_t when the level is wide.
// Source: Chou, Kjolstad and Amarasinghe, Format abstraction for sparse tensor algebra compilers; Finch, section 3.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/format/format.hpp"

namespace trellis::format {

/// Whether an option is a number, as the slots of `compressed(4)` are.
bool is_count(std::string_view option);

enum class Region { point, block, run };
/// How a coordinate is found without walking: not at all; by its number; by bisection of the last coordinates; by
/// hashing; by comparing it with the ends of the only region, which entry p keeps for parent p.
enum class Locate { none, direct, binary, hash, one };
/// What the child position is: the entry's number; parent * size + coordinate; the parent's own position; counted from
/// where the block's children end.
enum class Child { entry, product, parent, offset };
enum class Array { values, positions, coordinates, table, starts, offsets };
/// Those that belong to a level; the values belong to none.
inline constexpr std::array level_arrays{Array::positions, Array::coordinates, Array::table, Array::starts,
                                         Array::offsets};
/// "positions", as files, JSON and generated code name it.
constexpr const char* name_of(Array which) {
  switch (which) {
    case Array::positions: return "positions";
    case Array::coordinates: return "coordinates";
    case Array::table: return "table";
    case Array::starts: return "starts";
    case Array::offsets: return "offsets";
    case Array::values: break;
  }
  return "values";
}

/// Whether a word such as `nonunique` stands behind the level's name.
bool has_option(const Level& level, std::string_view option);

struct Facts {
  Region region = Region::point;
  bool gaps = true;     ///< some coordinates may be absent
  bool pads = false;    ///< stores coordinates that nobody listed, and cannot tell them from fills that somebody did
  bool single = false;  ///< one region per fiber at most
  bool ordered = true;  ///< by coordinate, rising or, if `decreasing`, falling
  bool decreasing = false;
  bool unique = true;  ///< no coordinate twice in one fiber
  bool seek = true;    ///< can be opened in the middle
  bool wide = false;
  /// Of a temporary: entries are listed as they come, several for a coordinate, and sorted and added up in the end,
  /// wherever nobody looks before that (flow/list_entries.hpp). Of what is stored it says nothing.
  bool listed = false;
  Locate locate = Locate::binary;
  Child child = Child::entry;
  bool positions = true, coordinates = true, table = false, starts = false, offsets = false;
  std::int64_t slots = 0;  ///< so many entries in each fiber, some perhaps free; 0: as many as there are
  std::int64_t width = 0;  ///< so many coordinates in each block, some perhaps behind the level's size; 0: any number
  bool bounded = false;    ///< dense, within bounds: what lies beyond is nobody's to ask for

  /// No coordinate is absent: the values of a loop over all of them are all stored. Says nothing of how they are found.
  bool full() const { return !gaps; }
  /// Positions are computed, not stored.
  bool dense() const { return locate == Locate::direct && child == Child::product && !coordinates; }
  /// Some entries or coordinates may stand behind the level's size.
  bool overhangs() const { return slots > 0 || width > 0; }
  /// Entry p is the region of parent p.
  bool per_parent() const { return coordinates && !positions && slots == 0; }
  /// Each entry has one coordinate, rather than a run or a block of them.
  bool points() const { return region == Region::point; }
  /// The coordinates of a fiber rise, and may repeat unless `unique`.
  bool rises() const { return ordered && !decreasing; }
  /// What bisection and merging count on: each fiber a list of coordinates that rise, each of them once.
  bool sorted_list() const { return points() && rises() && unique && locate == Locate::binary; }
  /// Always has its one coordinate for each entry above it, which may repeat its own: a singleton.
  bool covaries() const { return child == Child::parent && locate != Locate::one; }
  bool operator==(const Facts&) const = default;
};

Facts facts(const Level& level);
/// Of all levels. The last one lists no coordinate twice, whatever its options: packing adds up what repeats, so that
/// an element is stored once.
std::vector<Facts> facts(const Format& format);
/// Whether values may be stored that nobody listed, and that cannot be told from fills that somebody did: then
/// conversion, `print` and files leave out what is the fill. Empty children of outer levels store no values, unless the
/// last level pads.
bool pads(const Format& format);
/// Whether the last level alone is one of runs, and no other one has regions: then runs end up as a kernel appends
/// them.
bool appends_runs(const Format& format);
/// Whether it is a level: `pattern`, which stands behind them, says that all values are the same.
bool available(const Level& level);
/// Why nothing can be stored in the format, such as "`singleton` needs a level above it that lists coordinates"; empty
/// if it can. A format with `pattern` holds booleans alone, which is the caller's to check.
std::string objection(const Format& format);

/// Of a hash table's slots, the same in generated code.
constexpr std::uint64_t hash(std::int64_t parent, std::int64_t coordinate) {
  return ((static_cast<std::uint64_t>(parent) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(coordinate)) *
          0xD1B54A32D192ED03u) >>
         32;
}

}  // namespace trellis::format
