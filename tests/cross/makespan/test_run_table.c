/* The table of the run abstraction against its definition in doc/makespan.md, state by
 * state, on random instances and random cuts, in every shape of the table.
 *   WARPBOUND_CROSS_RUNS  instances (5000)
 *   WARPBOUND_SEED        seed of the first one */
#include "base/work_control.h"
#include "makespan/runs/run_table.h"
#include "random_instance.h"
#include "unit.h"

#define MOST_RUNS 8
#define MOST_NUMBERS 500000

/* The definition. A state is numbered by its n and b as digits of bases W + 1 and
 * l W + 1; value: of the states seen so far, one more than the longest path. */
struct definition {
  const struct wb_problem *problem;
  struct wb_run runs[MOST_RUNS];
  size_t count;
  uint32_t *value;
};

struct moves {
  const struct definition *definition;
  uint32_t n[MOST_RUNS], b[MOST_RUNS];
  uint32_t x[MOST_RUNS], e[MOST_RUNS];
  uint32_t longest;
};

static uint32_t longest_path(const struct definition *d, const uint32_t *n, const uint32_t *b);

static size_t number(const struct definition *d, const uint32_t *n, const uint32_t *b)
{
  size_t index = 0;
  for (size_t r = 0; r < d->count; r++) {
    index = index * (d->problem->warps + 1) + n[r];
    index = index * (d->problem->warps * d->runs[r].length + 1) + b[r];
  }
  return index;
}

static size_t numbers(const struct definition *d)
{
  size_t all = 1;
  for (size_t r = 0; r < d->count; r++)
    all *= (d->problem->warps + 1) * (d->problem->warps * d->runs[r].length + 1);
  return all;
}

/* Condition 1: per type min(sigma, ready), in all min(sigma, the sum of these). */
static bool is_quota(const struct moves *m)
{
  const struct wb_problem *problem = m->definition->problem;
  uint64_t sum = 0, total = 0;
  bool each = true;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    uint64_t ready = 0, issues = 0;
    for (size_t r = 0; r < m->definition->count; r++) {
      if (m->definition->runs[r].unit != (enum wb_unit)u)
        continue;
      ready += m->n[r];
      issues += m->x[r];
    }
    uint64_t most = ready < problem->capacity[u] ? ready : problem->capacity[u];
    each = each && issues <= most;
    sum += most;
    total += issues;
  }
  return each && total == (sum < problem->issue_slots ? sum : problem->issue_slots);
}

static void make_move(struct moves *m)
{
  const struct definition *d = m->definition;
  uint32_t n[MOST_RUNS], b[MOST_RUNS], entering = 0;
  for (size_t r = 0; r < d->count; r++) {
    n[r] = m->n[r] - m->e[r] + entering;
    b[r] = m->b[r] - m->x[r] + (uint32_t)d->runs[r].length * entering;
    entering = m->e[r];
  }
  uint32_t path = 1 + longest_path(d, n, b);
  m->longest = path > m->longest ? path : m->longest;
}

/* Condition 2 for the runs r.. */
static void try_all(struct moves *m, size_t r)
{
  const struct definition *d = m->definition;
  if (r == d->count) {
    if (is_quota(m))
      make_move(m);
    return;
  }
  uint32_t n = m->n[r], b = m->b[r], l = (uint32_t)d->runs[r].length;
  for (uint32_t x = 0; x <= n; x++) {
    for (uint32_t e = 0; e <= x; e++) {
      if (e + 2 * (x - e) + (n - x) > b || b > e + l * (n - e))
        continue;
      m->x[r] = x;
      m->e[r] = e;
      try_all(m, r + 1);
    }
  }
}

static uint32_t longest_path(const struct definition *d, const uint32_t *n, const uint32_t *b)
{
  uint32_t *value = &d->value[number(d, n, b)];
  if (*value > 0)
    return *value - 1;
  struct moves moves = {.definition = d};
  bool done = true;
  for (size_t r = 0; r < d->count; r++) {
    moves.n[r] = n[r];
    moves.b[r] = b[r];
    done = done && n[r] == 0;
  }
  if (!done)
    try_all(&moves, 0);
  *value = moves.longest + 1;
  return moves.longest;
}

static struct wb_run_table fill(struct definition *d, bool whole, uint64_t most, unsigned threads)
{
  struct wb_run_table table;
  struct wb_control control = wb_control_start(NULL);
  const struct wb_run_table_options options = {{d->runs, d->count}, whole, most};
  uint64_t needed, done;
  enum wb_stop stop;
  control.threads = threads;
  uint64_t states = wb_run_table_plan(d->problem, &options, UINT64_C(1) << 30, &needed);
  assert_true(states > 0);
  assert_int_equal(wb_run_table_plan(d->problem, &options, needed, &needed), states);
  assert_int_equal(wb_run_table_plan(d->problem, &options, needed - 1, &needed), 0);
  assert_ok(wb_run_table_start(&table, d->problem, &options, NULL));
  assert_int_equal(table.bytes, needed);
  assert_ok(wb_run_table_fill(&table, &control, &stop, &done, NULL));
  assert_int_equal(stop, WB_STOP_NONE);
  assert_int_equal(done, states);
  return table;
}

/* Every state of the runs r.., with the warps and instructions of those before set. */
static bool equal_from(struct definition *d, const struct wb_run_table *table, size_t r,
                       uint32_t room, uint32_t *n, uint32_t *b)
{
  if (r == d->count) {
    uint64_t pending[MOST_RUNS] = {0};
    for (size_t k = 0; k < d->count; k++)
      pending[k] = b[k];
    return wb_run_table_value(table, n, pending) == longest_path(d, n, b);
  }
  for (n[r] = 0; n[r] <= room; n[r]++) {
    for (b[r] = n[r]; b[r] <= n[r] * d->runs[r].length; b[r]++) {
      if (!equal_from(d, table, r + 1, room - n[r], n, b))
        return false;
    }
  }
  return true;
}

static bool equals_definition(struct definition *d, uint64_t most)
{
  uint32_t n[MOST_RUNS], b[MOST_RUNS];
  FREED_BY(wb_run_table_free) struct wb_run_table table = fill(d, true, most, 1);
  bool equal = equal_from(d, &table, 0, d->problem->warps, n, b);
  FREED_BY(wb_run_table_free) struct wb_run_table passing = fill(d, false, most, 3);
  for (uint32_t w = 1; w <= d->problem->warps; w++)
    equal = equal && table.makespan[w] == passing.makespan[w];
  return equal;
}

/* Cuts at every change of type and, one time in three, elsewhere. */
static bool make_cut(struct definition *d, const char *letters, uint64_t seed)
{
  struct wb_random random = {seed};
  d->count = 0;
  for (size_t i = 0; letters[i] != '\0'; i++) {
    if (i == 0 || letters[i] != letters[i - 1] || wb_random_below(&random, 3) == 0) {
      if (d->count == MOST_RUNS)
        return false;
      d->runs[d->count++] = (struct wb_run){wb_unit_from_letter(letters[i]), 0};
    }
    d->runs[d->count - 1].length++;
  }
  return true;
}

/* One comparison: the cut depends on its seed alone; compared: in how many instances, for
 * those too large for the definition pass. */
struct trial {
  uint64_t cut_seed;
  uint64_t compared;
};

static bool fails(const struct instance *instance, void *context)
{
  struct trial *trial = context;
  struct wb_problem problem;
  if (!instance_problem(instance, &problem))
    return false;
  struct definition d = {.problem = &problem};
  bool failed = false;
  if (make_cut(&d, instance->letters, trial->cut_seed) && numbers(&d) <= MOST_NUMBERS) {
    trial->compared++;
    d.value = calloc(numbers(&d), sizeof *d.value);
    assert_non_null(d.value);
    failed = !equals_definition(&d, 0) || !equals_definition(&d, UINT64_MAX);
    free(d.value);
  }
  wb_problem_free(&problem);
  return failed;
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
  const char *text = getenv(name);
  return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

TEST(tables_are_as_defined)
{
  uint64_t seed = number_of("WARPBOUND_SEED", 1), runs = number_of("WARPBOUND_CROSS_RUNS", 5000);
  printf("# seed %llu, %llu instances\n", (unsigned long long)seed, (unsigned long long)runs);
  struct trial trial = {0};
  for (uint64_t i = 0; i < runs; i++) {
    struct wb_random random = {seed + i};
    trial.cut_seed = seed + i;
    struct instance instance = instance_random(&random);
    if (!fails(&instance, &trial))
      continue;
    char command[200];
    instance = instance_shrink(instance, fails, &trial);
    instance_command(&instance, command, sizeof command);
    fail_msg("seed %llu: %s", (unsigned long long)(seed + i), command);
  }
  printf("# %llu compared\n", (unsigned long long)trial.compared);
  assert_true(trial.compared >= runs / 4);
}

/* One warp in a run of 300, and of 70000: their cycles do not fit into a byte, or two. */
TEST(large_values_are_told)
{
  struct instance instance = {.letters = "L", .capacity = {1, 1, 1, 1}, .warps = 1};
  static const uint32_t lengths[] = {254, 255, 300, 65534, 65535, 70000};
  for (size_t i = 0; i < COUNT_OF(lengths); i++) {
    FREED_BY(wb_problem_free) struct wb_problem problem;
    assert_true(instance_problem(&instance, &problem));
    struct definition d = {
        .problem = &problem, .runs = {{WB_UNIT_LOAD_STORE, lengths[i]}}, .count = 1};
    const uint32_t inside = 1;
    const uint64_t pending = lengths[i];
    for (unsigned wide = 0; wide < 2; wide++) {
      uint32_t most = wb_run_level_most(wide == 1);
      struct wb_run_table table = fill(&d, true, wide == 1 ? UINT64_MAX : 254, 1);
      bool fits = lengths[i] < most;
      assert_true(table.makespan[1] == (fits ? lengths[i] : UINT64_MAX));
      uint32_t value = wb_run_table_value(&table, &inside, &pending);
      assert_int_equal(value, fits ? lengths[i] : most);
      assert_true(wb_run_table_may_reach(&table, value, lengths[i]));
      assert_int_equal(wb_run_table_may_reach(&table, value, lengths[i] + 1), !fits);
      wb_run_table_free(&table);
    }
  }
}

/* 5L9C2L9C, 10 warps: what the doc says of finer cuts. */
TEST(finer_cuts_tell_more)
{
  struct instance instance = {
      .letters = "LLLLLCCCCCCCCCLLCCCCCCCCC", .capacity = {1, 4, 1, 1}, .warps = 10};
  FREED_BY(wb_problem_free) struct wb_problem problem;
  assert_true(instance_problem(&instance, &problem));
  struct definition own = {.problem = &problem, .count = 4};
  memcpy(own.runs, problem.string.runs, 4 * sizeof *own.runs);
  struct definition halves = {.problem = &problem, .count = 5};
  memcpy(halves.runs, problem.string.runs, 3 * sizeof *own.runs);
  halves.runs[3] = (struct wb_run){WB_UNIT_CORE, 4};
  halves.runs[4] = (struct wb_run){WB_UNIT_CORE, 5};
  FREED_BY(wb_run_table_free) struct wb_run_table coarse = fill(&own, false, 254, 2);
  FREED_BY(wb_run_table_free) struct wb_run_table fine = fill(&halves, false, 254, 2);
  assert_int_equal(coarse.makespan[10], 106);
  assert_int_equal(fine.makespan[10], 104);
  assert_true(fine.bytes < fine.states / 2);
}
