#ifndef TRELLIS_RANKS_H
#define TRELLIS_RANKS_H
/*
 * What a kernel that is one of several ranks asks of whoever runs it. C99, and C++. All ranks call the same in the same
 * order. An exchange has a number in the kernel's plan, and is about one array; `key` says where the loops around it
 * stand.
 */
#include <stdint.h>

#define TRELLIS_RANKS_KEYS 16

typedef struct trellis_ranks trellis_ranks;
struct trellis_ranks {
  int64_t key[TRELLIS_RANKS_KEYS];
  /* What others read, or own, of the array is on its way as it is now; then what they sent has arrived in it. */
  void (*start)(trellis_ranks *ranks, int exchange, void *array);
  void (*finish)(trellis_ranks *ranks, int exchange, void *array);
  /* From here on the array is a part of a sum; then owners have the parts of all ranks, added in their order. */
  void (*open)(trellis_ranks *ranks, int exchange, void *array);
  void (*combine)(trellis_ranks *ranks, int exchange, void *array);
  /* In a pipeline: what the ranks before this one passed on has arrived in the array; what those behind it need of it
   * is on its way as it is now. */
  void (*receive)(trellis_ranks *ranks, int exchange, void *array);
  void (*pass)(trellis_ranks *ranks, int exchange, void *array);
};

#endif
