/*
 * Sparse results of ranks that are processes: counted by all, and joined in the files of the whole (entries.h, paths.h).
 * Part of rank.c, which maps files.
 */
/* A file of a sparse result, so long, to write to. */
static void *map_new(const char *name, int64_t bytes) {
  char path[4096];
  path_of(name, path, sizeof path);
  const int file = open(path, O_RDWR | O_CREAT, S_IRUSR | S_IWUSR);
  if (file < 0 || ftruncate(file, bytes) != 0) give_up(STATE_NO_MEMORY, name);
  close(file);
  return map(name, 1, 1, NULL);
}

static int64_t bytes_of_level(const rank_sparse *s, int64_t l, int a, const int64_t *total) {
  const int64_t parents = l ? total[l - 1] : 1;
  return (a == 0 ? parents + 1 : total[l]) * rank_width(s->level + l);
}

static const int64_t *arrays_of_level(const rank_sparse *s, int64_t l) { return &s->level[l].positions; }

/* The files of a sparse result, as long as it takes, by number of the array; rank 0 makes them. */
static void map_result(const rank_world *world, const rank_sparse *s, const int64_t *total, char *const *files,
                       void **to) {
  for (int turn = 0; turn < 2; turn++) {
    if (turn == 1) MPI_Barrier(MPI_COMM_WORLD);
    if (turn == 0 && world->rank != 0) continue;
    for (int64_t l = 0; l < s->levels; l++)
      for (int a = 0; a < 3; a++) {
        const int64_t k = arrays_of_level(s, l)[a];
        if (k >= 0) to[k] = turn == 0 ? map_new(files[k], bytes_of_level(s, l, a, total)) : map(files[k], 1, 1, NULL);
      }
    const int64_t bytes = total[s->levels - 1] * s->bytes;
    to[s->values] = turn == 0 ? map_new(files[s->values], bytes) : map(files[s->values], 1, 1, NULL);
  }
}

static const char *part_name(const char *file, int64_t rank, char *name, size_t size) {
  snprintf(name, size, "%s.%lld", file, (long long)rank);
  return name;
}

/* One array of a rank's part: into a file, or out of it, which is the end of the file. */
static void *part_in_file(const char *file, int64_t rank, const void *own, int64_t bytes) {
  char name[4096], path[4096];
  part_name(file, rank, name, sizeof name);
  if (own) {
    void *const to = map_new(name, bytes);
    if (bytes > 0) memcpy(to, own, (size_t)bytes);
    return NULL;
  }
  void *const part = map(name, 0, 1, NULL);
  path_of(name, path, sizeof path);
  unlink(path);
  return part;
}

/* Of all arrays of a part: a rank writes its own, `own`, or rank 0 reads those of another into `read`. */
static void part_in_files(const rank_sparse *s, char *const *files, int64_t rank, const int64_t *counts,
                          void *const *own, void **read) {
  for (int64_t l = 0; l <= s->levels; l++)
    for (int a = 0; a < (l < s->levels ? 3 : 1); a++) {
      const int64_t k = l < s->levels ? arrays_of_level(s, l)[a] : s->values;
      if (k < 0) continue;
      const int64_t bytes = l < s->levels ? bytes_of_level(s, l, a, counts) : counts[s->levels - 1] * s->bytes;
      void *const part = part_in_file(files[k], rank, own ? own[k] : NULL, bytes);
      if (read) read[k] = part;
    }
}

/* Entries of several ranks take turns: rank 0 puts them together. */
static void merge(const rank_world *world, const rank_sparse *s, const int64_t *counts, int64_t stride, int64_t arrays,
                  char *const *files, void *const *own, void **to) {
  int64_t total[RANK_LEVELS];
  if (rank_gives(world, s, world->rank)) part_in_files(s, files, world->rank, counts + world->rank * stride, own, NULL);
  rank_totals(s, counts, world->ranks, stride, total); /* no more than these */
  map_result(world, s, total, files, to);
  if (world->rank != 0) return;
  void ***const owns = (void ***)rank_take(world, world->ranks * (int64_t)sizeof(void **));
  for (int64_t r = 0; r < world->ranks; r++) {
    if (!rank_gives(world, s, r)) continue;
    owns[r] = (void **)rank_take(world, arrays * (int64_t)sizeof(void *));
    part_in_files(s, files, r, counts + r * stride, NULL, owns[r]);
  }
  rank_merge(world, s, (void *const *const *)owns, to, total);
  for (int64_t l = 0; l < s->levels; l++)
    for (int a = 0; a < 3; a++)
      if (arrays_of_level(s, l)[a] >= 0) map_new(files[arrays_of_level(s, l)[a]], bytes_of_level(s, l, a, total));
  map_new(files[s->values], total[s->levels - 1] * s->bytes);
}

/* How many entries each rank has of each sparse result. False where they have no room together. */
static int count_entries(const rank_world *world, const int64_t *job, void *const *own, int64_t **counts) {
  const rank_sparse *s;
  const int64_t results = rank_sparse_results(job, &s), stride = results * RANK_LEVELS;
  int64_t *const mine = (int64_t *)rank_take(world, stride * (int64_t)sizeof(int64_t));
  *counts = (int64_t *)rank_take(world, world->ranks * stride * (int64_t)sizeof(int64_t));
  for (int64_t k = 0; k < results; k++) rank_count(world, s + k, own, mine + k * RANK_LEVELS);
  if (stride) MPI_Allgather(mine, (int)stride, MPI_INT64_T, *counts, (int)stride, MPI_INT64_T, MPI_COMM_WORLD);
  int fits = 1;
  for (int64_t k = 0; k < results; k++) fits &= rank_has_room(s + k, *counts + k * RANK_LEVELS, world->ranks, stride);
  return fits;
}

static void store_entries(const rank_world *world, const int64_t *job, const int64_t *counts, char *const *files,
                          void *const *own, void **arrays) {
  const rank_sparse *s;
  const int64_t results = rank_sparse_results(job, &s), stride = results * RANK_LEVELS;
  for (int64_t k = 0; k < results; k++, s++) {
    const int64_t *const these = counts + k * RANK_LEVELS;
    int64_t total[RANK_LEVELS];
    if (!s->appended) {
      rank_store_values(world, s, own, arrays);
    } else if (rank_stand_apart(world, s)) {
      rank_totals(s, these, world->ranks, stride, total);
      map_result(world, s, total, files, arrays);
      rank_copy_part(world, s, these, stride, own, arrays);
    } else merge(world, s, these, stride, rank_arrays(job), files, own, arrays);
  }
}
