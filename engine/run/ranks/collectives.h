/*
 * What one rank sends to many, and parts that all have in the end, over MPI: through trees, so that nobody sends P
 * messages. Who takes part each rank finds out alone, from the same plan; what goes through operands only readers know,
 * and each wants other elements.
 */

/* How the lists of an exchange travel, beside each message by itself. */
typedef struct {
  int *member, members; /* of a tree: the rank that sends, then those that receive, in their order */
  int place;            /* own one among them */
} rank_tree;

struct rank_route {
  rank_tree own, *receive; /* of what is sent; of what is received, by part */
  int64_t receives;
  int gathers, *count, *begin; /* parts that all ranks have in the end, by rank */
  char *parts;
};

static int rank_same(const rank_part *a, const rank_part *b) {
  return a->runs == b->runs && memcmp(a->run, b->run, (size_t)a->runs * sizeof(rank_run)) == 0;
}

/* The tree of one rank's message; without members where it sends different elements, which all come to know. */
static void rank_grow(const rank_world *world, int exchange, const int64_t *key, int64_t root, rank_tree *tree) {
  rank_part first;
  memset(&first, 0, sizeof first);
  tree->member = (int *)rank_take(world, (world->ranks + 1) * (int64_t)sizeof(int));
  tree->member[tree->members++] = (int)root;
  for (int64_t r = 0; r < world->ranks; r++) {
    rank_part part;
    if (r == root) continue;
    memset(&part, 0, sizeof part);
    rank_between(world, exchange, root, r, key, NULL, &part);
    if (part.elements && r == world->rank) tree->place = tree->members;
    if (part.elements) tree->member[tree->members++] = (int)r;
    const int differs = part.elements && first.elements && !rank_same(&first, &part);
    if (part.elements && !first.elements) first = part;
    else free(part.run);
    if (!differs) continue;
    tree->members = 0;
    break;
  }
  free(first.run);
}

/* Is it a sum that all ranks add up whole? */
static int rank_gathers(const rank_world *world, int exchange) {
  const int64_t *const words = rank_exchange_of(world->plan, exchange);
  for (int64_t g = 0; g < world->plan[RANK_GRID]; g++)
    if (rank_is_cut(world, rank_tensor(world->plan, words[1]), g) || !(words[3] >> g & 1)) return 0;
  return words[0] == RANK_SUMS;
}

static void rank_set_out(const rank_world *world, int64_t bytes, const rank_lists *lists, rank_route *route) {
  int64_t all = 0;
  route->gathers = 1;
  route->count = (int *)rank_take(world, world->ranks * (int64_t)sizeof(int));
  route->begin = (int *)rank_take(world, world->ranks * (int64_t)sizeof(int));
  if (lists->sends) route->count[world->rank] = (int)lists->send[0].elements;
  for (int64_t k = 0; k < lists->receives; k++)
    route->count[lists->receive[k].peer] = (int)lists->receive[k].elements;
  for (int64_t r = 0; r < world->ranks; r++) {
    route->begin[r] = (int)all;
    all += route->count[r];
  }
  route->parts = (char *)rank_take(world, all * bytes);
}

static rank_route *rank_route_for(const rank_state *state, int exchange, rank_lists *lists) {
  const rank_world *const world = &state->world;
  const int64_t *const words = rank_exchange_of(world->plan, exchange);
  if (lists->route) return lists->route;
  rank_route *const route = lists->route = (rank_route *)rank_take(world, sizeof *route);
  if (rank_gathers(world, exchange)) {
    rank_set_out(world, rank_bytes_of(world, exchange), lists, route);
  } else if (words[0] == RANK_GHOSTS && words[3] && rank_through(world, exchange) < 0) {
    route->receives = lists->receives;
    route->receive = (rank_tree *)rank_take(world, lists->receives * (int64_t)sizeof(rank_tree));
    if (lists->sends) rank_grow(world, exchange, lists->key, world->rank, &route->own);
    for (int64_t k = 0; k < lists->receives; k++)
      rank_grow(world, exchange, lists->key, lists->receive[k].peer, route->receive + k);
  }
  return route;
}

static void rank_end_route(rank_route *route) {
  if (!route) return;
  for (int64_t k = 0; k < route->receives; k++) free(route->receive[k].member);
  free(route->own.member);
  free(route->receive);
  free(route->count);
  free(route->begin);
  free(route->parts);
  free(route);
}

/* Of a binomial tree: a place has its message from the one without its lowest bit; the root has none. */
static int rank_low_bit(const rank_tree *tree, int place) {
  int bit = 1;
  while (bit < tree->members && !(place & bit)) bit *= 2;
  return bit;
}
static int rank_parent(const rank_tree *tree) {
  return tree->member[tree->place - rank_low_bit(tree, tree->place)];
}
