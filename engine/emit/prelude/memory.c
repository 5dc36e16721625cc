// Memory for buffers and workspaces; null when it is refused.

//: malloc
void *malloc(unsigned long bytes);
void free(void *memory);

//: realloc
void *realloc(void *memory, unsigned long bytes);

//: calloc
void *calloc(unsigned long count, unsigned long bytes);

//: memset
void *memset(void *memory, int value, unsigned long bytes);

// Vectors of 64 bytes cross no line of a cache where buffers begin at one. What is new is given out by the system page
// by page when it is first touched, which takes longer than many a kernel: large buffers ask Linux for large pages.
// Advice: refused, it costs time alone.
//: allocate
void *aligned_alloc(unsigned long boundary, unsigned long bytes);
#ifdef __linux__
int madvise(void *memory, unsigned long bytes, int advice);
#endif
static void *allocate(int64_t count, int64_t bytes) {
  if (count < 0 || count > 9223372036854775807 / bytes) return 0;
  unsigned long all = count > 0 ? (unsigned long)(count * bytes) : 1;
  void *memory = all < 4096 ? malloc(all) : aligned_alloc(64, (all + 63) / 64 * 64);
#ifdef __linux__
  if (memory && all >= 4194304) {
    const int hugepage = 14;
    unsigned long page = 4096, begin = ((unsigned long)memory + page - 1) / page * page;
    madvise((void *)begin, ((unsigned long)memory + all - begin) / page * page, hugepage);
  }
#endif
  return memory;
}

//: zeroed
static void *zeroed(int64_t count, int64_t bytes) {
  return count < 0 ? 0 : calloc(count > 0 ? (unsigned long)count : 1, (unsigned long)bytes);
}

// A product of sizes; -1 on overflow.
//: times
static int64_t times(int64_t a, int64_t b) {
  return a < 0 || b < 0 || (b > 0 && a > 9223372036854775807 / b) ? -1 : a * b;
}
