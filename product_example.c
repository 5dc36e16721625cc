/* Calls product with small tensors and says what each result holds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "product.h"

static size_t width_of(const trellis_tensor *t, int32_t level, int32_t array) {
  static const size_t widths[] = {8, 4, 8, 4, 2, 8, 4, 1, 1};
  if (level < 0) return widths[t->type];
  if (array == TRELLIS_TABLE && t->storage[level].kind == TRELLIS_BYTEMAP) return 1;
  return t->storage[level].flags & TRELLIS_WIDE ? 8 : 4;
}

/* More room in an array of a result, in memory of malloc. */
static int grow(trellis_tensor *t, int32_t level, int32_t array, int64_t needed) {
  trellis_buffer *b = level < 0 ? &t->values : &t->storage[level].arrays[array];
  void *larger = realloc(b->data, (size_t)needed * width_of(t, level, array));
  if (!larger) return 1;
  b->data = larger;
  b->capacity = needed;
  return 0;
}

static void drop(trellis_tensor *t) {
  for (int32_t l = 0; l < t->levels; l++)
    for (int32_t a = 0; a < TRELLIS_ARRAYS; a++) free(t->storage[l].arrays[a].data);
  free(t->values.data);
}

static double value_of(const trellis_tensor *t, int64_t k) {
  const void *values = t->values.data;
  switch (t->type) {
    case TRELLIS_F64: return ((const double *)values)[k];
    case TRELLIS_F32: return ((const float *)values)[k];
    case TRELLIS_I64: return (double)((const int64_t *)values)[k];
    case TRELLIS_I32: return ((const int32_t *)values)[k];
    case TRELLIS_I16: return ((const int16_t *)values)[k];
    case TRELLIS_U64: return (double)((const uint64_t *)values)[k];
    case TRELLIS_U32: return ((const uint32_t *)values)[k];
    default: return ((const uint8_t *)values)[k];
  }
}

static void tell(const char *name, const trellis_tensor *t) {
  double sum = 0;
  int64_t count = t->values.count;
  if (t->flags & TRELLIS_PATTERN) count = t->levels > 0 ? t->storage[t->levels - 1].entries : 0;
  else
    for (int64_t k = 0; k < count; k++) sum += value_of(t, k);
  printf("%s: %lld stored, checksum %.10g\n", name, (long long)count, sum);
}

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

static const int64_t t0_A_shape[] = {3, 3};
static const int32_t t0_A_order[] = {0, 1};
static int32_t t0_A_positions_1[] = {0, 3, 6, 9};
static int32_t t0_A_coordinates_1[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
static trellis_level t0_A_levels[] = {
    {0, 0, 3, 0, 0, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
    {1, 0, 3, 0, 9, {{t0_A_positions_1, 4, 4}, {t0_A_coordinates_1, 9, 9}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
static double t0_A_values[] = {0.94356423086485441, 0.77743691848008523, 0.77439917166720162, 0.24696520214533768, 0.24390619551573356, 0.92782187675186745, 0.783650714485982, 0.35563419524288697, 0.79891065346957413};
static trellis_tensor t0_A = {
    TRELLIS_ABI, sizeof(trellis_tensor), sizeof(trellis_level), 0,
    0, 2, 2, 0, t0_A_shape, t0_A_order, t0_A_levels,
    {t0_A_values, 9, 9}, {.real = 0.0}, "csr", 0, 0, 0};

static const int64_t t1_x_shape[] = {3};
static const int32_t t1_x_order[] = {0};
static trellis_level t1_x_levels[] = {
    {0, 0, 3, 0, 0, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
static double t1_x_values[] = {0.084711480092897085, 0.55716543273807595, 0.81605643524168081};
static trellis_tensor t1_x = {
    TRELLIS_ABI, sizeof(trellis_tensor), sizeof(trellis_level), 0,
    0, 1, 1, 0, t1_x_shape, t1_x_order, t1_x_levels,
    {t1_x_values, 3, 3}, {.real = 0.0}, "dense", 0, 0, 0};

static const int64_t t2_y_shape[] = {3};
static const int32_t t2_y_order[] = {0};
static trellis_level t2_y_levels[] = {
    {0, 0, 3, 0, 0, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
static trellis_tensor t2_y = {
    TRELLIS_ABI, sizeof(trellis_tensor), sizeof(trellis_level), 0,
    0, 1, 1, 0, t2_y_shape, t2_y_order, t2_y_levels,
    {0, 0, 0}, {.real = 0.0}, "dense", grow, 0, 0};

static const int64_t t2_y_before_shape[] = {3};
static const int32_t t2_y_before_order[] = {0};
static trellis_level t2_y_before_levels[] = {
    {0, 0, 3, 0, 0, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
static double t2_y_before_values[] = {0.0, 0.0, 0.0};
static trellis_tensor t2_y_before = {
    TRELLIS_ABI, sizeof(trellis_tensor), sizeof(trellis_level), 0,
    0, 1, 1, 0, t2_y_before_shape, t2_y_before_order, t2_y_before_levels,
    {t2_y_before_values, 3, 3}, {.real = 0.0}, "dense", 0, 0, 0};

int main(void) {
  trellis_error error = {0, -1, -1, 0, ""};
  int status;
  if (hold(&t2_y, &t2_y_before)) return TRELLIS_OUT_OF_MEMORY;
  status = product(&t0_A, &t1_x, &t2_y, &error);
  if (status) {
    fprintf(stderr, "product: %s\n", error.message);
  } else {
    tell("y", &t2_y);
  }
  drop(&t2_y);
  return status;
}
