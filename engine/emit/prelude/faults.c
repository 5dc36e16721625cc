// What a kernel checks as it runs. It goes on after a fault, with a harmless value, and tells of the first one at its end.
// fault[0] is what happened, fault[1] where.

// With one thread, without the pragma.
//: record
static int record(int32_t *fault, int32_t kind, int32_t site) {
#pragma omp critical
  if (fault[0] == 0) {
    fault[0] = kind;
    fault[1] = site;
  }
  return 0;
}

// The index, or 0 and a fault.
//: at
static inline int64_t at(int64_t index, int64_t size, int32_t *fault, int32_t site) {
  return (uint64_t)index < (uint64_t)size ? index : record(fault, INDEX_OUT_OF_RANGE, site);
}

// The entry, or 0 and a fault. Recording is out of the way of the loops that append; `at` in a loop is faster, three times
// in a dynamic program, with it inlined.
//: slot
__attribute__((__noinline__, __cold__)) static int no_room(int32_t *fault, int32_t site) {
  return record(fault, RESULT_TOO_LARGE, site);
}
static inline int64_t slot(int64_t entry, int64_t capacity, int32_t *fault, int32_t site) {
  return entry < capacity ? entry : no_room(fault, site);
}
