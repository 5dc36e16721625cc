/*
 * What becomes of results in sparse formats. A rank's arrays have the addresses of the whole and the entries of its own
 * part, as Tensor::reserve lays them out: each level with positions of its own, beginning with 0. Behind the run the
 * parts are joined to the arrays that one process would have appended:
 *
 *   rank 0   positions 0 2 3 3 3   coordinates 0 3 1        joined   0 2 3 4 4   0 3 1 2
 *   rank 1   positions 0 0 0 1 1   coordinates 2
 *
 * Where only the outermost level is cut, into one part each, parts stand one behind the other, the bases of each level
 * are sums of the counts of ranks before, and each rank copies its own. Otherwise entries of several ranks take turns
 * within a fiber: then rank 0 goes through all parts in the order of storage. Of a result that stores where another
 * tensor does, all ranks have the levels, and each stores the values of its own elements.
 *
 *   sparse := appended values place-bytes capacity levels level^RANK_LEVELS
 *   level  := flags size partition-or-(-1) positions-or-(-1) coordinates-or-(-1) starts-or-(-1)     numbers of arrays
 */
enum { RANK_LISTS = 1, RANK_IS_WIDE = 2, RANK_FALLS = 4 };

typedef struct {
  int64_t flags, size, partition, positions, coordinates, starts;
} rank_sparse_level;

typedef struct {
  int64_t appended, values, bytes, capacity, levels;
  rank_sparse_level level[RANK_LEVELS];
} rank_sparse;

/* So many of them stand behind what exchanges go through. */
static int64_t rank_sparse_results(const int64_t *job, const rank_sparse **first) {
  const int64_t *const throughs = rank_array(job, rank_arrays(job)) + 1;
  const int64_t *const results = throughs + 1 + 7 * throughs[0];
  *first = (const rank_sparse *)(const void *)(results + 1);
  return results[0];
}

static int64_t rank_number(const void *array, int64_t k, const rank_sparse_level *level) {
  return level->flags & RANK_IS_WIDE ? ((const int64_t *)array)[k] : ((const int32_t *)array)[k];
}
static void rank_put(void *array, int64_t k, const rank_sparse_level *level, int64_t value) {
  if (level->flags & RANK_IS_WIDE) ((int64_t *)array)[k] = value;
  else ((int32_t *)array)[k] = (int32_t)value;
}
static int64_t rank_width(const rank_sparse_level *level) { return level->flags & RANK_IS_WIDE ? 8 : 4; }

/* The last level that lists coordinates. What lies below has a place for each of its elements. */
static int64_t rank_last_list(const rank_sparse *s) {
  int64_t last = s->levels - 1;
  while (last >= 0 && !(s->level[last].flags & RANK_LISTS)) last--;
  return last;
}

/* Of several ranks that have copies, the first one gives them: those along dimensions of the grid that cut nothing. */
static int rank_gives(const rank_world *world, const rank_sparse *s, int64_t rank) {
  for (int64_t g = 0; g < world->plan[RANK_GRID]; g++) {
    int cut = 0;
    for (int64_t l = 0; l < s->levels; l++)
      cut |= s->level[l].partition >= 0 && rank_partition(world->plan, s->level[l].partition)[0] == g;
    if (!cut && rank_coordinate(world, rank, g) != 0) return 0;
  }
  return 1;
}

/* Do parts stand one behind the other? */
static int rank_stand_apart(const rank_world *world, const rank_sparse *s) {
  for (int64_t l = 1; l < s->levels; l++)
    if (s->level[l].partition >= 0) return 0;
  const int64_t partition = s->level[0].partition;
  return partition < 0 || (!(s->level[0].flags & RANK_FALLS) && rank_block(world, partition) == 0);
}

/* Children of each level, behind which positions of parents that the kernel never came to are made good; RANK_LEVELS
 * numbers, all 0 of a rank that gives nothing. Levels above the first that lists have as many on all ranks. */
static void rank_count(const rank_world *world, const rank_sparse *s, void *const *own, int64_t *counts) {
  memset(counts, 0, RANK_LEVELS * sizeof(int64_t));
  if (!s->appended || !rank_gives(world, s, world->rank)) return;
  int64_t parents = 1;
  for (int64_t l = 0; l < s->levels; l++) {
    const rank_sparse_level *const level = s->level + l;
    if (level->positions >= 0) {
      void *const positions = own[level->positions];
      for (int64_t p = 0; p < parents; p++) {
        const int64_t end = rank_number(positions, p, level);
        if (rank_number(positions, p + 1, level) < end) rank_put(positions, p + 1, level, end);
      }
      parents = rank_number(positions, parents, level);
    } else if (!(level->flags & RANK_LISTS)) parents *= level->size;
    counts[l] = parents;
  }
}

/* How many children each level has in all, if parts stand apart. */
static void rank_totals(const rank_sparse *s, const int64_t *counts, int64_t ranks, int64_t stride, int64_t *total) {
  int64_t parents = 1;
  for (int64_t l = 0; l < s->levels; l++) {
    if (s->level[l].flags & RANK_LISTS) {
      if (s->level[l].positions >= 0) parents = 0;
      for (int64_t r = 0; s->level[l].positions >= 0 && r < ranks; r++) parents += counts[r * stride + l];
    } else parents *= s->level[l].size;
    total[l] = parents;
  }
}

/* Whether the parts of all ranks fit together. */
static int rank_has_room(const rank_sparse *s, const int64_t *counts, int64_t ranks, int64_t stride) {
  int64_t total[RANK_LEVELS];
  if (!s->appended) return 1;
  rank_totals(s, counts, ranks, stride, total);
  for (int64_t l = 0; l < s->levels; l++)
    if ((s->level[l].flags & RANK_LISTS) && total[l] > s->capacity) return 0;
  return 1;
}

/* Of parts that stand apart a rank's own, into the arrays of all; `counts` are those of all ranks. */
static void rank_copy_part(const rank_world *world, const rank_sparse *s, const int64_t *counts, int64_t stride,
                           void *const *own, void *const *to) {
  if (!rank_gives(world, s, world->rank)) return;
  int64_t from = 0, end = 1, shift = 0; /* own parents, and how much further on they are in the whole */
  for (int64_t l = 0; l < s->levels; l++) {
    const rank_sparse_level *const level = s->level + l;
    if (!(level->flags & RANK_LISTS)) {
      from *= level->size, end *= level->size, shift *= level->size;
      if (l == 0 && level->partition >= 0) {
        const int64_t *const ends = rank_ends(world, level->partition, world->rank);
        from = ends[0] < level->size ? ends[0] : level->size;
        end = ends[1] < level->size ? ends[1] : level->size;
      }
      continue;
    }
    if (level->positions >= 0) {
      int64_t base = 0;
      for (int64_t r = 0; r < world->rank; r++) base += counts[r * stride + l];
      void *const positions = to[level->positions];
      if (world->rank == 0) rank_put(positions, 0, level, 0);
      /* A first level that lists has one fiber, to which all ranks add: the last one that gives says where it ends. */
      if (l == 0) {
        int64_t all = 0;
        for (int64_t r = 0; r < world->ranks; r++) all += counts[r * stride + l];
        if (world->rank == 0) rank_put(positions, 1, level, all);
      } else
        for (int64_t p = from; p < end; p++)
          rank_put(positions, p + shift + 1, level, rank_number(own[level->positions], p + 1, level) + base);
      from = 0, end = counts[world->rank * stride + l], shift = base;
    }
    const int64_t width = rank_width(level);
    const int64_t which[2] = {level->coordinates, level->starts};
    for (int a = 0; a < 2; a++)
      if (which[a] >= 0 && end > from)
        memcpy((char *)to[which[a]] + (from + shift) * width, (const char *)own[which[a]] + from * width,
               (size_t)((end - from) * width));
  }
  if (end > from)
    memcpy((char *)to[s->values] + (from + shift) * s->bytes, (const char *)own[s->values] + from * s->bytes,
           (size_t)((end - from) * s->bytes));
}
