#pragma once
// What a kernel's C needs before its function: types, prototypes of the few library functions used, and small inline
// helpers for what the language defines and C does not (rounding division, saturating casts, checks). Their C stands in
// prelude/ (helper_text.hpp); only what was asked for is printed, so that libtcc has little to read.

#include <set>
#include <string>
#include <vector>

#include "engine/format/scalar.hpp"

namespace trellis::emit {

enum class Helper {
  record,    ///< keeps the first fault
  at,        ///< at(index, size, fault, site): the index, or 0 and a fault
  slot,      ///< slot(entry, capacity, fault, site): the entry, or 0 and a fault
  allocate,  ///< allocate(count, bytes each): null when refused
  times,     ///< product of sizes; -1 on overflow
  ahead,     ///< ahead(entry, count): the entry to fetch rows for while this one is dealt with
  fetch,     ///< fetch(row): from memory, ahead of its use
  stream,    ///< stream(next, rows, count): the same where `count` entries of short rows are too many for caches
  in_turn,   ///< in_turn(): iterations of the loop around it are not run several at once
  unsure,    ///< unsure(end): the compiler must not count on `end` to stay
  floor_div,
  floor_mod,  ///< the divisor is known to be neither 0 nor -1
  div,
  mod,  ///< (a, b, fault, site)
  mod_real,
  power,
  square,
  cube,
  min,
  max,
  same,
  abs,
  sign,
  shift_left,
  to,  ///< from double, saturating
};

class Prelude {
 public:
  enum class Threads { one, many };
  explicit Prelude(Threads threads) : threads_(threads) {}

  /// The C name to call; its definition is printed from now on. `type` matters for the helpers that exist for each
  /// type.
  std::string use(Helper helper, format::ScalarType type = format::ScalarType::i64);
  /// A function of <math.h>, `sqrtf` for f32.
  std::string use_math(std::string_view name, int arguments, format::ScalarType type);
  std::string use_infinity();
  std::string use_nan();
  void use_memory();  ///< malloc and free

  // For tensors with sparse levels (sparse_prelude.cpp). Coordinates are int32_t, or int64_t when `wide`.
  enum class Sorted { rising, falling, no };
  enum class Likely { any, first, last };
  std::string use_seek(bool wide, Likely end);  ///< where coordinates rise; that is likely an end of the fiber
  /// The first entry at or after a coordinate, from an entry on that is likely to be near.
  std::string use_gallop(bool wide);
  std::string use_march_near(bool wide, bool returns);  ///< as use_march, but the first entry at or behind x
  std::string use_rows_before(bool wide);               ///< (pos, rows, at)
  std::string use_thread_count();
  std::string use_seek(bool wide, bool falling);   ///< (crd, first, last, x): the first entry at or behind x
  std::string use_find(bool wide, Sorted sorted);  ///< (crd, first, last, x): the entry at x, or -1
  std::string use_march(bool wide,
                        bool returns);  ///< (crd, next, first, last, x): the same, for an x that never falls, or seldom
  std::string use_find_end(bool wide);  ///< (crd, first, last): behind the entries that are equal to the first
  std::string use_find_direct();        ///< (table, parent, size, x): the position, or -1
  std::string use_find_hashed(bool wide);    ///< (table, crd, parent, first, last, x)
  std::string use_sort(bool wide);           ///< (list, count)
  std::string use_entries();                 ///< the type of a hashed level of a workspace
  std::string use_insert();                  ///< (entries, parent, x): the entry, new or not; -1: no memory
  std::string use_find_entry();              ///< (entries, parent, x): the entry, or -1
  std::string use_list_entry();              ///< (entries, parent, x): a new entry; -1: no memory
  std::string use_sort_entries();            ///< (entries, parents): sorts what is listed; how many entries that was
  std::string use_order();                   ///< (entries, parents): sorts them for a walk; 0 when memory is refused
  std::string use_empty();                   ///< (entries): forgets all
  std::string use_release();                 ///< (entries)
  std::string use_seek_entry();              ///< (crd, order, first, last, x)
  std::string use_grow();                    ///< (array, count, bytes each): a larger copy, or null
  std::string use_more_room();               ///< (tensor, capacity, needed, fault, site): its capacity then
  std::string use_clear();                   ///< memset
  std::string use_zeroed();                  ///< (count, bytes each): null when refused
  std::string use_tasks(bool wide);          ///< (pos, crd, low, high, down, room for 4 (high - low) + 1)
  std::string use_await();                   ///< (flag of what is waited for)
  std::string use_finish();                  ///< (flag)
  std::string use_map_positions(bool wide);  ///< (pos, crd, fibers; pos, crd, fibers of the one across; map)
  std::string use_no_positions(bool wide);   ///< (count): an array of -1, or null when refused
  std::string use_tabulate(bool wide, bool mapped);  ///< (crd, first, last, [map], table)
  std::string use_untabulate(bool wide);             ///< (crd, first, last, table)
  std::string use_move_on(bool wide);                ///< (pos, crd, lists, after, next, x)
  std::string use_set_words();                       ///< (n): words of an ordered set
  std::string use_set_enter();                       ///< (set, n, x)
  std::string use_set_leave();                       ///< (set, n, x): and all that is near
  std::string use_set_nearest(bool backward);        ///< (set, n, x): the nearest that is not before it
  void use_tensors(const std::string& part);         ///< of prelude/tensors.c
  void use_ranks();                                  ///< of abi/trellis_ranks.h
  void use_limits();                                 ///< INT64_MIN and INT64_MAX

  std::string text() const;

 private:
  void define(const std::string& name, const std::string& text);
  std::string define_once(const std::string& helper);
  std::string define_for(bool wide, const std::string& helper);
  Threads threads_;
  std::set<std::string> known_;
  std::string text_;
};

/// What a helper is called for values of the type; those that need none have one name.
std::string helper_name(Helper helper, format::ScalarType type);

}  // namespace trellis::emit
