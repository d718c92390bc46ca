#include "makespan/run_abstraction.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/cycle.h"
#include "makespan/run_replay.h"
#include "makespan/value_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define POLL_INTERVAL 65536

/* States are ranked in lexicographic order of (n[0], b[0]), (n[1], b[1]), ...
 * with m = W - n[0] - ... - n[r-1] warps left for run r and later:
 *   count[r][m]      states of the runs r.. with at most m warps in them
 *   offset[r][m][n]  those of them with fewer than n warps in run r
 * so that a rank is the sum over r of offset[r][m][n] + (b - n) * count[r+1][m-n].
 * A move takes warps only forward, so the first run it changes falls in this
 * order, and every successor has a lower rank.
 * after[r][u]: warps in runs of type u behind run r, in the current state.
 * move is the one being tried, chosen the longest so far (if keep_choice). */
struct abstraction {
  const struct wb_problem *problem;
  size_t run_count;
  const struct wb_run *runs;
  uint32_t warps;
  uint64_t *count;
  uint64_t *offset;
  struct wb_value_table table;
  uint32_t *inside;
  uint64_t *pending;
  uint32_t (*after)[WB_UNIT_COUNT];
  struct wb_run_move *move;
  struct wb_run_move *chosen;
  uint32_t best;
  bool capped;
  bool keep_choice;
};

static size_t columns(const struct abstraction *a)
{
  return (size_t)a->warps + 1;
}

static uint64_t *offsets_of(const struct abstraction *a, size_t r, uint32_t room)
{
  return a->offset + (r * columns(a) + room) * columns(a);
}

/* Adds run r in front of the runs behind it, whose states next[m] counts: fills
 * count[m] for every room m; false where one exceeds the limit. */
static bool count_run(const struct wb_run *run, uint32_t warps, const uint64_t *next,
                      uint64_t *count, uint64_t limit)
{
  for (uint32_t room = 0; room <= warps; room++) {
    uint64_t sum = 0;
    for (uint32_t n = 0; n <= room; n++) {
      uint64_t spread, states;
      if (!wb_multiply(n, run->length - 1, &spread) ||
          !wb_multiply(spread + 1, next[room - n], &states) || !wb_add(sum, states, &sum) ||
          sum > limit)
        return false;
    }
    count[room] = sum;
  }
  return true;
}

/* Cells of the table, or 0 where they are more than `limit`. Gives up at the first
 * run, from the last, that goes beyond. */
static uint64_t count_states(const struct wb_problem *problem, uint64_t limit, uint64_t *scratch)
{
  size_t width = (size_t)problem->warps + 1;
  uint64_t *next = scratch;
  uint64_t *count = scratch + width;
  for (size_t m = 0; m < width; m++)
    next[m] = 1;
  for (size_t r = problem->string.run_count; r-- > 0;) {
    if (!count_run(&problem->string.runs[r], problem->warps, next, count, limit))
      return 0;
    memcpy(next, count, width * sizeof *next);
  }
  return next[problem->warps];
}

static void fill_ranks(struct abstraction *a)
{
  for (uint32_t room = 0; room <= a->warps; room++)
    a->count[a->run_count * columns(a) + room] = 1;
  for (size_t r = a->run_count; r-- > 0;) {
    const uint64_t *next = a->count + (r + 1) * columns(a);
    for (uint32_t room = 0; room <= a->warps; room++) {
      uint64_t *offset = offsets_of(a, r, room);
      uint64_t sum = 0;
      for (uint32_t n = 0; n <= room; n++) {
        offset[n] = sum;
        sum += (n * (a->runs[r].length - 1) + 1) * next[room - n];
      }
      a->count[r * columns(a) + room] = sum;
    }
  }
}

static warpbound_status start(struct abstraction *a, const struct wb_problem *problem,
                              uint64_t states, unsigned width, warpbound_error *error)
{
  size_t runs = problem->string.run_count;
  *a = (struct abstraction){.problem = problem,
                            .run_count = runs,
                            .runs = problem->string.runs,
                            .warps = problem->warps,
                            .capped = wb_problem_capped(problem)};
  a->count = wb_allocate((runs + 1) * columns(a), sizeof *a->count);
  a->offset = wb_allocate(runs * columns(a) * columns(a), sizeof *a->offset);
  a->inside = wb_allocate(runs, sizeof *a->inside);
  a->pending = wb_allocate(runs, sizeof *a->pending);
  a->after = wb_allocate(runs, sizeof *a->after);
  a->move = wb_allocate(runs, sizeof *a->move);
  a->chosen = wb_allocate(runs, sizeof *a->chosen);
  if (a->count == NULL || a->offset == NULL || a->inside == NULL || a->pending == NULL ||
      a->after == NULL || a->move == NULL || a->chosen == NULL ||
      !wb_value_table_start(&a->table, states, width))
    return wb_out_of_memory(error);
  fill_ranks(a);
  return WARPBOUND_OK;
}

static void finish(struct abstraction *a)
{
  wb_value_table_free(&a->table);
  free(a->count);
  free(a->offset);
  free(a->inside);
  free(a->pending);
  free(a->after);
  free(a->move);
  free(a->chosen);
}

static void end_of_move(struct abstraction *a, uint64_t rank)
{
  uint32_t value = wb_value_get(&a->table, rank) + 1;
  if (value <= a->best)
    return;
  a->best = value;
  if (a->keep_choice)
    memcpy(a->chosen, a->move, a->run_count * sizeof *a->chosen);
}

/* The fewest and most warps of run r that can leave when x of them issue. */
static void exits(const struct abstraction *a, size_t r, uint32_t x, uint32_t *least,
                  uint32_t *most)
{
  uint64_t n = a->inside[r];
  uint64_t b = a->pending[r];
  uint64_t length = a->runs[r].length;
  *least = n + x > b ? (uint32_t)(n + x - b) : 0;
  *most = x;
  if (length > 1)
    *most = (uint32_t)wb_minimum(x, (n * length - b) / (length - 1));
}

static uint32_t least_issue(const struct abstraction *a, size_t r, const struct wb_quota *left)
{
  if (a->capped)
    return wb_quota_least(left, a->after[r]);
  enum wb_unit unit = a->runs[r].unit;
  return left->most[unit] > a->after[r][unit] ? left->most[unit] - a->after[r][unit] : 0;
}

/* Tries every allowed way to fill the quota from the runs r.., where `entering`
 * warps come into run r and `room` warps are left for it and later ones; rank is
 * that of the successor's runs before r. */
static void try_moves(struct abstraction *a, size_t r, const struct wb_quota *left,
                      uint32_t entering, uint32_t room, uint64_t rank)
{
  if (r == a->run_count) {
    end_of_move(a, rank);
    return;
  }
  const struct wb_run *run = &a->runs[r];
  uint32_t n = a->inside[r];
  const uint64_t *offset = offsets_of(a, r, room);
  const uint64_t *next_count = a->count + (r + 1) * columns(a);
  uint32_t most_issue = (uint32_t)wb_minimum(n, wb_minimum(left->most[run->unit], left->total));
  struct wb_quota rest = *left;
  for (uint32_t x = least_issue(a, r, left); x <= most_issue; x++) {
    rest.most[run->unit] = left->most[run->unit] - x;
    rest.total = left->total - x;
    uint32_t e, most_exits;
    exits(a, r, x, &e, &most_exits);
    for (; e <= most_exits; e++) {
      uint32_t n_after = n - e + entering;
      uint64_t b_after = a->pending[r] - x + (uint64_t)entering * run->length;
      uint64_t below = offset[n_after] + (b_after - n_after) * next_count[room - n_after];
      a->move[r] = (struct wb_run_move){x, e};
      try_moves(a, r + 1, &rest, e, room - n_after, rank + below);
    }
  }
}

static uint32_t longest_from_here(struct abstraction *a)
{
  uint32_t ready[WB_UNIT_COUNT] = {0};
  for (size_t r = a->run_count; r-- > 0;) {
    memcpy(a->after[r], ready, sizeof ready);
    ready[a->runs[r].unit] += a->inside[r];
  }
  struct wb_quota quota = wb_cycle_quota(a->problem, ready);
  a->best = 0;
  try_moves(a, 0, &quota, 0, a->warps, 0);
  return a->best;
}

/* The next state in lexicographic order: the last run that can still rise rises,
 * those behind it empty. `used` is the warps in all runs. */
static void next_state(struct abstraction *a, uint32_t *used)
{
  for (size_t r = a->run_count; r-- > 0;) {
    if (a->pending[r] < a->inside[r] * (uint64_t)a->runs[r].length) {
      a->pending[r]++;
      return;
    }
    if (*used < a->warps) {
      a->pending[r] = ++a->inside[r];
      ++*used;
      return;
    }
    *used -= a->inside[r];
    a->inside[r] = 0;
    a->pending[r] = 0;
  }
}

static enum wb_stop sweep(struct abstraction *a, uint64_t states, const struct wb_control *control,
                          uint64_t *done)
{
  uint32_t used = 0;
  /* Rank 0 is the end: no warp in any run, 0 cycles, as the table starts. */
  for (uint64_t rank = 1; rank < states; rank++) {
    next_state(a, &used);
    wb_value_set(&a->table, rank, longest_from_here(a));
    if (rank % POLL_INTERVAL != 0)
      continue;
    enum wb_stop stop = wb_control_poll(control, "run abstraction", (double)rank / (double)states);
    if (stop != WB_STOP_NONE) {
      *done = rank;
      return stop;
    }
  }
  *done = states;
  return WB_STOP_NONE;
}

/* The rank of w warps that stand before the first run. */
static uint64_t start_rank(const struct abstraction *a, uint32_t w)
{
  return offsets_of(a, 0, a->warps)[w] +
         w * (a->runs[0].length - 1) * a->count[columns(a) + a->warps - w];
}

static void apply_move(struct abstraction *a)
{
  uint32_t entering = 0;
  for (size_t r = 0; r < a->run_count; r++) {
    a->inside[r] += entering - a->chosen[r].exits;
    a->pending[r] += entering * (uint64_t)a->runs[r].length;
    a->pending[r] -= a->chosen[r].issues;
    entering = a->chosen[r].exits;
  }
}

static warpbound_status make_witness(struct abstraction *a, uint64_t makespan,
                                     struct wb_schedule *witness, warpbound_error *error)
{
  struct wb_run_replay replay;
  warpbound_status status = wb_run_replay_start(&replay, a->problem, witness, error);
  if (status != WARPBOUND_OK)
    return status;
  memset(a->inside, 0, a->run_count * sizeof *a->inside);
  memset(a->pending, 0, a->run_count * sizeof *a->pending);
  a->inside[0] = a->warps;
  a->pending[0] = a->warps * (uint64_t)a->runs[0].length;
  a->keep_choice = true;
  for (uint32_t cycle = 1; cycle <= makespan; cycle++) {
    uint32_t left = longest_from_here(a);
    assert(left == makespan - cycle + 1);
    (void)left;
    wb_run_replay_cycle(&replay, a->chosen, cycle);
    apply_move(a);
  }
  wb_run_replay_free(&replay);
  return WARPBOUND_OK;
}

static warpbound_status read_answers(struct abstraction *a, struct wb_search *search,
                                     warpbound_error *error)
{
  search->makespan = wb_allocate(columns(a), sizeof *search->makespan);
  if (search->makespan == NULL)
    return wb_out_of_memory(error);
  for (uint32_t w = 1; w <= a->warps; w++)
    search->makespan[w] = wb_value_get(&a->table, start_rank(a, w));
  uint64_t entries;
  if (!wb_run_abstraction_exact(a->problem) ||
      !wb_multiply(a->warps, a->problem->string.length, &entries) || entries > WB_SCHEDULE_LIMIT)
    return WARPBOUND_OK;
  return make_witness(a, search->makespan[a->warps], &search->witness, error);
}

/* Bytes of the ranks for every run, saturated. */
static uint64_t rank_bytes(const struct wb_problem *problem)
{
  uint64_t width = (uint64_t)problem->warps + 1;
  uint64_t bytes;
  if (!wb_multiply(width * (width + 1) * sizeof(uint64_t), problem->string.run_count + 1, &bytes))
    return UINT64_MAX;
  return bytes;
}

/* Cells of the table if all of it fits in `memory` bytes, else 0; *needed says how
 * many bytes, UINT64_MAX where they were not counted to the end. */
static uint64_t plan(const struct wb_problem *problem, uint64_t memory, unsigned width,
                     uint64_t *needed)
{
  *needed = UINT64_MAX;
  uint64_t ranks = rank_bytes(problem);
  if (width == 0 || ranks > memory)
    return 0;
  uint64_t *scratch = wb_allocate(2 * ((size_t)problem->warps + 1), sizeof *scratch);
  if (scratch == NULL)
    return 0;
  uint64_t states = count_states(problem, UINT64_MAX / 64, scratch);
  free(scratch);
  if (states == 0)
    return 0;
  *needed = ranks + states * width;
  return *needed <= memory ? states : 0;
}

warpbound_status wb_run_abstraction_search(const struct wb_problem *problem, uint64_t memory,
                                           const struct wb_control *control,
                                           struct wb_search *search, warpbound_error *error)
{
  *search = (struct wb_search){0};
  uint64_t largest;
  unsigned width =
      wb_multiply(problem->warps, problem->string.length, &largest) ? wb_value_width(largest) : 0;
  uint64_t states = plan(problem, memory, width, &search->needed);
  if (states == 0) {
    search->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct abstraction a;
  warpbound_status status = start(&a, problem, states, width, error);
  if (status == WARPBOUND_OK) {
    search->stop = sweep(&a, states, control, &search->states);
    if (search->stop == WB_STOP_NONE)
      status = read_answers(&a, search, error);
  }
  finish(&a);
  if (status != WARPBOUND_OK)
    wb_search_free(search);
  return status;
}

bool wb_run_abstraction_exact(const struct wb_problem *problem)
{
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0 && problem->warps > 1 &&
        wb_problem_service(problem, (enum wb_unit)u) != 1)
      return false;
  }
  return true;
}
