// What the entry of a kernel does with tensors before and after it (engine/emit/abi/trellis_tensor.h).

// What a kernel takes in a tensor's place. `storage` has kind, flags and width of each level. A result that is appended
// to may have entries of before where the kernel reads them.
//: contract
#ifndef TRELLIS_CONTRACT
#define TRELLIS_CONTRACT
enum { TRELLIS_READ, TRELLIS_UPDATED, TRELLIS_APPENDED, TRELLIS_CONTINUED };
typedef struct trellis_contract {
  const char *name, *takes;
  int32_t type, rank, levels, role;
  uint32_t flags;
  uint64_t fill;
  const int32_t *order, *storage;
} trellis_contract;
#endif

// Levels are as far apart as whoever made them says.
//: level_of
static inline trellis_level *trellis_level_of(const trellis_tensor *t, int32_t level) {
  return (trellis_level *)(void *)((char *)t->storage + (int64_t)level * (int64_t)t->level_size);
}

// -1 on overflow.
//: product
static int64_t trellis_product(int64_t a, int64_t b) {
  return a < 0 || b < 0 || (b > 0 && a > 9223372036854775807 / b) ? -1 : a * b;
}

//: refuse
static int trellis_refuse(trellis_error *error, int32_t status, int32_t argument, const char *const *words) {
  int32_t length = 0;
  if (!error) return status;
  error->status = status;
  error->argument = argument;
  error->site = -1;
  for (; *words; words++)
    for (const char *c = *words; *c && length + 1 < (int32_t)sizeof error->message; c++) error->message[length++] = *c;
  error->message[length] = 0;
  return status;
}

// What is wrong with a tensor is said with what the kernel takes instead.
// How many children a level has that says where each fiber ends, or -1: an array is missing, or too short.
//: complete
static int64_t trellis_number(const trellis_level *level, int32_t array, int64_t k) {
  const void *data = level->arrays[array].data;
  if (!data || k >= level->arrays[array].count) return -1;
  return level->flags & TRELLIS_WIDE ? ((const int64_t *)data)[k] : ((const int32_t *)data)[k];
}
static int64_t trellis_listed(const trellis_level *level, int64_t parents) {
  const trellis_buffer *b = &level->arrays[TRELLIS_COORDINATES];
  int64_t entries = parents;
  if (level->kind == TRELLIS_COMPRESSED && level->width > 0) entries = trellis_product(parents, level->width);
  else if (level->kind != TRELLIS_SINGLETON && level->kind != TRELLIS_PINPOINT && level->kind != TRELLIS_INTERVAL &&
           level->kind != TRELLIS_BAND)
    entries = trellis_number(level, TRELLIS_POSITIONS, parents);
  return entries > 0 && (!b->data || b->count < entries) ? -1 : entries;
}
static int64_t trellis_children(const trellis_level *level, int64_t parents) {
  int64_t entries;
  if (level->flags & TRELLIS_BOUNDED) return trellis_number(level, TRELLIS_OFFSETS, parents);
  if (level->kind == TRELLIS_DENSE) return trellis_product(parents, level->size);
  entries = trellis_listed(level, parents);
  if (entries < 0) return -1;
  if (level->kind == TRELLIS_BYTEMAP) return trellis_product(parents, level->size);
  if (level->kind == TRELLIS_BAND) return trellis_number(level, TRELLIS_OFFSETS, parents);
  if (level->kind == TRELLIS_VBL)
    return level->width > 0 ? trellis_product(entries, level->width) : trellis_number(level, TRELLIS_OFFSETS, entries);
  return entries;
}
static int64_t trellis_places(const trellis_tensor *t) {
  int64_t children = 1;
  for (int32_t l = 0; l < t->levels && children >= 0; l++)
    children = trellis_children(trellis_level_of(t, l), children);
  return children;
}

//: check
static int trellis_check_level(const trellis_contract *c, const trellis_tensor *t, int32_t l) {
  const trellis_level *level = trellis_level_of(t, l);
  const int32_t *wanted = c->storage + 3 * l;
  if (level->kind != wanted[0] || level->flags != wanted[1] || level->width != wanted[2]) return TRELLIS_WRONG_FORMAT;
  if (level->size < 0) return TRELLIS_WRONG_SHAPE;
  return c->order && c->order[l] >= 0 && level->size != t->shape[c->order[l]] ? TRELLIS_WRONG_SHAPE : TRELLIS_OK;
}
static int trellis_check_one(const trellis_contract *c, const trellis_tensor *t) {
  if (!t) return TRELLIS_MISSING;
  if (t->abi != TRELLIS_ABI || t->struct_size < sizeof *t || t->level_size < sizeof(trellis_level))
    return TRELLIS_WRONG_ABI;
  if (t->type != c->type) return TRELLIS_WRONG_TYPE;
  if (t->rank != c->rank || (t->rank > 0 && !t->shape)) return TRELLIS_WRONG_SHAPE;
  if (t->levels != c->levels || t->flags != c->flags || (t->levels > 0 && !t->storage)) return TRELLIS_WRONG_FORMAT;
  if (t->fill.bits != c->fill) return TRELLIS_WRONG_FILL;
  for (int32_t d = 0; d < t->rank; d++)
    if (t->shape[d] < 0) return TRELLIS_WRONG_SHAPE;
  for (int32_t l = 0; l < t->levels; l++) {
    const int status = trellis_check_level(c, t, l);
    if (status) return status;
    if (c->order && t->order && t->order[l] != c->order[l]) return TRELLIS_WRONG_FORMAT;
  }
  if (c->role == TRELLIS_READ) {
    const int64_t places = trellis_places(t);
    if (places < 0 || (!(t->flags & TRELLIS_PATTERN) && places > 0 && (!t->values.data || t->values.count < places)))
      return TRELLIS_MISSING;
  }
  return TRELLIS_OK;
}
static int trellis_meet(const trellis_tensor *a, const trellis_tensor *b) {
  static const int64_t widths[] = {8, 4, 8, 4, 2, 8, 4, 1, 1};
  const char *const first = a->values.data, *const second = b->values.data;
  if (a == b) return 1;
  if (!first || !second) return 0;
  return first < second + b->values.capacity * widths[b->type] && second < first + a->values.capacity * widths[a->type];
}
static int trellis_check(const trellis_contract *contracts, int32_t count, trellis_tensor *const *tensors,
                         trellis_error *error) {
  static const char *const why[] = {"", "", "", "", "", "", "made for another version of the interface",
                                    "of another type", "of another shape", "stored in another format",
                                    "filled with another value",
                                    "missing, or one of its arrays is, or is too short"};
  for (int32_t a = 0; a < count; a++) {
    const trellis_contract *c = contracts + a;
    const int status = trellis_check_one(c, tensors[a]);
    if (status) {
      const char *const words[] = {c->name, " is ", why[status], ": the kernel takes ", c->takes, 0};
      return trellis_refuse(error, status, a, words);
    }
  }
  for (int32_t a = 0; a < count; a++)
    for (int32_t b = 0; b < count; b++)
      if (b != a && contracts[a].role != TRELLIS_READ && trellis_meet(tensors[a], tensors[b])) {
        const char *const words[] = {contracts[a].name, " overlaps ", contracts[b].name,
                                     ": a result needs memory of its own", 0};
        return trellis_refuse(error, TRELLIS_OVERLAP, a, words);
      }
  return TRELLIS_OK;
}

// Room in one array. New positions are 0: fibers that a kernel never comes to are empty.
//: more
static int trellis_more(trellis_tensor *t, int32_t level, int32_t array, int64_t needed) {
  trellis_buffer *b = level < 0 ? &t->values : &trellis_level_of(t, level)->arrays[array];
  const int64_t before = b->data ? b->capacity : 0;
  if (before >= needed && b->data) return 0;
  if (needed < 1) needed = 1;
  if (!t->grow || t->grow(t, level, array, needed) || !b->data || b->capacity < needed) return 1;
  if (array != TRELLIS_POSITIONS) return 0;
  if (trellis_level_of(t, level)->flags & TRELLIS_WIDE)
    for (int64_t k = before; k < b->capacity; k++) ((int64_t *)b->data)[k] = 0;
  else
    for (int64_t k = before; k < b->capacity; k++) ((int32_t *)b->data)[k] = 0;
  return 0;
}

// Of the levels that can be appended to.
//: has_positions
static int trellis_has_positions(const trellis_level *level) {
  return level->kind == TRELLIS_COMPRESSED || level->kind == TRELLIS_RLE || level->kind == TRELLIS_SPARSE_RLE;
}

// Room for so many entries at each level that lists some, and for what is below them.
//: append_room
static int trellis_room(trellis_tensor *t, int64_t entries) {
  int64_t children = 1;
  for (int32_t l = 0; l < t->levels; l++) {
    trellis_level *level = trellis_level_of(t, l);
    if (level->kind == TRELLIS_DENSE) children = trellis_product(children, level->size);
    if (children < 0) return 1;
    if (level->kind == TRELLIS_DENSE) continue;
    if (!(level->flags & TRELLIS_WIDE) && entries > 2147483646) return 1;
    if (trellis_has_positions(level) && trellis_more(t, l, TRELLIS_POSITIONS, children + 1)) return 1;
    if (level->kind == TRELLIS_SPARSE_RLE && trellis_more(t, l, TRELLIS_STARTS, entries)) return 1;
    if (trellis_more(t, l, TRELLIS_COORDINATES, entries)) return 1;
    children = entries;
  }
  return (t->flags & TRELLIS_PATTERN) ? 0 : trellis_more(t, -1, TRELLIS_VALUES, children);
}

// A result that gets entries begins with room for as many as its smallest array has, and for one at least.
//: append_begin
static void trellis_forget(trellis_tensor *t) {
  for (int32_t l = 0; l < t->levels; l++) {
    trellis_level *level = trellis_level_of(t, l);
    trellis_buffer *b = &level->arrays[TRELLIS_POSITIONS];
    if (!b->data || !trellis_has_positions(level)) continue;
    if (level->flags & TRELLIS_WIDE)
      for (int64_t k = 0; k < b->capacity; k++) ((int64_t *)b->data)[k] = 0;
    else
      for (int64_t k = 0; k < b->capacity; k++) ((int32_t *)b->data)[k] = 0;
  }
}
static int64_t trellis_least(int64_t a, int64_t b) { return a < b ? a : b; }
static int trellis_append_begin(trellis_tensor *t, int32_t role, int64_t *capacity) {
  int64_t room = 9223372036854775807, block = 1;
  for (int32_t l = 0; l < t->levels; l++) {
    const trellis_level *level = trellis_level_of(t, l);
    if (level->kind == TRELLIS_DENSE) {
      block = trellis_product(block, level->size);
      continue;
    }
    if (l > 0 && trellis_has_positions(level) && trellis_level_of(t, l - 1)->kind != TRELLIS_DENSE)
      room = trellis_least(room, level->arrays[TRELLIS_POSITIONS].capacity - 1);
    if (level->kind == TRELLIS_SPARSE_RLE) room = trellis_least(room, level->arrays[TRELLIS_STARTS].capacity);
    room = trellis_least(room, level->arrays[TRELLIS_COORDINATES].capacity);
    if (!(level->flags & TRELLIS_WIDE)) room = trellis_least(room, 2147483646);
    block = 1;
  }
  if (!(t->flags & TRELLIS_PATTERN) && block > 0) room = trellis_least(room, t->values.capacity / block);
  if (role != TRELLIS_CONTINUED) trellis_forget(t);
  *capacity = room > 1 ? room : 1;
  return trellis_room(t, *capacity);
}

//: more_room
__attribute__((__noinline__, __cold__)) static int64_t more_room(trellis_tensor *t, int64_t capacity, int64_t needed,
                                                                 int32_t *fault, int32_t site) {
  int64_t wanted = capacity > 8 ? 2 * capacity : 16;
  if (wanted < needed) wanted = needed;
  if (trellis_room(t, wanted) && trellis_room(t, needed)) {
    record(fault, RESULT_TOO_LARGE, site);
    return capacity;
  }
  return wanted;
}

// Says how much a result holds that a kernel appended to. Nothing is in fibers that it never came to.
//: settle
static int64_t trellis_last_position(trellis_level *level, int64_t parents) {
  trellis_buffer *b = &level->arrays[TRELLIS_POSITIONS];
  b->count = parents + 1;
  if (level->flags & TRELLIS_WIDE) {
    int64_t *p = b->data;
    for (int64_t k = 0; k < parents; k++)
      if (p[k + 1] < p[k]) p[k + 1] = p[k];
    return p[parents];
  } else {
    int32_t *p = b->data;
    for (int64_t k = 0; k < parents; k++)
      if (p[k + 1] < p[k]) p[k + 1] = p[k];
    return p[parents];
  }
}
static void trellis_settle(trellis_tensor *t) {
  int64_t children = 1;
  for (int32_t l = 0; l < t->levels; l++) {
    trellis_level *level = trellis_level_of(t, l);
    if (level->kind == TRELLIS_DENSE) {
      children *= level->size;
      continue;
    }
    if (trellis_has_positions(level)) children = trellis_last_position(level, children);
    level->entries = level->arrays[TRELLIS_COORDINATES].count = children;
    if (level->kind == TRELLIS_SPARSE_RLE) level->arrays[TRELLIS_STARTS].count = children;
  }
  if (!(t->flags & TRELLIS_PATTERN)) t->values.count = children;
}

// A result that keeps its places: values that it does not have yet are the fill.
//: values
static int trellis_values(trellis_tensor *t, int64_t children) {
  const int64_t first = t->values.data ? t->values.count : 0;
  if (children < 0 || trellis_more(t, -1, TRELLIS_VALUES, children)) return 1;
  for (int64_t k = first; k < children; k++) switch (t->type) {
      case TRELLIS_F64: ((double *)t->values.data)[k] = t->fill.real; break;
      case TRELLIS_F32: ((float *)t->values.data)[k] = (float)t->fill.real; break;
      case TRELLIS_I64:
      case TRELLIS_U64: ((int64_t *)t->values.data)[k] = t->fill.integer; break;
      case TRELLIS_I32:
      case TRELLIS_U32: ((int32_t *)t->values.data)[k] = (int32_t)t->fill.integer; break;
      case TRELLIS_I16: ((int16_t *)t->values.data)[k] = (int16_t)t->fill.integer; break;
      default: ((uint8_t *)t->values.data)[k] = (uint8_t)t->fill.integer;
    }
  t->values.count = children;
  return 0;
}

// A result with the entries of an operand has copies of the arrays of their common levels, unless it has those already.
// Levels below them are dense.
//: same_entries
static int trellis_same_entries(trellis_tensor *t, const trellis_tensor *from) {
  for (int32_t l = 0; l < t->levels && l < from->levels; l++) {
    trellis_level *to = trellis_level_of(t, l);
    const trellis_level *level = trellis_level_of(from, l);
    if (to->kind != level->kind) break;
    to->entries = level->entries;
    for (int32_t a = 0; a < TRELLIS_ARRAYS; a++) {
      const trellis_buffer *b = &level->arrays[a];
      const int64_t wide = level->flags & TRELLIS_WIDE ? 8 : 4;
      const int64_t bytes = b->count * (a == TRELLIS_TABLE && level->kind == TRELLIS_BYTEMAP ? 1 : wide);
      if (!b->data || to->arrays[a].data == b->data) continue;
      if (trellis_more(t, l, a, b->count)) return 1;
      for (int64_t k = 0; k < bytes; k++) ((char *)to->arrays[a].data)[k] = ((const char *)b->data)[k];
      to->arrays[a].count = b->count;
    }
  }
  return 0;
}

// Of examples: a copy of all arrays.
//: hold
static int hold(trellis_tensor *t, const trellis_tensor *from) {
  for (int32_t l = -1; l < t->levels; l++)
    for (int32_t a = 0; a < (l < 0 ? 1 : TRELLIS_ARRAYS); a++) {
      trellis_buffer *to = l < 0 ? &t->values : &t->storage[l].arrays[a];
      const trellis_buffer *b = l < 0 ? &from->values : &from->storage[l].arrays[a];
      if (!b->data || b->count < 1) continue;
      if (grow(t, l, a, b->count)) return 1;
      for (size_t k = 0; k < (size_t)b->count * width_of(t, l, a); k++)
        ((char *)to->data)[k] = ((const char *)b->data)[k];
      to->count = b->count;
      if (l >= 0) t->storage[l].entries = from->storage[l].entries;
    }
  return 0;
}
