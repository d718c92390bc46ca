#include "makespan/exact/dense_search.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/sm_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Moves between two polls of the control. */
#define POLL_INTERVAL (UINT64_C(1) << 20)
/* States beyond which a table is not even counted. */
#define COUNT_LIMIT (UINT64_MAX / 16)

/* A place in the string where warps wait: `ready` of them have done all before
 * instruction `position`. after[u]: warps that wait for u at later entries. ranks
 * points at the part of the rank that the position's need makes: with x warps fewer
 * it is ranks[-x]. */
struct waiting {
  uint32_t position;
  uint32_t ready;
  enum wb_unit unit;
  uint32_t after[WB_UNIT_COUNT];
  const uint64_t *ranks;
};

/* rank_of[i * (W + 1) + d] = C(d + i, i + 1), the part of a state's rank that d
 * warps needing instruction i (from 0) make. need[i] is that d.
 * groups are the waiting places of the current state, last position first;
 * left is what the move under trial has not yet filled of the cycle's quota; take[g]
 * what it takes of group g, chosen[g] what the best move found takes. */
struct dense {
  const struct wb_problem *problem;
  void *cells;    /* by rank: the longest makespan, as narrow as the largest value allows */
  unsigned width; /* bytes of a cell: 1, 2 or 4 */
  uint8_t *types;
  uint64_t *rank_of;
  uint32_t *need;
  struct waiting *groups;
  uint32_t *take;
  uint32_t *chosen;
  size_t group_count;
  struct wb_quota left;
  uint64_t moves; /* tried since the control was last asked */
  uint32_t best;
  bool capped;
  bool keep_choice;
  struct wb_arena arena; /* of the arrays */
};

static uint32_t value_of(const struct dense *dense, uint64_t rank)
{
  switch (dense->width) {
  case 1:
    return ((const uint8_t *)dense->cells)[rank];
  case 2:
    return ((const uint16_t *)dense->cells)[rank];
  default:
    return ((const uint32_t *)dense->cells)[rank];
  }
}

static bool start_dense(struct dense *dense, const struct wb_problem *problem, uint64_t states,
                        unsigned width)
{
  size_t length = problem->string.length;
  *dense = (struct dense){.problem = problem, .capped = wb_problem_capped(problem), .width = width};
  dense->types = wb_kernel_string_expand(&problem->string);
  struct wb_arena *arena = &dense->arena;
  dense->rank_of = wb_arena_array(arena, uint64_t, length * ((size_t)problem->warps + 1));
  dense->need = wb_arena_array(arena, uint32_t, length);
  dense->groups = wb_arena_array(arena, struct waiting, length);
  dense->take = wb_arena_array(arena, uint32_t, length);
  dense->chosen = wb_arena_array(arena, uint32_t, length);
  if (dense->types == NULL || arena->failed || states > SIZE_MAX)
    return false;
  dense->cells =
      wb_arena_allocate(arena, (size_t)states, width); /* pages cost memory once touched */
  if (dense->cells == NULL)
    return false;
  size_t columns = (size_t)dense->problem->warps + 1;
  for (size_t i = 0; i < dense->problem->string.length; i++) {
    dense->rank_of[i * columns] = 0;
    for (size_t d = 1; d < columns; d++) {
      /* C(d + i, i + 1) = C(d + i - 1, i + 1) + C(d + i - 1, i); the second is the
       * entry of the instruction before, and 1 for the first instruction. */
      uint64_t before = i > 0 ? dense->rank_of[(i - 1) * columns + d] : 1;
      dense->rank_of[i * columns + d] = dense->rank_of[i * columns + d - 1] + before;
    }
  }
  return true;
}

/* Tries every way to fill what is left of the quota from the groups g.. and keeps
 * the longest; rank is the state's after the moves of the groups before. */
static void try_moves(struct dense *dense, size_t g, uint64_t rank)
{
  if (dense->left.total == 0) {
    dense->moves++;
    uint32_t value = value_of(dense, rank) + 1;
    if (value <= dense->best)
      return;
    dense->best = value;
    if (dense->keep_choice) {
      memset(dense->chosen, 0, dense->group_count * sizeof *dense->chosen);
      memcpy(dense->chosen, dense->take, g * sizeof *dense->chosen);
    }
    return;
  }
  assert(g < dense->group_count);
  const struct waiting *group = &dense->groups[g];
  uint32_t *type_left = &dense->left.most[group->unit];
  uint32_t least = wb_quota_least(&dense->left, group->after, group->unit, dense->capped);
  uint32_t most = *type_left < dense->left.total ? *type_left : dense->left.total;
  if (most > group->ready)
    most = group->ready;
  *type_left -= least;
  dense->left.total -= least;
  for (uint32_t x = least; x <= most; x++) {
    dense->take[g] = x;
    try_moves(dense, g + 1, rank - (group->ranks[0] - *(group->ranks - x)));
    --*type_left;
    dense->left.total--;
  }
  *type_left += most + 1;
  dense->left.total += most + 1;
}

static uint32_t longest_from(struct dense *dense, uint64_t rank)
{
  uint32_t ready[WB_UNIT_COUNT];
  /* Lists where warps wait, from the end of the string, and counts them by type. */
  memset(ready, 0, WB_UNIT_COUNT * sizeof *ready);
  dense->group_count = 0;
  for (size_t i = dense->problem->string.length; i-- > 0;) {
    uint32_t waiting = dense->need[i] - (i > 0 ? dense->need[i - 1] : 0);
    if (waiting == 0)
      continue;
    struct waiting *group = &dense->groups[dense->group_count++];
    group->position = (uint32_t)i;
    group->ready = waiting;
    group->unit = (enum wb_unit)dense->types[i];
    group->ranks = dense->rank_of + i * ((size_t)dense->problem->warps + 1) + dense->need[i];
    ready[group->unit] += waiting;
  }
  uint32_t after[WB_UNIT_COUNT] = {0};
  for (size_t g = dense->group_count; g-- > 0;) {
    memcpy(dense->groups[g].after, after, sizeof after);
    after[dense->groups[g].unit] += dense->groups[g].ready;
  }
  dense->best = 0;
  dense->left = wb_cycle_quota(dense->problem, ready);
  try_moves(dense, 0, rank);
  return dense->best;
}

static enum wb_stop sweep(struct dense *dense, uint64_t states, const struct wb_control *control,
                          uint64_t *done)
{
  /* Rank 0 is the end: no warp needs anything, 0 cycles, as the table starts. */
  for (uint64_t rank = 1; rank < states; rank++) {
    /* The next state in order of rank. */
    size_t last = dense->problem->string.length - 1;
    size_t i = 0;
    while (i < last && dense->need[i] == dense->need[i + 1])
      dense->need[i++] = 0;
    dense->need[i]++;
    const uint32_t value = longest_from(dense, rank);
    switch (dense->width) {
    case 1:
      ((uint8_t *)dense->cells)[rank] = (uint8_t)value;
      break;
    case 2:
      ((uint16_t *)dense->cells)[rank] = (uint16_t)value;
      break;
    default:
      ((uint32_t *)dense->cells)[rank] = value;
    }
    if (dense->moves < POLL_INTERVAL)
      continue;
    dense->moves = 0;
    enum wb_stop stop = wb_control_poll(control, "exact search", (double)rank / (double)states);
    if (stop != WB_STOP_NONE) {
      *done = rank;
      return stop;
    }
  }
  *done = states;
  return WB_STOP_NONE;
}

/* w warps that have done nothing: every d[i] is w. */
static uint64_t start_rank(const struct dense *dense, uint32_t warps)
{
  uint64_t rank = 0;
  for (size_t i = 0; i < dense->problem->string.length; i++)
    rank += dense->rank_of[i * ((size_t)dense->problem->warps + 1) + warps];
  return rank;
}

/* Walks down the table from W fresh warps along longest moves. The next position
 * is served first, so that no warp issues twice in a cycle. */
static warpbound_status make_witness(struct dense *dense, struct wb_schedule *witness,
                                     warpbound_error *error)
{
  const struct wb_problem *problem = dense->problem;
  warpbound_status status =
      wb_schedule_start(witness, problem->warps, problem->string.length, error);
  size_t *done = wb_allocate(problem->warps, sizeof *done);
  if (status == WARPBOUND_OK && done == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    for (size_t i = 0; i < problem->string.length; i++)
      dense->need[i] = problem->warps;
    uint64_t rank = start_rank(dense, problem->warps);
    dense->keep_choice = true;
    for (uint32_t cycle = 1; rank > 0; cycle++) {
      longest_from(dense, rank);
      for (size_t g = 0; g < dense->group_count; g++) {
        const struct waiting *group = &dense->groups[g];
        wb_schedule_issue(witness, done, group->position, dense->chosen[g], cycle);
        rank -= group->ranks[0] - *(group->ranks - dense->chosen[g]);
        dense->need[group->position] -= dense->chosen[g];
      }
      witness->makespan = cycle;
    }
  }
  free(done);
  return status;
}

warpbound_status wb_dense_search(const struct wb_problem *problem, uint64_t largest,
                                 const struct wb_control *control, struct wb_search *search,
                                 warpbound_error *error)
{
  *search = (struct wb_search){0};
  unsigned width = 0; /* 0: even 4 bytes are too few */
  if (largest <= UINT32_MAX)
    width = largest <= UINT8_MAX ? 1 : largest <= UINT16_MAX ? 2 : 4;
  uint64_t smaller = wb_minimum(problem->warps, problem->string.length);
  uint64_t larger = wb_maximum(problem->warps, problem->string.length);
  uint64_t states = 1; /* C(W + I, I), or beyond the limit */
  for (uint64_t k = 1; k <= smaller && states <= COUNT_LIMIT; k++) {
    uint64_t product;
    states = wb_multiply(states, larger + k, &product) ? product / k : UINT64_MAX;
  }
  uint64_t cells, ranks;
  if (width == 0 || states > COUNT_LIMIT || !wb_multiply(states, width, &cells) ||
      !wb_multiply(problem->string.length, ((uint64_t)problem->warps + 1) * sizeof(uint64_t),
                   &ranks) ||
      !wb_add(cells, ranks, &search->needed))
    search->needed = UINT64_MAX;
  if (search->needed > control->memory_limit) {
    search->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct dense dense;
  warpbound_status status = WARPBOUND_OK;
  if (start_dense(&dense, problem, states, width))
    search->stop = sweep(&dense, states, control, &search->states);
  else
    search->stop = WB_STOP_MEMORY; /* allowed, but not to be had */
  if (search->stop == WB_STOP_NONE) {
    search->makespan = wb_allocate((size_t)problem->warps + 1, sizeof *search->makespan);
    if (search->makespan == NULL)
      status = wb_out_of_memory(error);
    for (uint32_t w = 1; w <= problem->warps && status == WARPBOUND_OK; w++)
      search->makespan[w] = value_of(&dense, start_rank(&dense, w));
    if (status == WARPBOUND_OK)
      status = make_witness(&dense, &search->witness, error);
  }
  free(dense.types);
  wb_arena_free(&dense.arena);
  if (status != WARPBOUND_OK)
    wb_search_free(search);
  return status;
}
