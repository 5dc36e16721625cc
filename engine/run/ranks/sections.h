/*
 * Which elements a rank sends and receives: found out by each rank alone, out of the plan and the places of all cuts.
 * C99, and C++. A plan is numbers (distribute/words.hpp writes them):
 *
 *   plan       := grid sizes K T E place^K place^T place^E partition^K tensor^T exchange^E      places: from its begin on
 *   partition  := dimension-of-the-grid base extra block parts               base: a form in sizes; block: 0, or a rank
 *                                                                            has every parts-th block of so many
 *   tensor     := type bytes levels (partition-or-(-1) form)^levels          in the order in which levels are stored
 *   exchange   := kind tensor operation along keys sections (constraints constraint^constraints)^sections
 *   constraint := length relation level coefficient form                     coefficient * level + form (>= | = | !=) 0
 *   form       := constant terms (symbol coefficient)^terms quotients (coefficient is-mod divisor form)^quotients
 *
 * Symbols: sizes, low and high of each partition, keys, levels of an element. The level of a constraint is the last one
 * that it names, -1 where there is none; with the coefficient 0 its form names it. `along` has a bit for each dimension
 * of the grid; of ghosts it is 1 where a rank sends all others the same. What goes through a sparse operand (job.h) is,
 * of a section, what stands at a coordinate that the reader's rows of it have.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RANK_LEVELS 16

enum { RANK_GRID, RANK_SIZES, RANK_PARTITIONS, RANK_TENSORS, RANK_EXCHANGES, RANK_HEAD };
enum { RANK_GHOSTS, RANK_WRITTEN, RANK_SUMS };
enum { RANK_AT_LEAST, RANK_EQUAL, RANK_OTHER };

/* Elements that stand side by side in an array. */
typedef struct {
  int64_t at, count;
} rank_run;

/* Elements in an order, and two buffers for them that take turns. */
typedef struct {
  int64_t peer, elements, runs, room;
  rank_run *run;
  char *data[2];
} rank_part;

/* What all ranks know of each other. The ends of rank r's part of partition k are places[k][c] and places[k][c + 1],
 * with c the place of r along the partition's dimension of the grid; where blocks go to ranks in turn these are c and
 * c + 1. */
typedef struct {
  const int64_t *plan, *sizes, *grid;
  const int64_t *const *places;
  int64_t rank, ranks;
  const int64_t *through; /* a count, and so many as job.h has them; null: none */
  void *const *arrays;    /* that they name */
  void (*refuse)(void); /* for want of memory; does not come back */
} rank_world;

static void *rank_take(const rank_world *world, int64_t bytes) {
  void *memory = calloc(bytes > 0 ? (size_t)bytes : 1, 1);
  if (!memory) world->refuse();
  return memory;
}

static const int64_t *rank_partition(const int64_t *plan, int64_t k) { return plan + plan[RANK_HEAD + k]; }
static const int64_t *rank_tensor(const int64_t *plan, int64_t k) {
  return plan + plan[RANK_HEAD + plan[RANK_PARTITIONS] + k];
}
static const int64_t *rank_exchange_of(const int64_t *plan, int64_t k) {
  return plan + plan[RANK_HEAD + plan[RANK_PARTITIONS] + plan[RANK_TENSORS] + k];
}
static int64_t rank_first_key(const int64_t *plan) { return plan[RANK_SIZES] + 2 * plan[RANK_PARTITIONS]; }
static int64_t rank_first_level(const int64_t *plan) { return rank_first_key(plan) + TRELLIS_RANKS_KEYS; }
static int64_t rank_symbols(const int64_t *plan) { return rank_first_level(plan) + RANK_LEVELS; }

static int64_t rank_floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static int64_t rank_form(const int64_t **at, const int64_t *symbols) {
  const int64_t *p = *at;
  int64_t value = *p++;
  for (int64_t terms = *p++; terms > 0; terms--, p += 2) value += symbols[p[0]] * p[1];
  for (int64_t quotients = *p++; quotients > 0; quotients--) {
    const int64_t coefficient = p[0], is_mod = p[1], divisor = p[2];
    p += 3;
    const int64_t numerator = rank_form(&p, symbols), quotient = rank_floor_div(numerator, divisor);
    value += coefficient * (is_mod ? numerator - quotient * divisor : quotient);
  }
  *at = p;
  return value;
}

/* Of a rank along a dimension of the grid, of which the last one moves fastest. */
static int64_t rank_coordinate(const rank_world *world, int64_t rank, int64_t dimension) {
  for (int64_t g = world->plan[RANK_GRID] - 1; g > dimension; g--) rank /= world->grid[g];
  return rank % world->grid[dimension];
}

static const int64_t *rank_ends(const rank_world *world, int64_t partition, int64_t rank) {
  return world->places[partition] + rank_coordinate(world, rank, rank_partition(world->plan, partition)[0]);
}

/* How many coordinates are a block that ranks take in turn; 0: they have one part each. */
static int64_t rank_block(const rank_world *world, int64_t partition) {
  const int64_t *at = rank_partition(world->plan, partition) + 1;
  rank_form(&at, world->sizes);
  return at[1];
}

/* Sizes, and the ends of a rank's parts. */
static void rank_know(const rank_world *world, int64_t rank, int64_t *symbols) {
  const int64_t *plan = world->plan;
  memcpy(symbols, world->sizes, sizeof(int64_t) * (size_t)plan[RANK_SIZES]);
  for (int64_t k = 0; k < plan[RANK_PARTITIONS]; k++)
    memcpy(symbols + plan[RANK_SIZES] + 2 * k, rank_ends(world, k, rank), 2 * sizeof(int64_t));
}

static void rank_add(const rank_world *world, rank_part *part, int64_t at, int64_t count) {
  part->elements += count;
  if (part->runs && part->run[part->runs - 1].at + part->run[part->runs - 1].count == at) {
    part->run[part->runs - 1].count += count;
    return;
  }
  if (part->runs == part->room) {
    rank_run *const more = (rank_run *)rank_take(world, (2 * part->room + 4) * (int64_t)sizeof(rank_run));
    if (part->runs) memcpy(more, part->run, (size_t)part->runs * sizeof(rank_run));
    free(part->run);
    part->run = more;
    part->room = 2 * part->room + 4;
  }
  part->run[part->runs].at = at;
  part->run[part->runs++].count = count;
}

/* Goes through the elements of one section that lie within a box, level by level. */
typedef struct {
  const rank_world *world;
  const int64_t *constraint; /* the first of so many */
  int64_t constraints, levels;
  int64_t low[RANK_LEVELS], high[RANK_LEVELS], size[RANK_LEVELS];
  int64_t block[RANK_LEVELS], parts[RANK_LEVELS], turn[RANK_LEVELS]; /* 0, or x is within if x/block%parts = turn */
  int64_t *symbols, *level; /* level: those of the symbols that are levels */
  const char *wanted;       /* by coordinate of the level `through`; null: all are */
  int64_t through;
  rank_part *part;
} rank_walk;

static int rank_holds(int64_t relation, int64_t value) {
  return relation == RANK_AT_LEAST ? value >= 0 : relation == RANK_EQUAL ? value == 0 : value != 0;
}

/* Constraints whose last level this is: what they leave of low and high, where that is an interval. Else 0, and the
 * others are to be asked of each coordinate (`here` then has it). */
static int rank_narrow(const rank_walk *walk, int64_t k, int64_t *low, int64_t *high) {
  const int64_t *at = walk->constraint;
  int exact = 1;
  for (int64_t n = 0; n < walk->constraints; n++, at += at[0]) {
    if (at[2] != k) continue;
    const int64_t relation = at[1], a = at[3];
    if (a == 0 || relation == RANK_OTHER) {
      exact = 0;
      continue;
    }
    const int64_t *form = at + 4;
    const int64_t b = rank_form(&form, walk->symbols); /* a x + b >= 0, or = 0 */
    if (a > 0 || relation == RANK_EQUAL) {
      const int64_t least = a > 0 ? -rank_floor_div(b, a) : -rank_floor_div(-b, -a);
      if (least > *low) *low = least;
    }
    if (a < 0 || relation == RANK_EQUAL) {
      const int64_t most = a < 0 ? rank_floor_div(b, -a) : rank_floor_div(-b, a);
      if (most + 1 < *high) *high = most + 1;
    }
  }
  return exact;
}

static int rank_allows(const rank_walk *walk, int64_t k) {
  const int64_t *at = walk->constraint;
  for (int64_t n = 0; n < walk->constraints; n++, at += at[0]) {
    if (at[2] != k || (k >= 0 && at[3] != 0 && at[1] != RANK_OTHER)) continue;
    const int64_t *form = at + 4;
    const int64_t rest = rank_form(&form, walk->symbols);
    if (!rank_holds(at[1], rest + (k >= 0 ? at[3] * walk->level[k] : 0))) return 0;
  }
  return 1;
}

static void rank_level(const rank_walk *walk, int64_t k, int64_t before) {
  if (k == walk->levels) {
    rank_add(walk->world, walk->part, before, 1);
    return;
  }
  int64_t low = walk->low[k], high = walk->high[k];
  const int few = walk->wanted && k == walk->through;
  const int64_t block = walk->block[k];
  const int exact = rank_narrow(walk, k, &low, &high) && !few && !block;
  const int64_t first = before * walk->size[k];
  if (k + 1 == walk->levels && exact) {
    if (low < high) rank_add(walk->world, walk->part, first + low, high - low);
    return;
  }
  for (int64_t x = low; x < high; x++) {
    walk->level[k] = x;
    if (few && !walk->wanted[x]) continue;
    if (block && x / block % walk->parts[k] != walk->turn[k]) continue;
    if (exact || rank_allows(walk, k)) rank_level(walk, k + 1, first + x);
  }
}

/* The box of what a rank owns of a tensor; of what is not cut, all. */
static void rank_box(const rank_world *world, const int64_t *tensor, int64_t owner, rank_walk *walk) {
  const int64_t *at = tensor + 3;
  walk->levels = tensor[2];
  for (int64_t k = 0; k < walk->levels; k++) {
    const int64_t partition = *at++, size = rank_form(&at, world->sizes);
    walk->size[k] = size > 0 ? size : 0;
    walk->low[k] = partition < 0 ? 0 : rank_ends(world, partition, owner)[0];
    walk->high[k] = partition < 0 ? walk->size[k] : rank_ends(world, partition, owner)[1];
    walk->block[k] = partition < 0 ? 0 : rank_block(world, partition);
    if (walk->block[k]) {
      walk->turn[k] = walk->low[k];
      walk->parts[k] = world->grid[rank_partition(world->plan, partition)[0]];
      walk->low[k] = 0, walk->high[k] = walk->size[k];
    }
    if (walk->high[k] > walk->size[k]) walk->high[k] = walk->size[k];
  }
}

static void rank_own(const rank_world *world, const int64_t *tensor, rank_part *part) {
  int64_t levels[RANK_LEVELS];
  rank_walk walk;
  memset(&walk, 0, sizeof walk);
  walk.world = world, walk.level = levels, walk.part = part;
  rank_box(world, tensor, world->rank, &walk);
  rank_level(&walk, 0, 0);
}

/* Is a tensor cut along the dimension of the grid? */
static int rank_is_cut(const rank_world *world, const int64_t *tensor, int64_t dimension) {
  const int64_t *at = tensor + 3;
  for (int64_t k = 0; k < tensor[2]; k++) {
    const int64_t partition = *at++;
    rank_form(&at, world->sizes);
    if (partition >= 0 && rank_partition(world->plan, partition)[0] == dimension) return 1;
  }
  return 0;
}

/* Marks the coordinates that a rank's rows of an operand have. */
static void rank_mark(const rank_world *world, const int64_t *through, int64_t reader, char *wanted, int64_t size) {
  const void *const positions = world->arrays[through[2]], *const coordinates = world->arrays[through[3]];
  const int64_t *const ends = through[4] < 0 ? NULL : rank_ends(world, through[4], reader);
  const int64_t block = ends ? rank_block(world, through[4]) : 0;
  const int64_t parts = block ? world->grid[rank_partition(world->plan, through[4])[0]] : 1;
  const int64_t first = ends && !block ? ends[0] : 0;
  const int64_t last = ends && !block && ends[1] < through[5] ? ends[1] : through[5];
  const int wide = through[6] != 0;
#define RANK_AT(array, k) (wide ? ((const int64_t *)(array))[k] : ((const int32_t *)(array))[k])
  for (int64_t row = first; row < last; row++) {
    if (block && row / block % parts != ends[0]) continue;
    for (int64_t p = RANK_AT(positions, row); p < RANK_AT(positions, row + 1); p++) {
      const int64_t x = RANK_AT(coordinates, p);
      if (x >= 0 && x < size) wanted[x] = 1;
    }
  }
#undef RANK_AT
}

/* The level at whose coordinates an exchange goes through operands; -1: it does not. */
static int64_t rank_through(const rank_world *world, int64_t exchange) {
  for (int64_t k = 0; world->through && k < world->through[0]; k++)
    if (world->through[1 + 7 * k] == exchange) return world->through[2 + 7 * k];
  return -1;
}

/* Which of so many coordinates of that level a reader wants. */
static char *rank_wanted(const rank_world *world, int64_t exchange, int64_t reader, int64_t size) {
  char *const wanted = (char *)rank_take(world, size);
  for (int64_t k = 0; k < world->through[0]; k++) {
    const int64_t *const one = world->through + 1 + 7 * k;
    if (one[0] == exchange) rank_mark(world, one, reader, wanted, size);
  }
  return wanted;
}

/* What one rank sends another in an exchange. Ends of parts are those of the rank whose section it is: of the one that
 * reads ghosts, else of the one that writes. `kept` holds on to what the reader wants, for other ranks that send. */
static void rank_between(const rank_world *world, int64_t number, int64_t from, int64_t to, const int64_t *keys,
                         char **kept, rank_part *part) {
  const int64_t *const exchange = rank_exchange_of(world->plan, number);
  const int ghosts = exchange[0] == RANK_GHOSTS;
  const int64_t owner = ghosts ? from : to, other = ghosts ? to : from;
  const int64_t *plan = world->plan, *tensor = rank_tensor(plan, exchange[1]);
  /* Of copies the one that has the reader's own coordinates sends, or receives where it computes a copy itself. */
  for (int64_t g = 0; g < plan[RANK_GRID]; g++) {
    const int own_copy = ghosts ? !rank_is_cut(world, tensor, g) : !(exchange[3] >> g & 1);
    if (own_copy && rank_coordinate(world, from, g) != rank_coordinate(world, to, g)) return;
  }
  int64_t *const symbols = (int64_t *)rank_take(world, rank_symbols(plan) * (int64_t)sizeof(int64_t));
  rank_know(world, other, symbols);
  memcpy(symbols + rank_first_key(plan), keys, (size_t)exchange[4] * sizeof(int64_t));
  rank_walk walk;
  memset(&walk, 0, sizeof walk);
  walk.world = world, walk.symbols = symbols, walk.part = part;
  walk.level = symbols + rank_first_level(plan);
  rank_box(world, tensor, owner, &walk);
  walk.through = rank_through(world, number);
  char *wanted = kept ? *kept : NULL;
  if (walk.through >= 0 && !wanted) wanted = rank_wanted(world, number, to, walk.size[walk.through]);
  walk.wanted = wanted;
  const int64_t *at = exchange + 6;
  for (int64_t section = 0; section < exchange[5]; section++) {
    walk.constraints = *at++;
    walk.constraint = at;
    if (rank_allows(&walk, -1)) rank_level(&walk, 0, 0);
    for (int64_t n = 0; n < walk.constraints; n++) at += at[0];
  }
  if (kept) *kept = wanted;
  else free(wanted);
  free(symbols);
}
