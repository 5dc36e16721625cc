// Reading ahead of use. libtcc cannot fetch.

// The entry to fetch rows for while this one is dealt with. Far enough for memory to answer meanwhile: of 4, 8, 12 and 16
// entries ahead each was faster than the one before where rows of 16 elements lay in memory, and no slower where they lay
// in caches.
//: ahead
#ifdef __TINYC__
#define ahead(entry, count) (entry)
#else
static inline int64_t ahead(int64_t entry, int64_t count) { return entry + 16 < count ? entry + 16 : entry; }
#endif

// The first two cache lines: what reads on in them draws the rest.
//: fetch
#ifdef __TINYC__
#define fetch(row) ((void)0)
#else
static inline void fetch(const void *row) {
  __builtin_prefetch(row);
  __builtin_prefetch((const char *)row + 64);
}
#endif

// Half a million entries are 6 MB: a product that finds fewer in the caches, as the run before left them, is 7 to 14 %
// slower for fetching them once more; from 0.8 million on it is faster even then, and twice as fast where they come from
// memory. What a row of sixteen takes: a second cache line of coordinates, mostly fetched twice, slows a product down by
// 3 %. Longer rows are left to the processor, which finds what is behind the second line by itself: fetched from here as
// well, rows of 32 are up to twice as slow (AMD), those of 24 as fast.
//: stream
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

// Of the loop around it, rounds run one after the other: no compiler makes vectors of what it does not know.
//: in_turn
#ifdef __TINYC__
#define in_turn() ((void)0)
#else
#define in_turn() __asm__ volatile("")
#endif

// The compiler must not count on `end` to stay: a statement in an expression, so that it fits the head of a loop. Two
// entries at once make products by columns 7 to 9 % faster on Intel's processors, and as much slower on AMD's. A pragma
// takes a constant, but no macro.
//: unsure
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
