/*
 * One rank as a process of its own: `mpiexec -n P rank FOLDER`. The folder has
 *
 *   job      numbers: ranks, then (count number^count)* for plan, sizes, grid, job.h's job, and the places of each
 *            partition. Where ranks are 0 there may be any number of them, all along the first dimension of the grid,
 *            and cuts are even in rows.
 *   kernel   lines: the kernel's object, its entry, and of each array the byte at which it begins and the file
 *   report   room for what each rank reports; without it rank 0 prints how it went
 *
 * Files of results are overwritten, each rank writes its own part. Those of sparse results become as long as their
 * entries take; where entries of several ranks take turns, each rank has files of its own, `FILE.3`, until rank 0 has
 * read them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trellis_ranks.h"

#include "sections.h"

#include "arithmetic.h"

#include "lanes.h"

#include "calls.h"

#include "collectives.h"

#include "job.h"

#include "entries.h"

#include "paths.h"

/* By rank, behind each other: REPORT_HEAD numbers, the last ones its lane; then three for each exchange. */
enum { REPORT_STATE, REPORT_FAULT, REPORT_SITE, REPORT_STEPS, REPORT_MS, REPORT_ELAPSED, REPORT_SLICE, REPORT_WAITED };
enum { REPORT_HEAD = REPORT_WAITED + RANK_SLICES };
enum { STATE_NOTHING, STATE_DONE, STATE_NO_MEMORY, STATE_NO_CODE, STATE_ALONE, STATE_NO_FILE };

static const char *folder = ".";
static int64_t *own_report;

static void give_up(int state, const char *why) {
  if (own_report) own_report[REPORT_STATE] = state;
  else fprintf(stderr, "rank: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 10 + state);
  _exit(10 + state);
}
static void refuse(void) { give_up(STATE_NO_MEMORY, "no memory"); }

static void path_of(const char *name, char *path, size_t size) {
  if (name[0] == '/') snprintf(path, size, "%s", name);
  else snprintf(path, size, "%s/%s", folder, name);
}

/* Null where there is no such file, and none is needed. */
static void *map(const char *name, int writes, int needed, int64_t *bytes) {
  static char nothing[sizeof(double)];
  char path[4096];
  struct stat info;
  path_of(name, path, sizeof path);
  const int file = open(path, writes ? O_RDWR : O_RDONLY);
  if ((file < 0 || fstat(file, &info) != 0) && needed) give_up(STATE_NO_FILE, name);
  if (file < 0) return NULL;
  if (bytes) *bytes = info.st_size;
  if (info.st_size == 0) return nothing; /* which nobody reads */
  void *const memory =
      mmap(NULL, (size_t)info.st_size, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) give_up(STATE_NO_MEMORY, name);
  close(file);
  return memory;
}

/* Messages on their way, by exchange. */
typedef struct {
  MPI_Request *request;
  MPI_Datatype element;
  int count, known;
  int64_t room;
} in_flight;

/* Room for so many messages, and the type of their elements. */
static in_flight *ready(rank_state *state, int exchange, int64_t messages) {
  in_flight *const f = (in_flight *)state->transport + exchange;
  if (messages > f->room) {
    free(f->request);
    f->request = rank_take(&state->world, messages * (int64_t)sizeof(MPI_Request));
    f->room = messages;
  }
  if (!f->known) {
    MPI_Type_contiguous((int)rank_bytes_of(&state->world, exchange), MPI_BYTE, &f->element);
    MPI_Type_commit(&f->element);
    f->known = 1;
  }
  f->count = 0;
  return f;
}

static void send_to(in_flight *f, const rank_part *part, int turn, int peer, int tag) {
  MPI_Isend(part->data[turn], (int)part->elements, f->element, peer, tag, MPI_COMM_WORLD, f->request + f->count++);
}

/* Messages that go on have tags of their own, behind those of the others. */
static int onward(const rank_state *state, int exchange) { return exchange + (int)state->world.plan[RANK_EXCHANGES]; }

/* To those below in the tree: of its own message, or of one that has arrived. */
static void send_below(in_flight *f, const rank_tree *tree, const rank_part *part, int turn, int tag) {
  for (int bit = rank_low_bit(tree, tree->place) / 2; bit > 0; bit /= 2)
    if (tree->place + bit < tree->members) send_to(f, part, turn, tree->member[tree->place + bit], tag);
}

static void post(rank_state *state, int exchange, rank_lists *lists, int turn) {
  const rank_route *const route = rank_route_for(state, exchange, lists);
  in_flight *const f = ready(state, exchange, lists->receives + lists->sends + 64 * (lists->receives + 1));
  if (route->gathers) return;
  for (int64_t k = 0; k < lists->receives; k++) {
    const rank_part *const p = lists->receive + k;
    const rank_tree *const tree = route->receives && route->receive[k].members ? route->receive + k : NULL;
    const int from = tree ? rank_parent(tree) : (int)p->peer;
    MPI_Irecv(p->data[turn], (int)p->elements, f->element, from,
              from == (int)p->peer ? exchange : onward(state, exchange), MPI_COMM_WORLD, f->request + f->count++);
  }
  if (route->own.members) send_below(f, &route->own, lists->send, turn, exchange);
  else
    for (int64_t k = 0; k < lists->sends; k++)
      send_to(f, lists->send + k, turn, (int)lists->send[k].peer, exchange);
}

/* All parts, into the buffers of those that are received. */
static void gather(rank_state *state, int exchange, const rank_lists *lists, int turn) {
  const rank_route *const route = lists->route;
  const in_flight *const f = (in_flight *)state->transport + exchange;
  const int64_t bytes = rank_bytes_of(&state->world, exchange);
  MPI_Allgatherv(lists->sends ? lists->send[0].data[turn] : NULL, route->count[state->world.rank], f->element,
                 route->parts, route->count, route->begin, f->element, MPI_COMM_WORLD);
  for (int64_t k = 0; k < lists->receives; k++) {
    const rank_part *const p = lists->receive + k;
    memcpy(p->data[turn], route->parts + route->begin[p->peer] * bytes, (size_t)(p->elements * bytes));
  }
}

static void arrive(rank_state *state, int exchange, rank_lists *lists, int turn) {
  in_flight *const f = (in_flight *)state->transport + exchange;
  const rank_route *const route = lists->route;
  if (route->gathers) {
    gather(state, exchange, lists, turn);
    return;
  }
  /* In the order of senders on all ranks, so that nobody waits for itself. */
  for (int64_t k = 0; k < route->receives; k++) {
    if (!route->receive[k].members) continue;
    MPI_Wait(f->request + k, MPI_STATUS_IGNORE);
    send_below(f, route->receive + k, lists->receive + k, turn, onward(state, exchange));
  }
  MPI_Waitall(f->count, f->request, MPI_STATUSES_IGNORE);
}

/* What other ranks receive of this one, as they say. */
static void ask(rank_state *state, int exchange, rank_lists *lists) {
  const rank_world *const world = &state->world;
  const size_t room = (size_t)world->ranks * sizeof(int);
  int *const runs = (int *)rank_take(world, 4 * (int64_t)room), *const asked = runs + world->ranks;
  int *const from = asked + world->ranks, *const to = from + world->ranks;
  for (int64_t k = 0; k < lists->receives; k++) runs[lists->receive[k].peer] = (int)lists->receive[k].runs;
  MPI_Alltoall(runs, 1, MPI_INT, asked, 1, MPI_INT, MPI_COMM_WORLD);
  int64_t own = 0, others = 0;
  for (int64_t r = 0; r < world->ranks; r++) {
    from[r] = (int)own, to[r] = (int)others;
    own += runs[r], others += asked[r];
  }
  rank_run *const mine = (rank_run *)rank_take(world, own * (int64_t)sizeof(rank_run));
  rank_run *const theirs = (rank_run *)rank_take(world, others * (int64_t)sizeof(rank_run));
  for (int64_t k = 0; k < lists->receives; k++)
    memcpy(mine + from[lists->receive[k].peer], lists->receive[k].run,
           (size_t)lists->receive[k].runs * sizeof(rank_run));
  MPI_Datatype run;
  MPI_Type_contiguous((int)sizeof(rank_run), MPI_BYTE, &run);
  MPI_Type_commit(&run);
  MPI_Alltoallv(mine, runs, from, run, theirs, asked, to, run, MPI_COMM_WORLD);
  MPI_Type_free(&run);
  for (int64_t r = 0; r < world->ranks; r++) rank_add_asked(world, exchange, r, theirs + to[r], asked[r], lists);
  free(theirs);
  free(mine);
  free(runs);
}

/* Messages of pipelines on their way: each has a buffer of its own, as its sender goes on. */
typedef struct letter letter;
struct letter {
  letter *next;
  MPI_Request request;
};
static letter *oldest, *youngest;

/* Forgets those that have left, or waits for all. */
static void settle(int all) {
  while (oldest) {
    int left = 1;
    if (all) MPI_Wait(&oldest->request, MPI_STATUS_IGNORE);
    else MPI_Test(&oldest->request, &left, MPI_STATUS_IGNORE);
    if (!left) return;
    letter *const done = oldest;
    oldest = done->next;
    free(done);
  }
}

static void pass(rank_state *state, int exchange, const rank_part *part) {
  const in_flight *const f = ready(state, exchange, 0);
  const int64_t bytes = part->elements * rank_bytes_of(&state->world, exchange);
  letter *const own = (letter *)rank_take(&state->world, (int64_t)sizeof(letter) + bytes);
  settle(0);
  memcpy(own + 1, part->data[0], (size_t)bytes);
  MPI_Isend(own + 1, (int)part->elements, f->element, (int)part->peer, exchange, MPI_COMM_WORLD, &own->request);
  if (oldest) youngest->next = own;
  else oldest = own;
  youngest = own;
}

static void await(rank_state *state, int exchange, rank_part *part) {
  const in_flight *const f = ready(state, exchange, 0);
  MPI_Recv(part->data[0], (int)part->elements, f->element, (int)part->peer, exchange, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

/* The file `kernel`, whose lines end with 0 then; `next` goes on with the one behind it. */
static char *first_line(void) {
  int64_t bytes = 0;
  const char *const text = (const char *)map("kernel", 0, 1, &bytes);
  char *const own = (char *)calloc((size_t)bytes + 1, 1);
  if (!own) refuse();
  memcpy(own, text, (size_t)bytes);
  for (int64_t k = 0; k < bytes; k++)
    if (own[k] == '\n') own[k] = 0;
  return own;
}
static char *next(char *line) { return line + strlen(line) + 1; }

static int (*entry_of(const char *object, const char *name))(void *const *) {
  char path[4096];
  path_of(object, path, sizeof path);
  void *const image = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  int (*entry)(void *const *) = NULL;
  if (image) *(void **)&entry = dlsym(image, name);
  if (!entry) give_up(STATE_NO_CODE, "the kernel's code cannot be loaded");
  return entry;
}

/* So many parts of 0:size, none of which has more than one row more than another. */
static const int64_t *even_places(const rank_world *world, int64_t k) {
  const int64_t *at = rank_partition(world->plan, k);
  const int64_t parts = world->grid[*at++];
  int64_t size = rank_form(&at, world->sizes);
  const int64_t extra = at[0];
  if (at[1] && at[2] != parts) give_up(STATE_ALONE, "another number of ranks than blocks go to in turn");
  if (size < 0) size = 0;
  int64_t *const places = (int64_t *)rank_take(world, (parts + 1) * (int64_t)sizeof(int64_t));
  for (int64_t r = 0; r <= parts; r++) places[r] = r * (size / parts) + (r < size % parts ? r : size % parts);
  places[parts] += extra;
  for (int64_t r = 0; at[1] && r <= parts; r++) places[r] = r;
  return places;
}

static void set_world(rank_world *world, int rank, int ranks) {
  const int64_t *const job = (const int64_t *)map("job", 0, 1, NULL);
  const int64_t *const plan = job + 2, *const sizes = plan + plan[-1] + 1, *const grid = sizes + sizes[-1] + 1;
  world->plan = plan, world->sizes = sizes, world->grid = grid;
  world->rank = rank, world->ranks = ranks, world->refuse = refuse;
  if (job[0] != 0 && job[0] != ranks) give_up(STATE_ALONE, "another number of ranks than the job is for");
  if (job[0] == 0) {
    int64_t *const own = (int64_t *)rank_take(world, (plan[RANK_GRID] + 1) * (int64_t)sizeof(int64_t));
    for (int64_t g = 0; g < plan[RANK_GRID]; g++) own[g] = g ? 1 : ranks;
    world->grid = own;
  }
  const int64_t *at = grid + grid[-1] + 1; /* behind the job of job.h */
  at += at[-1];
  const int64_t **const places =
      (const int64_t **)rank_take(world, (plan[RANK_PARTITIONS] + 1) * (int64_t)sizeof(int64_t *));
  for (int64_t k = 0; k < plan[RANK_PARTITIONS]; k++) {
    places[k] = job[0] ? at + 1 : even_places(world, k);
    if (job[0]) at += 1 + at[0];
  }
  world->places = places;
}

#include "files.h"

static int64_t waited_in_all(const rank_lane *lane) {
  int64_t sum = 0;
  for (int k = 0; k < RANK_SLICES; k++) sum += lane->waited[k];
  return sum;
}

static void tell(const rank_state *state, const rank_run_of *run, double ms, int failed) {
  const int64_t exchanges = state->world.plan[RANK_EXCHANGES];
  int64_t sent[4] = {0, 0, state->lane.elapsed, waited_in_all(&state->lane)}, all[4];
  for (int64_t k = 0; k < exchanges; k++) {
    sent[0] += state->exchanges[k].messages;
    sent[1] += state->exchanges[k].elements * rank_bytes_of(&state->world, (int)k);
  }
  if (!own_report) {
    MPI_Reduce(sent, all, 4, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (state->world.rank == 0)
      printf("%lld ranks, %.3f ms, %lld messages, %lld bytes, %.0f %% of the time computing%s\n",
             (long long)state->world.ranks, ms, (long long)all[0], (long long)all[1],
             100.0 * (double)(all[2] - all[3]) / (double)(all[2] ? all[2] : 1),
             failed ? ": a fault, nothing is written" : "");
    return;
  }
  own_report[REPORT_FAULT] = run->fault[0];
  own_report[REPORT_SITE] = run->fault[1];
  own_report[REPORT_STEPS] = run->steps;
  memcpy(own_report + REPORT_MS, &ms, sizeof ms);
  own_report[REPORT_ELAPSED] = state->lane.elapsed;
  own_report[REPORT_SLICE] = state->lane.slice;
  memcpy(own_report + REPORT_WAITED, state->lane.waited, sizeof state->lane.waited);
  for (int64_t k = 0; k < exchanges; k++) {
    own_report[REPORT_HEAD + 3 * k] = state->exchanges[k].executions;
    own_report[REPORT_HEAD + 3 * k + 1] = state->exchanges[k].messages;
    own_report[REPORT_HEAD + 3 * k + 2] = state->exchanges[k].elements;
  }
}

int main(int argc, char **argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing is left of a run that was ended */
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1) folder = argv[1];
  int64_t *const reports = (int64_t *)map("report", 1, 0, NULL);
  const int64_t exchanges = ((const int64_t *)map("job", 0, 1, NULL))[2 + RANK_EXCHANGES];
  if (reports) own_report = reports + rank * (REPORT_HEAD + 3 * exchanges);

  rank_state state;
  memset(&state, 0, sizeof state);
  set_world(&state.world, rank, ranks);
  state.post = post, state.arrive = arrive, state.end = rank_end_route;
  state.pass = pass, state.await = await, state.ask = ask;
  state.transport = rank_take(&state.world, (exchanges + 1) * (int64_t)sizeof(in_flight));
  rank_set_up(&state);
  const int64_t *const job = state.world.plan + state.world.plan[-1] + 1 +
                             state.world.sizes[-1] + 1 + state.world.plan[RANK_GRID] + 1;

  char *const object = first_line(), *const name = next(object), *file = name;
  int (*const entry)(void *const *) = entry_of(object, name);
  const int64_t count = rank_arrays(job);
  void **const arrays = (void **)rank_take(&state.world, (count + 1) * (int64_t)sizeof(void *));
  char **const files = (char **)rank_take(&state.world, (count + 1) * (int64_t)sizeof(char *));
  for (int64_t k = 0; k < count; k++) {
    char *path = file = next(file);
    const long long begin = strtoll(file, &path, 10);
    files[k] = path + 1;
    arrays[k] = (char *)map(files[k], rank_array(job, k)[RANK_ARRAY_RESULT] != RANK_NO_RESULT, 1, NULL) + begin;
  }
  rank_run_of run;
  rank_prepare(&state, job, arrays, &run);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  rank_begin_lane(&state.lane);
  if (entry(run.arguments) != 0) refuse();
  settle(1);
  const int64_t done = rank_now();
  MPI_Barrier(MPI_COMM_WORLD);
  rank_waited(&state.lane, done);
  const double ms = 1e3 * (MPI_Wtime() - start);

  int64_t *counts = NULL;
  if (!count_entries(&state.world, job, run.own, &counts) && run.fault[0] == 0)
    run.fault[0] = 4, run.fault[1] = -1; /* a result is too large */
  const int fault = run.fault[0] != 0;
  int failed = 0;
  MPI_Allreduce(&fault, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (!failed) {
    rank_store(&state, job, arrays, &run);
    store_entries(&state.world, job, counts, files, run.own, arrays);
  }
  tell(&state, &run, ms, failed);
  MPI_Finalize();
  if (own_report) own_report[REPORT_STATE] = STATE_DONE;
  return failed && !own_report;
}
