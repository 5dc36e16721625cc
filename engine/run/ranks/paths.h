/*
 * Entries of results in sparse formats one after another (entries.h): of what a rank owns, by the coordinates of all
 * levels, and of all ranks, into the whole.
 */
/* Goes through the entries that a rank owns, in the order of storage. */
typedef struct {
  const rank_sparse *sparse;
  void *const *arrays; /* by number, of the rank */
  int64_t last;        /* the last level that lists; -1: none */
  int64_t low[RANK_LEVELS], high[RANK_LEVELS];                       /* what it owns */
  int64_t block[RANK_LEVELS], parts[RANK_LEVELS], turn[RANK_LEVELS]; /* 0, or x is owned if x/block%parts = turn */
  int64_t next[RANK_LEVELS], end[RANK_LEVELS];                       /* of the fibers that it is in */
  int64_t child[RANK_LEVELS], coordinate[RANK_LEVELS], start[RANK_LEVELS];
} rank_path;

static int rank_is_own(const rank_path *path, int64_t l, int64_t x) {
  if (x < path->low[l] || x >= path->high[l]) return 0;
  return !path->block[l] || x / path->block[l] % path->parts[l] == path->turn[l];
}

static void rank_open_fiber(rank_path *path, int64_t l) {
  const rank_sparse_level *const level = path->sparse->level + l;
  const int64_t parent = l ? path->child[l - 1] : 0;
  if (level->positions >= 0) {
    path->next[l] = rank_number(path->arrays[level->positions], parent, level);
    path->end[l] = rank_number(path->arrays[level->positions], parent + 1, level);
  } else if (level->flags & RANK_LISTS) path->next[l] = parent, path->end[l] = parent + 1;
  else path->next[l] = path->low[l], path->end[l] = path->high[l];
}

/* To the next entry; 0: there is none. */
static int rank_advance(rank_path *path) {
  int64_t l = path->last;
  while (l >= 0) {
    if (path->next[l] >= path->end[l]) {
      l--;
      continue;
    }
    const rank_sparse_level *const level = path->sparse->level + l;
    const int64_t k = path->next[l]++;
    int64_t x = k;
    path->child[l] = k;
    if (level->flags & RANK_LISTS) {
      path->coordinate[l] = rank_number(path->arrays[level->coordinates], k, level);
      x = path->start[l] =
          level->starts >= 0 ? rank_number(path->arrays[level->starts], k, level) : path->coordinate[l];
    } else {
      path->coordinate[l] = path->start[l] = k;
      path->child[l] = (l ? path->child[l - 1] : 0) * level->size + k;
    }
    if (!rank_is_own(path, l, x)) continue;
    if (l == path->last) return 1;
    rank_open_fiber(path, ++l);
  }
  return 0;
}

/* Before the first entry. */
static void rank_begin_path(const rank_world *world, const rank_sparse *s, int64_t rank, void *const *arrays,
                            rank_path *path) {
  memset(path, 0, sizeof *path);
  path->sparse = s, path->arrays = arrays, path->last = rank_last_list(s);
  for (int64_t l = 0; l < s->levels; l++) {
    const int64_t partition = s->level[l].partition;
    path->high[l] = s->level[l].size;
    if (partition < 0) continue;
    const int64_t *const ends = rank_ends(world, partition, rank);
    path->block[l] = rank_block(world, partition);
    if (path->block[l]) {
      path->turn[l] = ends[0];
      path->parts[l] = world->grid[rank_partition(world->plan, partition)[0]];
    } else {
      path->low[l] = ends[0];
      if (ends[1] < path->high[l]) path->high[l] = ends[1];
    }
  }
  if (path->last >= 0) rank_open_fiber(path, 0);
}

/* The elements below an entry that the rank owns, from one place to another. */
static void rank_copy_below(const rank_path *path, int64_t l, int64_t to_place, int64_t place, char *to) {
  const rank_sparse *const s = path->sparse;
  if (l == s->levels) {
    memcpy(to + to_place * s->bytes, (const char *)path->arrays[s->values] + place * s->bytes, (size_t)s->bytes);
    return;
  }
  const int64_t size = s->level[l].size;
  for (int64_t x = path->low[l]; x < path->high[l]; x++)
    if (rank_is_own(path, l, x)) rank_copy_below(path, l + 1, to_place * size + x, place * size + x, to);
}

/* Of a result that stores where another tensor does: `levels` are arrays that all ranks have. */
static void rank_store_values(const rank_world *world, const rank_sparse *s, void *const *own, void *const *to) {
  if (!rank_gives(world, s, world->rank)) return;
  void *arrays[3 * RANK_LEVELS + 1]; /* the values alone are the rank's own */
  rank_sparse mine = *s;
  int64_t many = 0;
  for (int64_t l = 0; l < s->levels; l++) {
    int64_t *const which[3] = {&mine.level[l].positions, &mine.level[l].coordinates, &mine.level[l].starts};
    for (int a = 0; a < 3; a++) {
      if (*which[a] < 0) continue;
      arrays[many] = to[*which[a]];
      *which[a] = many++;
    }
  }
  arrays[many] = own[s->values];
  mine.values = many;
  rank_path path;
  rank_begin_path(world, &mine, world->rank, arrays, &path);
  while (rank_advance(&path))
    rank_copy_below(&path, path.last + 1, path.child[path.last], path.child[path.last], (char *)to[s->values]);
}

/* The first level at which two entries differ, and which of them comes first: -1, or 1; 0: they are the same. */
static int rank_order_of(const rank_path *a, const rank_path *b, int64_t *level) {
  for (int64_t l = 0; l <= a->last; l++) {
    *level = l;
    if (a->start[l] == b->start[l]) continue;
    return (a->start[l] < b->start[l]) != ((a->sparse->level[l].flags & RANK_FALLS) != 0) ? -1 : 1;
  }
  return 0;
}

/* The whole, as far as entries have been added to it. */
typedef struct {
  const rank_sparse *sparse;
  void *const *to;
  int64_t count[RANK_LEVELS], opened[RANK_LEVELS], child[RANK_LEVELS];
} rank_whole;

static void rank_open_to(rank_whole *whole, int64_t l, int64_t parents) {
  const rank_sparse_level *const level = whole->sparse->level + l;
  for (; level->positions >= 0 && whole->opened[l] <= parents; whole->opened[l]++)
    rank_put(whole->to[level->positions], whole->opened[l], level, whole->count[l]);
}

/* An entry that differs from the last one from a level on. */
static void rank_append(rank_whole *whole, const rank_path *path, int64_t from) {
  const rank_sparse *const s = whole->sparse;
  /* Singletons go with the level above. */
  while (from > 0 && (s->level[from].flags & RANK_LISTS) && s->level[from].positions < 0) from--;
  for (int64_t l = from; l <= path->last; l++) {
    const rank_sparse_level *const level = s->level + l;
    const int64_t parent = l ? whole->child[l - 1] : 0;
    if (!(level->flags & RANK_LISTS)) {
      whole->child[l] = parent * level->size + path->coordinate[l];
      continue;
    }
    rank_open_to(whole, l, parent);
    const int64_t k = whole->child[l] = whole->count[l]++;
    rank_put(whole->to[level->coordinates], k, level, path->coordinate[l]);
    if (level->starts >= 0) rank_put(whole->to[level->starts], k, level, path->start[l]);
  }
  int64_t places = 1;
  for (int64_t l = path->last + 1; l < s->levels; l++) places *= s->level[l].size;
  memcpy((char *)whole->to[s->values] + whole->child[path->last] * places * s->bytes,
         (const char *)path->arrays[s->values] + path->child[path->last] * places * s->bytes,
         (size_t)(places * s->bytes));
}

/* By one rank: the parts of all, whose arrays are `owns`, where entries take turns. `counts` become those of the
 * whole. */
static void rank_merge(const rank_world *world, const rank_sparse *s, void *const *const *owns, void *const *to,
                       int64_t *total) {
  rank_path *const paths = (rank_path *)rank_take(world, world->ranks * (int64_t)sizeof(rank_path));
  char *const live = (char *)rank_take(world, world->ranks);
  rank_whole whole;
  memset(&whole, 0, sizeof whole);
  whole.sparse = s, whole.to = to;
  for (int64_t r = 0; r < world->ranks; r++) {
    if (!rank_gives(world, s, r)) continue;
    rank_begin_path(world, s, r, owns[r], paths + r);
    live[r] = (char)rank_advance(paths + r);
  }
  rank_path last;
  memset(&last, 0, sizeof last);
  for (int first = 1;; first = 0) {
    int64_t least = -1, level = 0;
    for (int64_t r = 0; r < world->ranks; r++)
      if (live[r] && (least < 0 || rank_order_of(paths + r, paths + least, &level) < 0)) least = r;
    if (least < 0) break;
    const rank_path *const path = paths + least;
    level = 0;
    const int known = !first && rank_order_of(path, &last, &level) == 0;
    if (!known) rank_append(&whole, path, first ? 0 : level);
    else rank_copy_below(path, path->last + 1, whole.child[path->last], path->child[path->last], (char *)to[s->values]);
    last = *path;
    live[least] = (char)rank_advance(paths + least);
  }
  int64_t parents = 1;
  for (int64_t l = 0; l < s->levels; l++) {
    rank_open_to(&whole, l, parents);
    if (s->level[l].positions >= 0) parents = whole.count[l];
    else if (!(s->level[l].flags & RANK_LISTS)) parents *= s->level[l].size;
    total[l] = parents;
  }
  free(paths);
  free(live);
}
