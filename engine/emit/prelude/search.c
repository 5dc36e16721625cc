// Searches among the coordinates of one fiber of a sparse tensor, which are `crd[first]` to `crd[last - 1]`.

// The first entry at or after x.
//: seek
static inline int64_t seek_CRD(const CRD *crd, int64_t first, int64_t last, int64_t x) {
  while (first < last) {
    const int64_t middle = first + (last - first) / 2;
    if (crd[middle] < x) first = middle + 1;
    else last = middle;
  }
  return first;
}

// The same, likely the first one, or behind the last.
//: seek_first
static inline int64_t seek_first_CRD(const CRD *crd, int64_t first, int64_t last, int64_t x) {
  if (first >= last || crd[first] >= x) return first;
  if (last - first > 1 && crd[first + 1] >= x) return first + 1;
  return seek_CRD(crd, first + 1, last, x);
}

//: seek_last
static inline int64_t seek_last_CRD(const CRD *crd, int64_t first, int64_t last, int64_t x) {
  if (first < last && crd[last - 1] < x) return last;
  if (last - first > 1 && crd[last - 2] < x) return last - 1;
  return seek_CRD(crd, first, last, x);
}

// The same for an x that is behind what stands before: eight steps, and then in growing ones.
//: gallop
static inline int64_t gallop_CRD(const CRD *crd, int64_t first, int64_t last, int64_t x) {
  const int64_t near = last - first < 8 ? last : first + 8;
  while (first < near && crd[first] < x) first++;
  if (first < near || first == last) return first;
  int64_t step = 8;
  while (first + step <= last && crd[first + step - 1] < x) {
    first += step;
    step += step;
  }
  return seek_CRD(crd, first, first + step < last ? first + step : last, x);
}

// The same where coordinates fall.
//: seek_down
static inline int64_t seek_down_CRD(const CRD *crd, int64_t first, int64_t last, int64_t x) {
  while (first < last) {
    const int64_t middle = first + (last - first) / 2;
    if (crd[middle] >= x) first = middle + 1;
    else last = middle;
  }
  return first;
}

// The entry at x, or -1.
//: find
static inline int64_t find_CRD(const CRD *crd, int64_t first, int64_t last, int64_t x) {
  first = seek_CRD(crd, first, last, x);
  return first < last && crd[first] == x ? first : -1;
}

//: find_down
static inline int64_t find_down_CRD(const CRD *crd, int64_t first, int64_t last, int64_t x) {
  first = seek_down_CRD(crd, first, last, x + 1);
  return first < last && crd[first] == x ? first : -1;
}

//: find_any
static inline int64_t find_any_CRD(const CRD *crd, int64_t first, int64_t last, int64_t x) {
  while (first < last && crd[first] != x) first++;
  return first < last && crd[first] == x ? first : -1;
}

// The same for an x that never falls: the search goes on from where the one before ended.
//: march
static inline int64_t march_CRD(const CRD *crd, int64_t *next, int64_t first, int64_t last, int64_t x) {
  int64_t p = *next < first ? first : *next;
  while (p < last && crd[p] < x) p++;
  *next = p;
  return p < last && crd[p] == x ? p : -1;
}

// The same, but the first entry at or after x.
//: march_near
static inline int64_t march_near_CRD(const CRD *crd, int64_t *next, int64_t first, int64_t last, int64_t x) {
  int64_t p = *next < first ? first : *next;
  while (p < last && crd[p] < x) p++;
  return *next = p;
}

// The same for an x that seldom falls: then the pointer goes back. It goes on in growing steps, for fibers that are much longer than
// what is asked of them.
//: march_back_near
static inline int64_t march_back_near_CRD(const CRD *crd, int64_t *next, int64_t first, int64_t last, int64_t x) {
  int64_t p = *next < first ? first : *next;
  if (p > first && crd[p - 1] >= x) return *next = seek_CRD(crd, first, p - 1, x);
  int64_t step = 1;
  while (p + step <= last && crd[p + step - 1] < x) {
    p += step;
    step += step;
  }
  return *next = step == 1 ? p : seek_CRD(crd, p, p + step < last ? p + step : last, x);
}

//: march_back
static inline int64_t march_back_CRD(const CRD *crd, int64_t *next, int64_t first, int64_t last, int64_t x) {
  const int64_t p = march_back_near_CRD(crd, next, first, last, x);
  return p < last && crd[p] == x ? p : -1;
}

// After the entries that are equal to the first.
//: find_end
static inline int64_t find_end_CRD(const CRD *crd, int64_t first, int64_t last) {
  int64_t end = first + 1;
  while (end < last && crd[end] == crd[first]) end++;
  return end;
}

// The position, or -1, from a table of which coordinates are present.
//: find_direct
static inline int64_t find_direct(const uint8_t *table, int64_t parent, int64_t size, int64_t x) {
  return (uint64_t)x < (uint64_t)size && table[parent * size + x] ? parent * size + x : -1;
}

// Hash tables, of storage and of workspaces.
//: hash
static inline uint64_t hash(int64_t parent, int64_t x) {
  return (((uint64_t)parent * 0x9E3779B97F4A7C15u + (uint64_t)x) * 0xD1B54A32D192ED03u) >> 32;
}

//: find_hashed
static inline int64_t find_hashed_CRD(const CRD *table, const CRD *crd, int64_t parent, int64_t first, int64_t last, int64_t x) {
  for (uint64_t s = hash(parent, x) & (uint64_t)table[0];; s = (s + 1) & (uint64_t)table[0]) {
    const int64_t p = table[1 + s] - 1;
    if (p < 0 || (p >= first && p < last && crd[p] == x)) return p;
  }
}

// As seek, where `order` sorts the entries.
//: seek_entry
static inline int64_t seek_entry(const int64_t *crd, const int64_t *order, int64_t first, int64_t last, int64_t x) {
  while (first < last) {
    const int64_t middle = first + (last - first) / 2;
    if (crd[order[middle]] < x) first = middle + 1;
    else last = middle;
  }
  return first;
}

// Fibers wait in the list of the coordinate of their next entry. Those in list i move on, and fiber i begins to wait.
//: move_on
static void move_on_CRD(const CRD *pos, const CRD *crd, int64_t *lists, int64_t *after, int64_t *next, int64_t i) {
  for (int64_t k = lists[i], behind; k >= 0; k = behind) {
    behind = after[k];
    const int64_t p = ++next[k];
    if (p < pos[k + 1]) {
      after[k] = lists[crd[p]];
      lists[crd[p]] = k;
    }
  }
  int64_t p = pos[i];
  while (p < pos[i + 1] && crd[p] <= i) p++;
  if (p == pos[i + 1]) return;
  next[i] = p;
  after[i] = lists[crd[p]];
  lists[crd[p]] = i;
}

// Where a tensor has the entries of another one that is stored across, and -1 where it has none. Behind the map is room
// for as many numbers as there are fibers: how far each of them has been come by.
//: map_positions
static void map_positions_CRD(const CRD *pos, const CRD *crd, int64_t fibers, const CRD *pos_across,
                              const CRD *crd_across, int64_t fibers_across, CRD *map) {
  CRD *next = map + pos_across[fibers_across];
  for (int64_t k = 0; k < fibers; k++) next[k] = pos[k];
  for (int64_t i = 0; i < fibers_across; i++) {
    for (int64_t q = pos_across[i]; q < pos_across[i + 1]; q++) {
      const int64_t k = crd_across[q];
      int64_t p = next[k];
      while (p < pos[k + 1] && crd[p] < i) p++;
      map[q] = p < pos[k + 1] && crd[p] == i ? p : -1;
      next[k] = p;
    }
  }
}

// A table of a fiber's entries by coordinate: empty, filled, emptied again.
//: no_positions
static CRD *no_positions_CRD(int64_t count) {
  CRD *table = allocate(count, sizeof(CRD));
  for (int64_t k = 0; table && k < count; k++) table[k] = -1;
  return table;
}

//: tabulate
static inline void tabulate_CRD(const CRD *crd, int64_t first, int64_t last, CRD *table) {
  for (int64_t p = first; p < last; p++) table[crd[p]] = p;
}

//: tabulate_mapped
static inline void tabulate_mapped_CRD(const CRD *crd, int64_t first, int64_t last, const CRD *map, CRD *table) {
  for (int64_t p = first; p < last; p++) table[crd[p]] = map[p];
}

//: untabulate
static inline void untabulate_CRD(const CRD *crd, int64_t first, int64_t last, CRD *table) {
  for (int64_t p = first; p < last; p++) table[crd[p]] = -1;
}

// Of rows and entries in one sequence, each row behind its entries: how many rows are among the first `at`.
//: rows_before
static inline int64_t rows_before_CRD(const CRD *pos, int64_t rows, int64_t at) {
  int64_t low = 0, high = rows;
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (pos[middle] + middle <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
