// Rounds low <= j < high of a loop on several threads that wait for each other. `tasks` puts them into tasks: t has the
// rounds order[p] with begins[t] <= p < begins[t + 1], where begins = order + m, m = high - low. First come groups that
// need no rounds but their own, at most 1/32 of all entries each, and several to a task while that has less than 1/64;
// behind them, one by one, the rounds that need several. Those that round j needs are the ones that fiber j names; they
// come `down` or up. The rest of `order`, which has 4 m + 1 elements, is room to find groups in. (Liu, The role of
// elimination trees in sparse factorization)

// How many threads share a loop.
//: thread_count
#ifdef _OPENMP
int omp_get_max_threads(void);
#endif
static inline int64_t thread_count(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// Goes on when a round is over, with all that it wrote. Cores that many programs share are not kept for waiting.
//: await
#ifdef _OPENMP
#include <sched.h>
#endif
static inline void await(const uint8_t* over) {
  for (int64_t tries = 0;; tries++) {
    uint8_t is;
#pragma omp atomic read acquire
    is = *over;
    if (is) return;
#ifdef _OPENMP
    if (tries > 200) sched_yield();
#endif
  }
}

//: finish
static inline void finish(uint8_t* over) {
#pragma omp atomic write release
  *over = 1;
}

// Groups of rounds that need no others: joined while a group has at most `share` entries, as subtrees of an elimination
// tree are. Round x, by its place in the order, becomes part of `root[x]`, a later one or itself; -1: it needs several
// groups, or one such. `load` is that of a group, by its root, noted as -1 - load while it is counted; `below` is the
// next of those.
//: tasks
static inline int64_t place_of(int64_t j, int64_t low, int64_t high, int64_t down) {
  return down ? high - 1 - j : j - low;
}
static inline int64_t root_of(int64_t* root, int64_t y) {
  while (root[y] >= 0 && root[y] != y) y = root[y] = root[root[y]];
  return y;
}
static inline void join_rounds_CRD(const CRD* pos, const CRD* crd, int64_t low, int64_t high, int64_t down,
                                   int64_t share, int64_t* root, int64_t* load, int64_t* below) {
  for (int64_t x = 0; x < high - low; x++) {
    const int64_t j = down ? high - 1 - x : low + x;
    int64_t sum = 1 + pos[j + 1] - pos[j], last = -1;
    root[x] = x;
    for (int64_t p = pos[j + 1] - 1; p >= pos[j] && root[x] == x; p--) {
      const int64_t at = place_of(crd[p], low, high, down);
      if (at < 0 || at >= x || (last >= 0 && root[at] == last)) continue;
      const int64_t y = root_of(root, at);
      if (root[y] >= 0 && load[y] >= 0) sum += load[y], load[y] = -1 - load[y], below[y] = last, last = y;
      if (root[y] < 0 || sum > share) root[x] = -1;
    }
    for (int64_t y = last; y >= 0; y = below[y]) {
      load[y] = -1 - load[y];
      if (root[x] == x) root[y] = x;
    }
    load[x] = sum;
  }
}
static inline int64_t tasks_CRD(const CRD* pos, const CRD* crd, int64_t low, int64_t high, int64_t down,
                                int64_t* order) {
  const int64_t m = high > low ? high - low : 0;
  int64_t *begins = order + m, *root = begins + m + 1, *load = root + m;
  const int64_t share = m > 0 ? (m + pos[high] - pos[low]) / 32 : 0;
  join_rounds_CRD(pos, crd, low, high, down, share, root, load, begins);
  int64_t tasks = 0, held = 0;
  for (int64_t x = 0; x < m; x++) {
    if (root[x] != x) continue;
    held += load[x], load[x] = tasks;
    if (held >= share / 2) tasks++, held = 0;
  }
  if (held) tasks++;
  for (int64_t t = 0; t <= tasks; t++) begins[t] = 0;
  for (int64_t x = m - 1; x >= 0; x--)
    if (root[x] >= 0) begins[(load[x] = load[root[x]]) + 1]++;
  for (int64_t t = 0; t < tasks; t++) begins[t + 1] += begins[t];
  int64_t end = begins[tasks];
  for (int64_t x = m - 1; x >= 0; x--)
    if (root[x] >= 0) order[--begins[load[x] + 1]] = down ? high - 1 - x : low + x;
  for (int64_t t = 0; t < tasks; t++) begins[t] = begins[t + 1];
  begins[tasks] = end;
  for (int64_t x = 0; x < m; x++) {
    if (root[x] >= 0) continue;
    order[end++] = down ? high - 1 - x : low + x, begins[++tasks] = end;
  }
  return tasks;
}
