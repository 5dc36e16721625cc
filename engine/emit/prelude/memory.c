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

//: allocate
static void *allocate(int64_t count, int64_t bytes) {
  if (count < 0 || count > 9223372036854775807 / bytes) return 0;
  return malloc(count > 0 ? (unsigned long)(count * bytes) : 1);
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
