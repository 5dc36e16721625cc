/* Kernel main, written by Trellis. C99; link with -lm. */
#include "product.h"

#ifdef __TINYC__
#define stream(next, rows, count) ((void)0)
#else
static inline void stream_line(const void *next, int64_t bytes, int64_t rows, int64_t count) {
  if (count <= 500000 || count > 24 * rows) return;
  __builtin_prefetch(next);
  if (bytes > 4) __builtin_prefetch((const char *)next + 64);
}
#define stream(next, rows, count) stream_line(next, sizeof *(next), rows, count)
#endif
#ifdef __TINYC__
#define unsure(end) ((void)0)
#else
#define unsure(end) __extension__({ __asm__("" : "+r"(end)); })
#endif
#if defined __znver1__ || defined __znver2__ || defined __znver3__ || defined __znver4__ || defined __znver5__
enum { at_once = 1 };
#else
enum { at_once = 2 };
#endif
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
static inline trellis_level *trellis_level_of(const trellis_tensor *t, int32_t level) {
  return (trellis_level *)(void *)((char *)t->storage + (int64_t)level * (int64_t)t->level_size);
}
static int64_t trellis_product(int64_t a, int64_t b) {
  return a < 0 || b < 0 || (b > 0 && a > 9223372036854775807 / b) ? -1 : a * b;
}
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

__attribute__((__noinline__)) static void product_loops(
    int64_t n,
    const int32_t *restrict A_pos,
    const int32_t *restrict A_crd,
    const double *restrict A,
    const double *restrict x,
    double *restrict y) {
  int64_t pA = A_pos[0];
  for (int64_t i = 0; i < n; i++) {
    double y_i = 0.0;
    stream(&A_crd[pA + 512], n, A_pos[n]);
    stream(&A[pA + 512], n, A_pos[n]);
    #pragma GCC unroll at_once
    for (int64_t pA_end = A_pos[i + 1]; pA < pA_end; pA++, unsure(pA_end)) {
      const int64_t j = A_crd[pA];
      y_i += A[pA] * x[j];
    }
    y[i] = y_i;
  }
}

static int product_loops_entry(void *const *arguments) {
  product_loops(*(const int64_t *)arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  return 0;
}

int product_call(trellis_tensor *const *tensors, const int64_t *sizes, const double *reals, trellis_error *error) {
  static const int32_t storage_0[] = {0, 0, 0, 1, 0, 0};
  static const int32_t order_0[] = {0, 1};
  static const int32_t storage_1[] = {0, 0, 0};
  static const int32_t order_1[] = {0};
  static const int32_t storage_2[] = {0, 0, 0};
  static const int32_t order_2[] = {0};
  static const trellis_contract contracts[] = {
    {"A", "f64 csr, n x n", 0, 2, 2, TRELLIS_READ, 0, 0u, order_0, storage_0},
    {"x", "f64 dense, n", 0, 1, 1, TRELLIS_READ, 0, 0u, order_1, storage_1},
    {"y", "f64 dense, n", 0, 1, 1, TRELLIS_UPDATED, 0, 0u, order_2, storage_2}};
  int32_t fault[2] = {0, 0};
  void *arguments[7];
  int64_t size[1];
  int status = TRELLIS_OK;
  (void)sizes;
  (void)reals;
  status = trellis_check(contracts, 3, tensors, error);
  if (status) return status;
  size[0] = tensors[0]->shape[0];
  if (tensors[0]->shape[1] != size[0]) {
    const char *const words[] = {contracts[0].name, " is of another shape: the kernel takes ", "n x n", 0};
    return trellis_refuse(error, TRELLIS_WRONG_SHAPE, 0, words);
  }
  if (tensors[1]->shape[0] != size[0]) {
    const char *const words[] = {contracts[1].name, " is of another shape: the kernel takes ", "n", 0};
    return trellis_refuse(error, TRELLIS_WRONG_SHAPE, 1, words);
  }
  if (tensors[2]->shape[0] != size[0]) {
    const char *const words[] = {contracts[2].name, " is of another shape: the kernel takes ", "n", 0};
    return trellis_refuse(error, TRELLIS_WRONG_SHAPE, 2, words);
  }
  if (trellis_values(tensors[2], trellis_places(tensors[2]))) {
    const char *const words[] = {"there is no room for the result ", contracts[2].name, 0};
    return trellis_refuse(error, TRELLIS_OUT_OF_MEMORY, 2, words);
  }
  arguments[0] = &size[0];
  arguments[1] = trellis_level_of(tensors[0], 1)->arrays[TRELLIS_POSITIONS].data;
  arguments[2] = trellis_level_of(tensors[0], 1)->arrays[TRELLIS_COORDINATES].data;
  arguments[3] = tensors[0]->values.data;
  arguments[4] = tensors[1]->values.data;
  arguments[5] = tensors[2]->values.data;
  arguments[6] = fault;
  status = product_loops_entry(arguments) ? TRELLIS_OUT_OF_MEMORY : fault[0];
  if (status) {
    static const char *const what[] = {"", "division by zero", "a quotient that the type does not hold", "an index out of range", "a result that is too large", "no memory for temporaries"};
    static const char *const sites[] = {""};
    const char *const site = fault[0] ? sites[fault[1]] : "";
    const char *const words[] = {what[status], *site ? ": " : "", site, 0};
    trellis_refuse(error, status, -1, words);
    if (error && fault[0]) error->site = fault[1];
    return status;
  }
  return TRELLIS_OK;
}

int product(const trellis_tensor *A, const trellis_tensor *x, trellis_tensor *y, trellis_error *error) {
  trellis_tensor *tensors[3];
  tensors[0] = (trellis_tensor *)A;
  tensors[1] = (trellis_tensor *)x;
  tensors[2] = (trellis_tensor *)y;
  return product_call(tensors, 0, 0, error);
}
