/*
 * The calls of a kernel that is one of several ranks (trellis_ranks.h): which elements they are about sections.h finds
 * out, how messages travel the caller says: `post` sends them on their way, `arrive` has those of the others in the
 * buffers of `receive`. Lists of elements are kept, as a loop over steps comes by the same ones again.
 */
typedef struct rank_lists rank_lists;
typedef struct rank_route rank_route;
struct rank_lists {
  rank_lists *next; /* the oldest, behind the newest */
  int64_t key[TRELLIS_RANKS_KEYS];
  rank_part *send, *receive; /* by rank, of the ranks with which there is something to exchange */
  int64_t sends, receives;
  rank_route *route; /* of the caller: how they travel */
};

typedef struct {
  int64_t executions, messages, elements; /* that were sent */
  int64_t kept;
  rank_lists *newest;
  rank_lists *now; /* of the exchange that has been started, or opened */
  rank_part own;   /* of what is added up: its buffers have what elements were, and the rank's own part */
  char *wanted;    /* coordinates that the rank's rows of an operand have, where it goes through one */
} rank_exchange;

typedef struct rank_state rank_state;
struct rank_state {
  trellis_ranks table; /* first: kernels know no more of it */
  rank_world world;
  rank_exchange *exchanges;
  void (*post)(rank_state *state, int exchange, rank_lists *lists, int turn);
  void (*arrive)(rank_state *state, int exchange, rank_lists *lists, int turn);
  void (*pass)(rank_state *state, int exchange, const rank_part *part); /* of a pipeline: packed in its first buffer */
  void (*await)(rank_state *state, int exchange, rank_part *part);
  void (*ask)(rank_state *state, int exchange, rank_lists *lists); /* all others for what `receive` has, as they do */
  void (*end)(rank_route *route); /* of lists that are forgotten; null: there are none */
  void *transport;
  rank_lane lane;
};

#define RANK_LISTS_KEPT 64

static int64_t rank_bytes_of(const rank_world *world, int exchange) {
  return rank_tensor(world->plan, rank_exchange_of(world->plan, exchange)[1])[1];
}

static void rank_make_room(const rank_world *world, rank_part *part, int64_t bytes) {
  for (int turn = 0; turn < 2; turn++)
    if (!part->data[turn]) part->data[turn] = (char *)rank_take(world, part->elements * bytes);
}

/* What the rank sends, or is sent: to all others, or by them. */
static void rank_list(const rank_world *world, int exchange, const int64_t *key, int sends, char **wanted,
                      rank_part **parts, int64_t *count) {
  *parts = (rank_part *)rank_take(world, world->ranks * (int64_t)sizeof(rank_part));
  for (int64_t peer = 0; peer < world->ranks; peer++) {
    if (peer == world->rank) continue;
    rank_part *const part = *parts + *count;
    part->peer = peer;
    rank_between(world, exchange, sends ? world->rank : peer, sends ? peer : world->rank, key, wanted, part);
    if (!part->elements) continue;
    rank_make_room(world, part, rank_bytes_of(world, exchange));
    ++*count;
  }
}

/* One more part that the rank sends, of elements that a reader names. */
static void rank_add_asked(const rank_world *world, int exchange, int64_t peer, const rank_run *run, int64_t runs,
                           rank_lists *lists) {
  rank_part *const part = lists->send + lists->sends;
  if (runs == 0) return;
  part->peer = peer;
  for (int64_t k = 0; k < runs; k++) rank_add(world, part, run[k].at, run[k].count);
  rank_make_room(world, part, rank_bytes_of(world, exchange));
  lists->sends++;
}

/* Where it goes through operands, a rank looks through its own rows alone, and asks owners for what they name. */
static void rank_fill(rank_state *state, int exchange, int all_come_here, rank_lists *lists) {
  const rank_world *const world = &state->world;
  const int asks = all_come_here && rank_through(world, exchange) >= 0;
  rank_list(world, exchange, lists->key, 0, asks ? &state->exchanges[exchange].wanted : NULL, &lists->receive,
            &lists->receives);
  if (!asks) {
    rank_list(world, exchange, lists->key, 1, NULL, &lists->send, &lists->sends);
    return;
  }
  lists->send = (rank_part *)rank_take(world, world->ranks * (int64_t)sizeof(rank_part));
  state->ask(state, exchange, lists);
}

static void rank_forget(rank_part *parts, int64_t count) {
  for (int64_t k = 0; k < count; k++) {
    free(parts[k].run);
    for (int turn = 0; turn < 2; turn++) free(parts[k].data[turn]);
  }
  free(parts);
}

/* The lists for where the loops around stand now: the ones behind those of last time, as a rule. `all_come_here`: all
 * ranks do so in the same order, as they do outside of pipelines. */
static rank_lists *rank_lists_for(rank_state *state, int exchange, int all_come_here) {
  rank_exchange *const e = state->exchanges + exchange;
  const int64_t *const key = state->table.key;
  const size_t keys = (size_t)rank_exchange_of(state->world.plan, exchange)[4] * sizeof(int64_t);
  for (int64_t k = 0; k < e->kept; k++) {
    e->newest = e->newest->next;
    if (memcmp(e->newest->key, key, keys) == 0) return e->newest;
  }
  rank_lists *lists;
  if (e->kept < RANK_LISTS_KEPT) {
    lists = (rank_lists *)rank_take(&state->world, sizeof *lists);
    lists->next = e->newest ? e->newest->next : lists;
    if (e->newest) e->newest->next = lists;
    e->kept++;
  } else {
    lists = e->newest->next;
    if (state->end) state->end(lists->route);
    lists->route = NULL;
    rank_forget(lists->send, lists->sends);
    rank_forget(lists->receive, lists->receives);
    lists->sends = lists->receives = 0;
  }
  e->newest = lists;
  memcpy(lists->key, key, keys);
  rank_fill(state, exchange, all_come_here, lists);
  return lists;
}

static void rank_pack(const rank_part *part, const char *array, int64_t bytes, char *to) {
  for (int64_t k = 0; k < part->runs; k++) {
    const int64_t size = part->run[k].count * bytes;
    memcpy(to, array + part->run[k].at * bytes, (size_t)size);
    to += size;
  }
}

static void rank_unpack(const rank_part *part, char *array, int64_t bytes, const char *from) {
  for (int64_t k = 0; k < part->runs; k++) {
    const int64_t size = part->run[k].count * bytes;
    memcpy(array + part->run[k].at * bytes, from, (size_t)size);
    from += size;
  }
}

/* Buffers take turns: a rank packs anew while a slower one still reads what it packed before. */
static int rank_turn(const rank_exchange *e) { return (int)(e->executions % 2); }

static void rank_send(rank_state *state, int exchange, const char *array) {
  rank_exchange *const e = state->exchanges + exchange;
  const int64_t bytes = rank_bytes_of(&state->world, exchange);
  ++e->executions;
  for (int64_t k = 0; k < e->now->sends; k++) {
    rank_part *const part = e->now->send + k;
    rank_pack(part, array, bytes, part->data[rank_turn(e)]);
    ++e->messages;
    e->elements += part->elements;
  }
  state->post(state, exchange, e->now, rank_turn(e));
}

static void rank_start(trellis_ranks *table, int exchange, void *array) {
  rank_state *const state = (rank_state *)(void *)table;
  const int64_t from = rank_now();
  state->exchanges[exchange].now = rank_lists_for(state, exchange, 1);
  rank_send(state, exchange, (const char *)array);
  rank_waited(&state->lane, from);
}

static void rank_finish(trellis_ranks *table, int exchange, void *array) {
  rank_state *const state = (rank_state *)(void *)table;
  const int64_t from = rank_now();
  rank_exchange *const e = state->exchanges + exchange;
  const int64_t bytes = rank_bytes_of(&state->world, exchange);
  state->arrive(state, exchange, e->now, rank_turn(e));
  for (int64_t k = 0; k < e->now->receives; k++)
    rank_unpack(e->now->receive + k, (char *)array, bytes, e->now->receive[k].data[rank_turn(e)]);
  rank_waited(&state->lane, from);
}

static void rank_receive(trellis_ranks *table, int exchange, void *array) {
  rank_state *const state = (rank_state *)(void *)table;
  const int64_t from = rank_now();
  rank_lists *const lists = rank_lists_for(state, exchange, 0);
  const int64_t bytes = rank_bytes_of(&state->world, exchange);
  for (int64_t k = 0; k < lists->receives; k++) {
    state->await(state, exchange, lists->receive + k);
    rank_unpack(lists->receive + k, (char *)array, bytes, lists->receive[k].data[0]);
  }
  rank_waited(&state->lane, from);
}

static void rank_pass(trellis_ranks *table, int exchange, void *array) {
  rank_state *const state = (rank_state *)(void *)table;
  const int64_t from = rank_now();
  rank_exchange *const e = state->exchanges + exchange;
  const rank_lists *const lists = rank_lists_for(state, exchange, 0);
  const int64_t bytes = rank_bytes_of(&state->world, exchange);
  ++e->executions;
  for (int64_t k = 0; k < lists->sends; k++) {
    rank_pack(lists->send + k, (const char *)array, bytes, lists->send[k].data[0]);
    state->pass(state, exchange, lists->send + k);
    ++e->messages;
    e->elements += lists->send[k].elements;
  }
  rank_waited(&state->lane, from);
}

static void rank_begin(const rank_part *part, const int64_t *tensor, int64_t operation, char *array) {
  for (int64_t k = 0; k < part->runs; k++)
    rank_identity(tensor[0], operation, array + part->run[k].at * tensor[1], part->run[k].count);
}

static void rank_open(trellis_ranks *table, int exchange, void *array) {
  rank_state *const state = (rank_state *)(void *)table;
  const int64_t from = rank_now();
  rank_exchange *const e = state->exchanges + exchange;
  const int64_t *const words = rank_exchange_of(state->world.plan, exchange);
  const int64_t *const tensor = rank_tensor(state->world.plan, words[1]);
  e->now = rank_lists_for(state, exchange, 1);
  if (!e->own.elements) rank_own(&state->world, tensor, &e->own);
  rank_make_room(&state->world, &e->own, tensor[1]);
  rank_pack(&e->own, (const char *)array, tensor[1], e->own.data[0]);
  rank_begin(&e->own, tensor, words[2], (char *)array);
  for (int64_t k = 0; k < e->now->sends; k++) rank_begin(e->now->send + k, tensor, words[2], (char *)array);
  rank_waited(&state->lane, from);
}

static void rank_add_part(const rank_part *part, const int64_t *tensor, int64_t operation, char *array,
                          const char *from) {
  for (int64_t k = 0; k < part->runs; k++) {
    rank_combine_elements(tensor[0], operation, array + part->run[k].at * tensor[1], from, part->run[k].count);
    from += part->run[k].count * tensor[1];
  }
}

static void rank_combine(trellis_ranks *table, int exchange, void *array) {
  rank_state *const state = (rank_state *)(void *)table;
  const int64_t from = rank_now();
  rank_exchange *const e = state->exchanges + exchange;
  const int64_t *const words = rank_exchange_of(state->world.plan, exchange);
  const int64_t *const tensor = rank_tensor(state->world.plan, words[1]);
  rank_send(state, exchange, (const char *)array);
  state->arrive(state, exchange, e->now, rank_turn(e));
  rank_pack(&e->own, (const char *)array, tensor[1], e->own.data[1]);
  rank_unpack(&e->own, (char *)array, tensor[1], e->own.data[0]);
  int64_t received = 0;
  for (int64_t r = 0; r < state->world.ranks; r++) { /* in this order on all of them, so that all have the same bits */
    const rank_part *const part = e->now->receive + received;
    if (r == state->world.rank) rank_add_part(&e->own, tensor, words[2], (char *)array, e->own.data[1]);
    else if (received < e->now->receives && part->peer == r) {
      rank_add_part(part, tensor, words[2], (char *)array, part->data[rank_turn(e)]);
      ++received;
    }
  }
  rank_waited(&state->lane, from);
}

/* For ranks that know their world, and whose transport is set. */
static void rank_set_up(rank_state *state) {
  state->table.start = rank_start;
  state->table.finish = rank_finish;
  state->table.open = rank_open;
  state->table.combine = rank_combine;
  state->table.receive = rank_receive;
  state->table.pass = rank_pass;
  state->exchanges = (rank_exchange *)rank_take(
      &state->world, (state->world.plan[RANK_EXCHANGES] + 1) * (int64_t)sizeof(rank_exchange));
}
