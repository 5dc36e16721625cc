/*
 * A rank's own run of a kernel: its arrays, its arguments, and what becomes of results. A job is numbers:
 *
 *   job      := arguments (kind value)^arguments arrays (bytes held own tensor-or-(-1) result numbered)^arrays poison
 *               throughs (exchange level positions coordinates partition-or-(-1) rows wide)^throughs
 *               results sparse^results  rest: numbers and descriptions
 *   kind     := 0 a size: the number of its symbol    1 the bits of a parameter, or a number    2 an array: its number
 *               3 the table of calls
 *
 * Through: sections.h. Sparse: entries.h. An array that is not `own` is read where it is. Of one that is cut a rank has
 * its own part, of one that is not cut all. `held`: how many of its bytes have been written to; of results in sparse
 * formats there are addresses for more, as many as they may grow to. `numbered`: 0, or where in the job it is described
 * how the file has other places for elements than ranks do: levels (size begin)^levels, where coordinate x of a level
 * is job[begin + x] in the file; with the begin 0 it is x.
 */
#include <sys/mman.h>

enum { RANK_A_SIZE, RANK_A_NUMBER, RANK_AN_ARRAY, RANK_THE_TABLE };
enum { RANK_NO_RESULT, RANK_FLAT_RESULT, RANK_SPARSE_RESULT };

/* Numbers of an array. */
enum { RANK_ARRAY_BYTES, RANK_ARRAY_HELD, RANK_ARRAY_OWN, RANK_ARRAY_TENSOR, RANK_ARRAY_RESULT, RANK_ARRAY_NUMBERED,
       RANK_ARRAY_WORDS };

typedef struct {
  void **arguments;
  int64_t *symbols;
  void **own; /* by array; null: read where it is */
  int32_t fault[2];
  int64_t steps;
} rank_run_of;

static const int64_t *rank_array(const int64_t *job, int64_t k) {
  return job + 1 + 2 * job[0] + 1 + RANK_ARRAY_WORDS * k;
}
static int64_t rank_arrays(const int64_t *job) { return job[1 + 2 * job[0]]; }

/* Which element of the file it is that ranks have as the `at`th. */
static int64_t rank_place_in_file(const int64_t *job, const int64_t *numbered, int64_t at) {
  int64_t place = 0, unit = 1;
  for (int64_t l = numbered[0]; l-- > 0;) {
    const int64_t size = numbered[1 + 2 * l], begin = numbered[2 + 2 * l], x = at % size;
    place += (begin ? job[begin + x] : x) * unit;
    at /= size, unit *= size;
  }
  return place;
}

/* So many elements from one on, out of the file (`store`: into it), which has them elsewhere. */
static void rank_copy_numbered(const int64_t *job, const int64_t *numbered, int64_t first, int64_t count, int64_t bytes,
                               int store, char *to, const char *from) {
  for (int64_t at = first; at < first + count; at++) {
    const int64_t there = rank_place_in_file(job, numbered, at);
    memcpy(to + (store ? there : at) * bytes, from + (store ? at : there) * bytes, (size_t)bytes);
  }
}

/* What the rank owns of an array, out of its file, or, with `store`, into it. */
static void rank_copy_own(const rank_state *state, const int64_t *job, const int64_t *array, int store, char *to,
                          const char *from) {
  const int64_t *const numbered = array[RANK_ARRAY_NUMBERED] ? job + array[RANK_ARRAY_NUMBERED] : NULL;
  if (array[RANK_ARRAY_TENSOR] < 0) {
    int64_t count = 1;
    for (int64_t l = 0; numbered && l < numbered[0]; l++) count *= numbered[1 + 2 * l];
    if (array[RANK_ARRAY_HELD] && numbered)
      rank_copy_numbered(job, numbered, 0, count, array[RANK_ARRAY_HELD] / count, store, to, from);
    else if (array[RANK_ARRAY_HELD]) memcpy(to, from, (size_t)array[RANK_ARRAY_HELD]);
    return;
  }
  const int64_t *const tensor = rank_tensor(state->world.plan, array[RANK_ARRAY_TENSOR]);
  const int64_t bytes = tensor[1];
  rank_part own;
  memset(&own, 0, sizeof own);
  rank_own(&state->world, tensor, &own);
  for (int64_t k = 0; k < own.runs; k++) {
    const int64_t at = own.run[k].at, count = own.run[k].count;
    if (numbered) rank_copy_numbered(job, numbered, at, count, bytes, store, to, from);
    else memcpy(to + at * bytes, from + at * bytes, (size_t)(count * bytes));
  }
  free(own.run);
}

/* Addresses, of which memory is taken as they are touched; all 0. */
static void *rank_reserve(const rank_world *world, int64_t bytes) {
  void *const room = mmap(NULL, bytes > 0 ? (size_t)bytes : 1, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) world->refuse();
  return room;
}

static void rank_prepare(rank_state *state, const int64_t *job, void *const *arrays, rank_run_of *run) {
  const rank_world *const world = &state->world;
  const int64_t count = rank_arrays(job), poison = rank_array(job, count)[0];
  state->world.through = rank_array(job, count) + 1;
  state->world.arrays = arrays;
  memset(run, 0, sizeof *run);
  run->symbols = (int64_t *)rank_take(world, rank_symbols(world->plan) * (int64_t)sizeof(int64_t));
  rank_know(world, world->rank, run->symbols);
  run->own = (void **)rank_take(world, count * (int64_t)sizeof(void *));
  for (int64_t k = 0; k < count; k++) {
    const int64_t *const array = rank_array(job, k);
    if (!array[RANK_ARRAY_OWN]) continue;
    const int64_t bytes = array[RANK_ARRAY_BYTES];
    const int grows = array[RANK_ARRAY_RESULT] == RANK_SPARSE_RESULT;
    run->own[k] = grows ? rank_reserve(world, bytes) : rank_take(world, bytes);
    if (poison && !grows) memset(run->own[k], 255, (size_t)bytes);
    rank_copy_own(state, job, array, 0, (char *)run->own[k], (const char *)arrays[k]);
  }
  run->arguments = (void **)rank_take(world, (job[0] + 2) * (int64_t)sizeof(void *));
  for (int64_t k = 0; k < job[0]; k++) {
    const int64_t kind = job[1 + 2 * k], value = job[2 + 2 * k];
    if (kind == RANK_A_SIZE) run->arguments[k] = run->symbols + value;
    else if (kind == RANK_A_NUMBER) run->arguments[k] = (void *)(uintptr_t)(job + 2 + 2 * k);
    else if (kind == RANK_AN_ARRAY) run->arguments[k] = run->own[value] ? run->own[value] : arrays[value];
    else run->arguments[k] = state;
  }
  run->arguments[job[0]] = run->fault;
  run->arguments[job[0] + 1] = &run->steps;
}

/* Flat results into the arrays that all ranks write to, each its own part; of copies the first rank that has one. */
static void rank_store(const rank_state *state, const int64_t *job, void *const *arrays, const rank_run_of *run) {
  const rank_world *const world = &state->world;
  for (int64_t k = 0; k < rank_arrays(job); k++) {
    const int64_t *const array = rank_array(job, k);
    if (array[RANK_ARRAY_RESULT] != RANK_FLAT_RESULT || !run->own[k]) continue;
    int first = 1;
    for (int64_t g = 0; g < world->plan[RANK_GRID]; g++) {
      const int64_t tensor = array[RANK_ARRAY_TENSOR];
      const int cut = tensor >= 0 && rank_is_cut(world, rank_tensor(world->plan, tensor), g);
      first &= cut || rank_coordinate(world, world->rank, g) == 0;
    }
    if (first) rank_copy_own(state, job, array, 1, (char *)arrays[k], (const char *)run->own[k]);
  }
}
