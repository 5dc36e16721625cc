// An ordered set of coordinates 0 .. n - 1 that grows while it is read: three levels of words. A bit of `set` says that
// its coordinate is there; one of the words behind, that a word of `set` has any; one of those behind these, likewise.
// What is nearest is found in five words at most, but for more than 2^24 coordinates.

// libtcc has no instruction that finds a bit.
//: ends_of_word
#ifdef __TINYC__
static inline int64_t lowest(uint64_t word) {
  int64_t bit = 0;
  for (int64_t half = 32; half; half /= 2) {
    if (!(word << (64 - half))) word >>= half, bit += half;
  }
  return bit;
}
static inline int64_t highest(uint64_t word) {
  int64_t bit = 0;
  for (int64_t half = 32; half; half /= 2) {
    if (word >> half) word >>= half, bit += half;
  }
  return bit;
}
#else
static inline int64_t lowest(uint64_t word) { return __builtin_ctzll(word); }
static inline int64_t highest(uint64_t word) { return 63 - __builtin_clzll(word); }
#endif

// Words of a set.
//: set_words
static inline int64_t set_words(int64_t n) {
  const int64_t words = (n + 63) >> 6, groups = (words + 63) >> 6;
  return words + groups + ((groups + 63) >> 6);
}

//: set_enter
static inline void set_enter(uint64_t* set, int64_t n, int64_t i) {
  uint64_t *used = set + ((n + 63) >> 6), *groups = used + ((n + 4095) >> 12);
  set[i >> 6] |= (uint64_t)1 << (i & 63);
  used[i >> 12] |= (uint64_t)1 << (i >> 6 & 63);
  groups[i >> 18] |= (uint64_t)1 << (i >> 12 & 63);
}

// With all others that have a word in common with it.
//: set_leave
static inline void set_leave(uint64_t* set, int64_t n, int64_t i) {
  uint64_t *used = set + ((n + 63) >> 6), *groups = used + ((n + 4095) >> 12);
  set[i >> 6] = 0;
  used[i >> 12] = 0;
  groups[i >> 18] = 0;
}

// The first at or behind i; INT64_MAX: there is none.
//: set_next
static inline int64_t set_next(const uint64_t* set, int64_t n, int64_t i) {
  if (i >= n) return INT64_MAX;
  if (i < 0) i = 0;
  uint64_t word = set[i >> 6] >> (i & 63);
  if (word) return i + lowest(word);
  const int64_t words = (n + 63) >> 6, counts = (words + 63) >> 6;
  const uint64_t *used = set + words, *groups = used + counts;
  int64_t w = (i >> 6) + 1;
  if (w >= words) return INT64_MAX;
  word = used[w >> 6] >> (w & 63);
  if (word) {
    w += lowest(word);
    return (w << 6) + lowest(set[w]);
  }
  int64_t g = (w >> 6) + 1;
  if (g >= counts) return INT64_MAX;
  int64_t t = g >> 6;
  const int64_t last = (counts + 63) >> 6;
  word = groups[t] >> (g & 63) << (g & 63);
  while (!word && ++t < last) word = groups[t];
  if (!word) return INT64_MAX;
  g = (t << 6) + lowest(word);
  w = (g << 6) + lowest(used[g]);
  return (w << 6) + lowest(set[w]);
}

// The last at or before i; INT64_MIN: there is none.
//: set_previous
static inline int64_t set_previous(const uint64_t* set, int64_t n, int64_t i) {
  if (i >= n) i = n - 1;
  if (i < 0) return INT64_MIN;
  uint64_t word = set[i >> 6] << (63 - (i & 63));
  if (word) return i - 63 + highest(word);
  const int64_t words = (n + 63) >> 6, counts = (words + 63) >> 6;
  const uint64_t *used = set + words, *groups = used + counts;
  int64_t w = (i >> 6) - 1;
  if (w < 0) return INT64_MIN;
  word = used[w >> 6] << (63 - (w & 63));
  if (word) {
    w += highest(word) - 63;
    return (w << 6) + highest(set[w]);
  }
  int64_t g = (w >> 6) - 1;
  if (g < 0) return INT64_MIN;
  int64_t t = g >> 6;
  word = groups[t] << (63 - (g & 63)) >> (63 - (g & 63));
  while (!word && --t >= 0) word = groups[t];
  if (!word) return INT64_MIN;
  g = (t << 6) + highest(word);
  w = (g << 6) + highest(used[g]);
  return (w << 6) + highest(set[w]);
}
