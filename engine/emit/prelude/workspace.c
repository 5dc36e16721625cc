// A hashed level of a workspace: entries in the order in which they were inserted, and a table of slots that finds them.

//: entries
typedef struct {
  int64_t count, room, mask;
  int64_t *slots, *parent, *crd, *order, *start, *list;
} entries;

// The entry, or -1.
//: find_entry
static inline int64_t find_entry(const entries *e, int64_t parent, int64_t x) {
  if (e->count == 0) return -1;
  for (uint64_t s = hash(parent, x) & (uint64_t)e->mask;; s = (s + 1) & (uint64_t)e->mask) {
    const int64_t p = e->slots[s] - 1;
    if (p < 0 || (e->crd[p] == x && e->parent[p] == parent)) return p;
  }
}

// The entry, new or not; -1 when memory is refused.
//: insert
static int widen(entries *e) {
  const int64_t room = e->room > 0 ? 2 * e->room : 64, slots = 2 * room;
  int64_t *parent = realloc(e->parent, (unsigned long)room * 8);
  if (parent) e->parent = parent;
  int64_t *crd = realloc(e->crd, (unsigned long)room * 8);
  if (crd) e->crd = crd;
  int64_t *table = calloc((unsigned long)slots, 8);
  if (!parent || !crd || !table) {
    free(table);
    return 0;
  }
  free(e->slots);
  e->slots = table;
  e->room = room;
  e->mask = slots - 1;
  for (int64_t p = 0; p < e->count; p++) {
    uint64_t s = hash(e->parent[p], e->crd[p]) & (uint64_t)e->mask;
    while (table[s] != 0) s = (s + 1) & (uint64_t)e->mask;
    table[s] = p + 1;
  }
  return 1;
}
static int64_t insert(entries *e, int64_t parent, int64_t x) {
  if (e->count == e->room && !widen(e)) return -1;
  uint64_t s = hash(parent, x) & (uint64_t)e->mask;
  for (; e->slots[s] != 0; s = (s + 1) & (uint64_t)e->mask) {
    const int64_t p = e->slots[s] - 1;
    if (e->crd[p] == x && e->parent[p] == parent) return p;
  }
  e->crd[e->count] = x;
  e->parent[e->count] = parent;
  e->slots[s] = ++e->count;
  return e->count - 1;
}

// Sorts them for a walk, 0 when memory is refused: a counting sort by parent, then the coordinates of each fiber, which its
// entries are found by.
//: order_entries
static int order_entries(entries *e, int64_t parents) {
  int64_t *start = realloc(e->start, (unsigned long)(parents + 2) * 8);
  if (start) e->start = start;
  int64_t *order = realloc(e->order, (unsigned long)(e->count + 1) * 8);
  if (order) e->order = order;
  int64_t *list = realloc(e->list, (unsigned long)(e->count + 1) * 8);
  if (list) e->list = list;
  if (!start || !order || !list) return 0;
  for (int64_t p = 0; p < parents + 2; p++) start[p] = 0;
  for (int64_t k = 0; k < e->count; k++) start[e->parent[k] + 2]++;
  for (int64_t p = 2; p < parents + 2; p++) start[p] += start[p - 1];
  for (int64_t k = 0; k < e->count; k++) order[start[e->parent[k] + 1]++] = k;
  for (int64_t p = 0; p < parents; p++) {
    int64_t *fiber = order + start[p];
    const int64_t count = start[p + 1] - start[p];
    int64_t sorted = 1;
    while (sorted < count && e->crd[fiber[sorted - 1]] < e->crd[fiber[sorted]]) sorted++;
    if (sorted >= count) continue;
    for (int64_t k = 0; k < count; k++) list[k] = e->crd[fiber[k]];
    sort_wide(list, count);
    for (int64_t k = 0; k < count; k++) fiber[k] = find_entry(e, p, list[k]);
  }
  return 1;
}

// Of a listed level: the next entry, whether or not there is one of that coordinate; -1 when memory is refused.
//: list_entry
static int lengthen(entries *e) {
  const int64_t room = e->room > 0 ? 2 * e->room : 64;
  int64_t *crd = realloc(e->crd, (unsigned long)room * 8);
  if (crd) e->crd = crd;
  int64_t *parent = realloc(e->parent, (unsigned long)room * 8);
  if (parent) e->parent = parent;
  free(e->order);
  free(e->list);
  free(e->slots);
  e->order = malloc((unsigned long)room * 8);
  e->list = malloc((unsigned long)room * 8);
  e->slots = malloc((unsigned long)room * 16);
  if (!crd || !parent || !e->order || !e->list || !e->slots) return 0;
  e->room = room;
  return 1;
}
static inline int64_t list_entry(entries *e, int64_t parent, int64_t x) {
  if (e->count == e->room && !lengthen(e)) return -1;
  e->crd[e->count] = x;
  e->parent[e->count] = parent;
  return e->count++;
}

// Sorts coordinates, and numbers of entries with them; equal ones stay in their order. Short lists by insertion, long
// ones by bytes. `other` has room for twice as many.
//: sort_listed
static void sort_listed(int64_t *crd, int64_t *order, int64_t count, int64_t *other) {
  int64_t sorted = 1;
  while (sorted < count && crd[sorted - 1] <= crd[sorted]) sorted++;
  if (sorted >= count) return;
  if (count <= 48) {
    for (int64_t k = sorted; k < count; k++) {
      const int64_t x = crd[k], p = order[k];
      int64_t at = k;
      for (; at > 0 && crd[at - 1] > x; at--) {
        crd[at] = crd[at - 1];
        order[at] = order[at - 1];
      }
      crd[at] = x;
      order[at] = p;
    }
    return;
  }
  int64_t low = crd[0], high = crd[0];
  for (int64_t k = 1; k < count; k++) {
    low = crd[k] < low ? crd[k] : low;
    high = crd[k] > high ? crd[k] : high;
  }
  int64_t *from = crd, *numbers = order, *to = other, *to_numbers = other + count;
  for (int shift = 0; shift < 64 && (high - low) >> shift; shift += 8) {
    int64_t begin[257];
    for (int d = 0; d < 257; d++) begin[d] = 0;
    for (int64_t k = 0; k < count; k++) begin[((from[k] - low) >> shift & 255) + 1]++;
    for (int d = 1; d < 256; d++) begin[d] += begin[d - 1];
    for (int64_t k = 0; k < count; k++) {
      const int64_t at = begin[(from[k] - low) >> shift & 255]++;
      to[at] = from[k];
      to_numbers[at] = numbers[k];
    }
    int64_t *const sorted_crd = to, *const sorted_numbers = to_numbers;
    to = from;
    to_numbers = numbers;
    from = sorted_crd;
    numbers = sorted_numbers;
  }
  if (from == crd) return;
  for (int64_t k = 0; k < count; k++) {
    crd[k] = from[k];
    order[k] = numbers[k];
  }
}

// Puts what is listed in order: by parent, by coordinate, and where both are equal as it came. `order` then has the
// numbers of all entries as they were, -1 - p where entry p repeats the coordinate before; coordinates stand there
// once. How many were listed; -1 when memory is refused.
//: sort_entries
static int64_t sort_entries(entries *e, int64_t parents) {
  const int64_t count = e->count;
  if (!e->start) e->start = malloc((unsigned long)(parents + 2) * 8);
  int64_t *start = e->start, *order = e->order, *crd = e->crd;
  if (!start) return -1;
  for (int64_t p = 0; p < parents + 2; p++) start[p] = 0;
  if (parents == 1) {
    start[1] = count;
    for (int64_t k = 0; k < count; k++) order[k] = k;
  } else if (count > 0) {
    crd = e->list;
    e->list = e->crd;
    e->crd = crd;
    for (int64_t k = 0; k < count; k++) start[e->parent[k] + 2]++;
    for (int64_t p = 2; p < parents + 2; p++) start[p] += start[p - 1];
    for (int64_t k = 0; k < count; k++) {
      const int64_t at = start[e->parent[k] + 1]++;
      crd[at] = e->list[k];
      order[at] = k;
    }
  }
  int64_t begin = 0, to = 0;
  for (int64_t p = 0; p < parents; p++) {
    const int64_t end = start[p + 1];
    sort_listed(crd + begin, order + begin, end - begin, e->slots);
    start[p] = to;
    for (int64_t k = begin; k < end; k++) {
      if (k > begin && crd[k] == crd[to - 1]) {
        order[k] = -1 - order[k];
        continue;
      }
      e->parent[to] = p;
      crd[to++] = crd[k];
    }
    begin = end;
  }
  start[parents] = to;
  e->count = to;
  return count;
}

// Forgets all.
//: empty
static void empty(entries *e) {
  e->count = 0;
  for (int64_t s = 0; e->room > 0 && s <= e->mask; s++) e->slots[s] = 0;
}

//: release_entries
static void release_entries(entries *e) {
  free(e->slots);
  free(e->parent);
  free(e->crd);
  free(e->order);
  free(e->start);
  free(e->list);
}
