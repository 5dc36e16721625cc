/*
 * When a rank waited: for messages, and while it put them together. The time of a run is cut into slices, which become
 * twice as long whenever it outgrows them. Nanoseconds.
 */
#include <stdint.h>
#include <time.h>

#define RANK_SLICES 64

typedef struct {
  int64_t begin, elapsed, slice, waited[RANK_SLICES];
} rank_lane;

static int64_t rank_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* All ranks begin at once, with slices as long. */
static void rank_begin_lane(rank_lane *lane) {
  lane->begin = rank_now();
  lane->slice = 1024;
}

static void rank_waited(rank_lane *lane, int64_t from) {
  const int64_t to = rank_now() - lane->begin;
  from -= lane->begin;
  lane->elapsed = to;
  while (to > RANK_SLICES * lane->slice) {
    for (int k = 0; k < RANK_SLICES; k++)
      lane->waited[k] = k < RANK_SLICES / 2 ? lane->waited[2 * k] + lane->waited[2 * k + 1] : 0;
    lane->slice *= 2;
  }
  while (from < to) {
    const int64_t k = from / lane->slice, end = (k + 1) * lane->slice < to ? (k + 1) * lane->slice : to;
    lane->waited[k] += end - from;
    from = end;
  }
}
