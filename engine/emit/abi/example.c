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
