/* What gcc's OpenMP code calls, by POSIX threads that a race detector sees through: libgomp is not built for one, so that
   it takes what libgomp orders for races. Only what generated kernels use. Iterations are handed out by relaxed atomics,
   which order nothing: two iterations on one thread are as good as on two. */
#include <pthread.h>
#include <stdbool.h>

enum { threads = 4, most_loops = 64 };

struct share {
  bool begun;
  long next, end, step, chunk;
};

static struct {
  void (*body)(void *);
  void *data;
  int size;
  struct share loops[most_loops];
} team = {0, 0, 1, {{0}}};

static __thread int number, loop;
static pthread_barrier_t all;
static pthread_mutex_t begins = PTHREAD_MUTEX_INITIALIZER, one_by_one = PTHREAD_MUTEX_INITIALIZER;

int omp_get_thread_num(void) { return number; }
int omp_get_num_threads(void) { return team.size; }
int omp_get_max_threads(void) { return threads; }

static void *run(void *own) {
  number = (int)(long)own;
  loop = -1;
  team.body(team.data);
  return 0;
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned size, unsigned flags) {
  (void)flags;
  pthread_t others[threads];
  team.body = body;
  team.data = data;
  team.size = size > 0 && size < threads ? (int)size : threads;
  for (int k = 0; k < most_loops; ++k) team.loops[k].begun = false;
  pthread_barrier_init(&all, 0, (unsigned)team.size);
  for (long k = 1; k < team.size; ++k) pthread_create(&others[k], 0, run, (void *)k);
  run(0);
  for (int k = 1; k < team.size; ++k) pthread_join(others[k], 0);
  pthread_barrier_destroy(&all);
  team.size = 1;
}

void GOMP_barrier(void) { pthread_barrier_wait(&all); }
void GOMP_atomic_start(void) { pthread_mutex_lock(&one_by_one); }
void GOMP_atomic_end(void) { pthread_mutex_unlock(&one_by_one); }
void GOMP_critical_start(void) { GOMP_atomic_start(); }
void GOMP_critical_end(void) { GOMP_atomic_end(); }

bool GOMP_loop_dynamic_next(long *first, long *end) {
  struct share *own = &team.loops[loop % most_loops];
  const long distance = own->chunk * own->step;
  *first = __atomic_fetch_add(&own->next, distance, __ATOMIC_RELAXED);
  const bool up = own->step > 0;
  if (up ? *first >= own->end : *first <= own->end) return false;
  *end = *first + distance;
  if (up ? *end > own->end : *end < own->end) *end = own->end;
  return true;
}

/* Every thread comes by the same loops in the same order. */
bool GOMP_loop_dynamic_start(long low, long high, long step, long chunk, long *first, long *end) {
  struct share *own = &team.loops[++loop % most_loops];
  pthread_mutex_lock(&begins);
  if (!own->begun) *own = (struct share){true, low, high, step, chunk};
  pthread_mutex_unlock(&begins);
  return GOMP_loop_dynamic_next(first, end);
}

bool GOMP_loop_nonmonotonic_dynamic_start(long low, long high, long step, long chunk, long *first, long *end) {
  return GOMP_loop_dynamic_start(low, high, step, chunk, first, end);
}
bool GOMP_loop_nonmonotonic_dynamic_next(long *first, long *end) { return GOMP_loop_dynamic_next(first, end); }
void GOMP_loop_end_nowait(void) {}
void GOMP_loop_end(void) { GOMP_barrier(); }

/* `parallel for` in one: the loop has begun before its threads do. */
void GOMP_parallel_loop_dynamic(void (*body)(void *), void *data, unsigned size, long low, long high, long step,
                                long chunk, unsigned flags);
struct whole {
  void (*body)(void *);
  void *data;
  long low, high, step, chunk;
};
static void begin_and_run(void *given) {
  struct whole *w = given;
  struct share *own = &team.loops[++loop % most_loops];
  pthread_mutex_lock(&begins);
  if (!own->begun) *own = (struct share){true, w->low, w->high, w->step, w->chunk};
  pthread_mutex_unlock(&begins);
  w->body(w->data);
}
void GOMP_parallel_loop_dynamic(void (*body)(void *), void *data, unsigned size, long low, long high, long step,
                                long chunk, unsigned flags) {
  struct whole w = {body, data, low, high, step, chunk};
  GOMP_parallel(begin_and_run, &w, size, flags);
}
void GOMP_parallel_loop_nonmonotonic_dynamic(void (*body)(void *), void *data, unsigned size, long low, long high,
                                             long step, long chunk, unsigned flags) {
  GOMP_parallel_loop_dynamic(body, data, size, low, high, step, chunk, flags);
}
