// Sorting the coordinates of a workspace; all are different.

// Of coordinates that are near each other, 2048 apart on average at most: each is a bit of `marks`, a word of which is a
// bit of `used`, and reading both in order is 3 to 10 times as fast as a quicksort, since little of it cannot be foreseen.
// How many bits a word has cannot be: four are written whatever it has, and the next word's follow where its own end.
// libtcc has no instruction that finds a bit. In a frame of its own, as the quicksort calls itself.
//: sort_near
#ifdef __TINYC__
#define sort_near_CRD(list, count) 0
#else
__attribute__((__noinline__)) static int sort_near_CRD(CRD *list, int64_t count) {
  CRD low = list[0], high = list[0];
  for (int64_t k = 1; k < count; k++) {
    low = list[k] < low ? list[k] : low;
    high = list[k] > high ? list[k] : high;
  }
  const uint64_t span = (uint64_t)high - (uint64_t)low;
  if (span >= 262144 || span >= 2048 * (uint64_t)count) return 0;
  uint64_t marks[4096], used[64];
  memset(marks, 0, (span / 64 + 1) * 8);
  memset(used, 0, (span / 4096 + 1) * 8);
  for (int64_t k = 0; k < count; k++) {
    const uint64_t x = (uint64_t)list[k] - (uint64_t)low;
    marks[x / 64] |= (uint64_t)1 << x % 64;
    used[x / 4096] |= (uint64_t)1 << x / 64 % 64;
  }
  const CRD *end = list + count;
  for (uint64_t g = 0; g <= span / 4096; g++) {
    for (uint64_t group = used[g]; group; group &= group - 1) {
      const uint64_t w = 64 * g + (uint64_t)__builtin_ctzll(group);
      const uint64_t at = (uint64_t)low + 64 * w, top = (uint64_t)1 << 63;
      uint64_t word = marks[w];
      CRD *next = list + __builtin_popcountll(word);
      if (end - list >= 4) {
        for (int k = 0; k < 4; k++, word &= word - 1) *list++ = (CRD)(at + (uint64_t)__builtin_ctzll(word | top));
      }
      for (; list < next; word &= word - 1) *list++ = (CRD)(at + (uint64_t)__builtin_ctzll(word));
      list = next;
    }
  }
  return 1;
}
#endif

// Rising runs are common and left alone; short lists by insertion, long ones by quicksort on a median until what is left
// is near each other.
//: sort
static void sort_CRD(CRD *list, int64_t count) {
  while (count > 8) {
    int64_t sorted = 1;
    while (sorted < count && list[sorted - 1] < list[sorted]) sorted++;
    if (sorted == count || sort_near_CRD(list, count)) return;
    if (count <= 24) break;
    const CRD a = list[0], b = list[count / 2], c = list[count - 1];
    const CRD pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
    int64_t low = 0, high = count - 1;
    while (low <= high) {
      while (list[low] < pivot) low++;
      while (list[high] > pivot) high--;
      if (low <= high) {
        const CRD other = list[low];
        list[low++] = list[high];
        list[high--] = other;
      }
    }
    if (high + 1 < count - low) {
      sort_CRD(list, high + 1);
      list += low;
      count -= low;
    } else {
      sort_CRD(list + low, count - low);
      count = high + 1;
    }
  }
  for (int64_t k = 1; k < count; k++) {
    const CRD x = list[k];
    int64_t at = k;
    for (; at > 0 && list[at - 1] > x; at--) list[at] = list[at - 1];
    list[at] = x;
  }
}
