// Helpers for tensors with sparse levels: searches in sorted and unsorted coordinates, and the tables of workspaces.

#include "engine/emit/prelude.hpp"

namespace trellis::emit {

namespace {

std::string named(std::string text, const std::string& suffix, bool wide) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  };
  replace("$S", suffix);
  replace("$C", wide ? "int64_t" : "int32_t");
  return text;
}

std::string suffix(bool wide) { return wide ? "_wide" : ""; }

/// The first entry that is not before x; `$L` is the comparison that says "before".
constexpr const char* seek_text =
    "static inline int64_t seek$S(const $C *crd, int64_t first, int64_t last, int64_t x) {\n"
    "  while (first < last) {\n"
    "    const int64_t middle = first + (last - first) / 2;\n"
    "    if (crd[middle] < x) first = middle + 1;\n"
    "    else last = middle;\n"
    "  }\n"
    "  return first;\n}\n";
constexpr const char* seek_down_text =
    "static inline int64_t seek_down$S(const $C *crd, int64_t first, int64_t last, int64_t x) {\n"
    "  while (first < last) {\n"
    "    const int64_t middle = first + (last - first) / 2;\n"
    "    if (crd[middle] >= x) first = middle + 1;\n"
    "    else last = middle;\n"
    "  }\n"
    "  return first;\n}\n";
constexpr const char* entries_text =
    "typedef struct {\n"
    "  int64_t count, room, mask;\n"
    "  int64_t *slots, *parent, *crd, *order, *start, *list;\n"
    "} entries;\n";
constexpr const char* slot_text =
    "static inline uint64_t hash(int64_t parent, int64_t x) {\n"
    "  return (((uint64_t)parent * 0x9E3779B97F4A7C15u + (uint64_t)x) * 0xD1B54A32D192ED03u) >> 32;\n}\n";
constexpr const char* find_entry_text =
    "static inline int64_t find_entry(const entries *e, int64_t parent, int64_t x) {\n"
    "  if (e->count == 0) return -1;\n"
    "  for (uint64_t s = hash(parent, x) & (uint64_t)e->mask;; s = (s + 1) & (uint64_t)e->mask) {\n"
    "    const int64_t p = e->slots[s] - 1;\n"
    "    if (p < 0 || (e->crd[p] == x && e->parent[p] == parent)) return p;\n"
    "  }\n}\n";
constexpr const char* insert_text =
    "static int widen(entries *e) {\n"
    "  const int64_t room = e->room > 0 ? 2 * e->room : 64, slots = 2 * room;\n"
    "  int64_t *parent = realloc(e->parent, (unsigned long)room * 8);\n"
    "  if (parent) e->parent = parent;\n"
    "  int64_t *crd = realloc(e->crd, (unsigned long)room * 8);\n"
    "  if (crd) e->crd = crd;\n"
    "  int64_t *table = calloc((unsigned long)slots, 8);\n"
    "  if (!parent || !crd || !table) {\n    free(table);\n    return 0;\n  }\n"
    "  free(e->slots);\n"
    "  e->slots = table;\n"
    "  e->room = room;\n"
    "  e->mask = slots - 1;\n"
    "  for (int64_t p = 0; p < e->count; p++) {\n"
    "    uint64_t s = hash(e->parent[p], e->crd[p]) & (uint64_t)e->mask;\n"
    "    while (table[s] != 0) s = (s + 1) & (uint64_t)e->mask;\n"
    "    table[s] = p + 1;\n"
    "  }\n"
    "  return 1;\n}\n"
    "static int64_t insert(entries *e, int64_t parent, int64_t x) {\n"
    "  if (e->count == e->room && !widen(e)) return -1;\n"
    "  uint64_t s = hash(parent, x) & (uint64_t)e->mask;\n"
    "  for (; e->slots[s] != 0; s = (s + 1) & (uint64_t)e->mask) {\n"
    "    const int64_t p = e->slots[s] - 1;\n"
    "    if (e->crd[p] == x && e->parent[p] == parent) return p;\n"
    "  }\n"
    "  e->crd[e->count] = x;\n"
    "  e->parent[e->count] = parent;\n"
    "  e->slots[s] = ++e->count;\n"
    "  return e->count - 1;\n}\n";
/// Counting sort by parent, then the coordinates of each fiber, which its entries are found by.
constexpr const char* order_text =
    "static int order_entries(entries *e, int64_t parents) {\n"
    "  int64_t *start = realloc(e->start, (unsigned long)(parents + 2) * 8);\n"
    "  if (start) e->start = start;\n"
    "  int64_t *order = realloc(e->order, (unsigned long)(e->count + 1) * 8);\n"
    "  if (order) e->order = order;\n"
    "  int64_t *list = realloc(e->list, (unsigned long)(e->count + 1) * 8);\n"
    "  if (list) e->list = list;\n"
    "  if (!start || !order || !list) return 0;\n"
    "  for (int64_t p = 0; p < parents + 2; p++) start[p] = 0;\n"
    "  for (int64_t k = 0; k < e->count; k++) start[e->parent[k] + 2]++;\n"
    "  for (int64_t p = 2; p < parents + 2; p++) start[p] += start[p - 1];\n"
    "  for (int64_t k = 0; k < e->count; k++) order[start[e->parent[k] + 1]++] = k;\n"
    "  for (int64_t p = 0; p < parents; p++) {\n"
    "    int64_t *fiber = order + start[p];\n"
    "    const int64_t count = start[p + 1] - start[p];\n"
    "    int64_t sorted = 1;\n"
    "    while (sorted < count && e->crd[fiber[sorted - 1]] < e->crd[fiber[sorted]]) sorted++;\n"
    "    if (sorted >= count) continue;\n"
    "    for (int64_t k = 0; k < count; k++) list[k] = e->crd[fiber[k]];\n"
    "    sort_wide(list, count);\n"
    "    for (int64_t k = 0; k < count; k++) fiber[k] = find_entry(e, p, list[k]);\n"
    "  }\n"
    "  return 1;\n}\n";
/// Different coordinates that are near each other, 2048 apart on average at most: each is a bit of `marks`, a word of which is a bit
/// of `used`, and reading both in order is 3 to 10 times as fast as a quicksort, since little of it cannot be foreseen. libtcc has
/// no instruction that finds a bit. In a frame of its own, as the quicksort calls itself.
constexpr const char* sort_near_text =
    "#ifdef __TINYC__\n#define sort_near$S(list, count) 0\n#else\n"
    "__attribute__((__noinline__)) static int sort_near$S($C *list, int64_t count) {\n"
    "  $C low = list[0], high = list[0];\n"
    "  for (int64_t k = 1; k < count; k++) {\n"
    "    low = list[k] < low ? list[k] : low;\n"
    "    high = list[k] > high ? list[k] : high;\n"
    "  }\n"
    "  const uint64_t span = (uint64_t)high - (uint64_t)low;\n"
    "  if (span >= 262144 || span >= 2048 * (uint64_t)count) return 0;\n"
    "  uint64_t marks[4096], used[64];\n"
    "  memset(marks, 0, (span / 64 + 1) * 8);\n"
    "  memset(used, 0, (span / 4096 + 1) * 8);\n"
    "  for (int64_t k = 0; k < count; k++) {\n"
    "    const uint64_t x = (uint64_t)list[k] - (uint64_t)low;\n"
    "    marks[x / 64] |= (uint64_t)1 << x % 64;\n"
    "    used[x / 4096] |= (uint64_t)1 << x / 64 % 64;\n"
    "  }\n"
    "  for (uint64_t g = 0; g <= span / 4096; g++) {\n"
    "    for (uint64_t group = used[g]; group; group &= group - 1) {\n"
    "      const uint64_t w = 64 * g + (uint64_t)__builtin_ctzll(group);\n"
    "      for (uint64_t word = marks[w]; word; word &= word - 1) *list++ = ($C)((uint64_t)low + 64 * w + (uint64_t)__builtin_ctzll(word));\n"
    "    }\n"
    "  }\n"
    "  return 1;\n}\n#endif\n";
/// Of different coordinates. Rising runs are common and left alone; short lists by insertion, long ones by quicksort on a median
/// until what is left is near each other.
constexpr const char* sort_text =
    "static void sort$S($C *list, int64_t count) {\n"
    "  while (count > 8) {\n"
    "    int64_t sorted = 1;\n"
    "    while (sorted < count && list[sorted - 1] < list[sorted]) sorted++;\n"
    "    if (sorted == count || sort_near$S(list, count)) return;\n"
    "    if (count <= 24) break;\n"
    "    const $C a = list[0], b = list[count / 2], c = list[count - 1];\n"
    "    const $C pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);\n"
    "    int64_t low = 0, high = count - 1;\n"
    "    while (low <= high) {\n"
    "      while (list[low] < pivot) low++;\n"
    "      while (list[high] > pivot) high--;\n"
    "      if (low <= high) {\n"
    "        const $C other = list[low];\n"
    "        list[low++] = list[high];\n"
    "        list[high--] = other;\n"
    "      }\n"
    "    }\n"
    "    if (high + 1 < count - low) {\n"
    "      sort$S(list, high + 1);\n"
    "      list += low;\n"
    "      count -= low;\n"
    "    } else {\n"
    "      sort$S(list + low, count - low);\n"
    "      count = high + 1;\n"
    "    }\n"
    "  }\n"
    "  for (int64_t k = 1; k < count; k++) {\n"
    "    const $C x = list[k];\n"
    "    int64_t at = k;\n"
    "    for (; at > 0 && list[at - 1] > x; at--) list[at] = list[at - 1];\n"
    "    list[at] = x;\n"
    "  }\n}\n";

}  // namespace

std::string Prelude::use_seek(bool wide, bool falling) {
  const std::string name = (falling ? "seek_down" : "seek") + suffix(wide);
  define(name, named(falling ? seek_down_text : seek_text, suffix(wide), wide));
  return name;
}

std::string Prelude::use_find(bool wide, Sorted sorted) {
  const std::string name = (sorted == Sorted::rising ? "find" : sorted == Sorted::falling ? "find_down" : "find_any") + suffix(wide);
  if (known_.count(name)) return name;
  std::string search = "  while (first < last && crd[first] != x) first++;\n";
  if (sorted == Sorted::rising) search = "  first = " + use_seek(wide, false) + "(crd, first, last, x);\n";
  if (sorted == Sorted::falling) search = "  first = " + use_seek(wide, true) + "(crd, first, last, x + 1);\n";
  define(name, named("static inline int64_t " + name + "(const $C *crd, int64_t first, int64_t last, int64_t x) {\n" + search +
                         "  return first < last && crd[first] == x ? first : -1;\n}\n",
                     "", wide));
  return name;
}

std::string Prelude::use_march(bool wide) {
  const std::string name = "march" + suffix(wide);
  define(name, named("static inline int64_t march$S(const $C *crd, int64_t *next, int64_t first, int64_t last, int64_t x) {\n"
                     "  int64_t p = *next < first ? first : *next;\n"
                     "  while (p < last && crd[p] < x) p++;\n"
                     "  *next = p;\n"
                     "  return p < last && crd[p] == x ? p : -1;\n}\n",
                     suffix(wide), wide));
  return name;
}

std::string Prelude::use_find_end(bool wide) {
  const std::string name = "find_end" + suffix(wide);
  define(name, named("static inline int64_t find_end$S(const $C *crd, int64_t first, int64_t last) {\n"
                     "  int64_t end = first + 1;\n"
                     "  while (end < last && crd[end] == crd[first]) end++;\n"
                     "  return end;\n}\n",
                     suffix(wide), wide));
  return name;
}

std::string Prelude::use_find_direct() {
  define("find_direct",
         "static inline int64_t find_direct(const uint8_t *table, int64_t parent, int64_t size, int64_t x) {\n"
         "  return (uint64_t)x < (uint64_t)size && table[parent * size + x] ? parent * size + x : -1;\n}\n");
  return "find_direct";
}

std::string Prelude::use_find_hashed(bool wide) {
  const std::string name = "find_hashed" + suffix(wide);
  if (known_.count(name)) return name;
  define("hash", slot_text);
  define(name, named("static inline int64_t find_hashed$S(const $C *table, const $C *crd, int64_t parent, int64_t first, int64_t last, int64_t x) {\n"
                     "  for (uint64_t s = hash(parent, x) & (uint64_t)table[0];; s = (s + 1) & (uint64_t)table[0]) {\n"
                     "    const int64_t p = table[1 + s] - 1;\n"
                     "    if (p < 0 || (p >= first && p < last && crd[p] == x)) return p;\n"
                     "  }\n}\n",
                     suffix(wide), wide));
  return name;
}

std::string Prelude::use_sort(bool wide) {
  const std::string name = "sort" + suffix(wide);
  use_clear();
  define("sort_near" + suffix(wide), named(sort_near_text, suffix(wide), wide));
  define(name, named(sort_text, suffix(wide), wide));
  return name;
}

std::string Prelude::use_entries() {
  define("entries", entries_text);
  return "entries";
}

std::string Prelude::use_find_entry() {
  use_entries();
  define("hash", slot_text);
  define("find_entry", find_entry_text);
  return "find_entry";
}

std::string Prelude::use_insert() {
  use_entries();
  use_memory();
  define("realloc", "void *realloc(void *memory, unsigned long bytes);\n");
  define("calloc", "void *calloc(unsigned long count, unsigned long bytes);\n");
  define("hash", slot_text);
  define("insert", insert_text);
  return "insert";
}

std::string Prelude::use_order() {
  use_memory();
  use_find_entry();
  use_sort(true);
  define("realloc", "void *realloc(void *memory, unsigned long bytes);\n");
  define("order_entries", order_text);
  return "order_entries";
}

std::string Prelude::use_empty() {
  use_entries();
  define("empty",
         "static void empty(entries *e) {\n"
         "  e->count = 0;\n"
         "  for (int64_t s = 0; e->room > 0 && s <= e->mask; s++) e->slots[s] = 0;\n}\n");
  return "empty";
}

std::string Prelude::use_release() {
  use_entries();
  use_memory();
  define("release",
         "static void release(entries *e) {\n"
         "  free(e->slots);\n  free(e->parent);\n  free(e->crd);\n  free(e->order);\n  free(e->start);\n  free(e->list);\n}\n");
  return "release";
}

std::string Prelude::use_seek_entry() {
  define("seek_entry",
         "static inline int64_t seek_entry(const int64_t *crd, const int64_t *order, int64_t first, int64_t last, int64_t x) {\n"
         "  while (first < last) {\n"
         "    const int64_t middle = first + (last - first) / 2;\n"
         "    if (crd[order[middle]] < x) first = middle + 1;\n"
         "    else last = middle;\n"
         "  }\n"
         "  return first;\n}\n");
  return "seek_entry";
}

std::string Prelude::use_grow() {
  define("realloc", "void *realloc(void *memory, unsigned long bytes);\n");
  return "realloc";
}

std::string Prelude::use_clear() {
  define("memset", "void *memset(void *memory, int value, unsigned long bytes);\n");
  return "memset";
}

std::string Prelude::use_zeroed() {
  use_memory();
  define("calloc", "void *calloc(unsigned long count, unsigned long bytes);\n");
  define("zeroed",
         "static void *zeroed(int64_t count, int64_t bytes) {\n"
         "  return count < 0 ? 0 : calloc(count > 0 ? (unsigned long)count : 1, (unsigned long)bytes);\n}\n");
  return "zeroed";
}

void Prelude::use_limits() {
  define("INT64_MAX", "#define INT64_MAX 9223372036854775807\n#define INT64_MIN (-9223372036854775807 - 1)\n");
}

}  // namespace trellis::emit
