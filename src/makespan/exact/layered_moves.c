#include "makespan/exact/layered_moves.h"

#include "base/checked.h"
#include "base/random.h"

#include <string.h>

/* Steps of work (states expanded, choices of warps, bytes of states / 64) between two
 * questions to the taker. */
#define POLL_INTERVAL 65536

bool wb_layered_moves_start(struct wb_layered_moves *moves, const struct wb_run_table *table,
                            const struct wb_state_code *code, const struct wb_layered_taker *taker)
{
  size_t runs = table->run_count;
  size_t length = table->problem->string.length;
  *moves = (struct wb_layered_moves){
      .table = table, .code = code, .taker = *taker, .capped = wb_problem_capped(table->problem)};
  struct wb_arena *arena = &moves->arena;
  moves->first = wb_arena_array(arena, size_t, runs);
  moves->keys = wb_arena_array(arena, uint64_t, length + 1);
  moves->inside = wb_arena_array(arena, uint32_t, runs);
  moves->pending = wb_arena_array(arena, uint64_t, runs);
  moves->after = wb_arena_allocate(arena, runs, sizeof *moves->after);
  moves->move = wb_arena_array(arena, struct wb_run_move, runs);
  moves->next_inside = wb_arena_array(arena, uint32_t, runs);
  moves->next_pending = wb_arena_array(arena, uint64_t, runs);
  moves->current = wb_arena_allocate(arena, length, 1);
  moves->numbers = wb_arena_array(arena, uint64_t, code->segment_count);
  moves->number_of = wb_arena_array(arena, uint64_t *, length);
  moves->terms = wb_arena_array(arena, const uint64_t *, length);
  moves->next = wb_arena_allocate(arena, code->bytes, 1);
  if (arena->failed)
    return false;
  for (size_t r = 1; r < runs; r++)
    moves->first[r] = moves->first[r - 1] + table->runs[r - 1].length;
  struct wb_random random = {UINT64_C(0x57617270626f756e)};
  for (size_t p = 0; p < length; p++) /* a warp past the end counts nothing: its key is 0 */
    moves->keys[p] = wb_random_next(&random);
  for (size_t p = 0; p < length; p++)
    moves->number_of[p] = &moves->numbers[p / code->segment];
  return true;
}

/* Counts work, and says whether to go on. */
static bool goes_on(struct wb_layered_moves *moves, uint64_t work)
{
  moves->work += work;
  if (moves->work >= POLL_INTERVAL) {
    moves->work = 0;
    moves->ended = moves->ended || !moves->taker.goes_on(moves->taker.context);
  }
  return !moves->ended;
}

/* The move under trial before some warps at a position issue. */
struct before {
  uint64_t *number;
  const uint64_t *term;
  uint64_t without; /* the number less the position's term */
  uint64_t hash;
  uint64_t step; /* what a warp adds to the hash */
};

static struct before remember(const struct wb_layered_moves *moves, size_t position)
{
  uint64_t *number = moves->number_of[position];
  const uint64_t *term = moves->terms[position];
  return (struct before){number, term, *number - *term, moves->hash,
                         moves->keys[position + 1] - moves->keys[position]};
}

/* So many of the position's warps issue; with 0, all is as it was. */
static void issue(struct wb_layered_moves *moves, const struct before *before, uint32_t warps)
{
  *before->number = before->without + *(before->term - warps);
  moves->hash = before->hash + warps * before->step;
}

static void choose_warps(struct wb_layered_moves *moves, size_t r);

/* Lets `left` of the `waiting` warps at the positions from.. of run r, its last one
 * excluded, issue, in every way. */
static void choose_inside(struct wb_layered_moves *moves, size_t r, size_t from, uint32_t waiting,
                          uint32_t left)
{
  if (!goes_on(moves, 1))
    return;
  if (left == 0) {
    choose_warps(moves, r + 1);
    return;
  }
  while (moves->current[from] == 0) /* some warp waits, as left <= waiting */
    from++;
  uint32_t here = moves->current[from];
  uint32_t behind = waiting - here;
  uint32_t most = here < left ? here : left;
  const struct before before = remember(moves, from);
  for (uint32_t x = left > behind ? left - behind : 0; x <= most; x++) {
    issue(moves, &before, x);
    choose_inside(moves, r, from + 1, behind, left - x);
  }
  issue(moves, &before, 0);
}

/* Chooses the warps of the runs r.. that do what move says. */
static void choose_warps(struct wb_layered_moves *moves, size_t r)
{
  if (r == moves->table->run_count) {
    for (size_t i = 0; i < moves->code->segment_count; i++)
      wb_state_code_store(moves->code, moves->next, i, moves->numbers[i]);
    if (!moves->taker.reach(moves->taker.context, moves->next, moves->hash, moves->value))
      moves->ended = true;
    return;
  }
  size_t last = moves->first[r] + moves->table->runs[r].length - 1;
  uint32_t exits = moves->move[r].exits;
  const struct before before = remember(moves, last);
  issue(moves, &before, exits);
  choose_inside(moves, r, moves->first[r], moves->inside[r] - moves->current[last],
                moves->move[r].issues - exits);
  issue(moves, &before, 0);
}

/* Tries what the runs r.. may do in the abstraction; where the successor can still
 * reach the goal, every choice of warps for it. As in the run abstraction, but for
 * the exits: those that the current state has the warps for. */
static void choose_moves(struct wb_layered_moves *moves, size_t r, const struct wb_quota *left,
                         uint32_t entering)
{
  const struct wb_run_table *table = moves->table;
  if (!goes_on(moves, 1))
    return;
  if (r == table->run_count) {
    moves->value = wb_run_table_value(table, moves->next_inside, moves->next_pending);
    if (wb_run_table_may_reach(table, moves->value, moves->least_value))
      choose_warps(moves, 0);
    return;
  }
  const struct wb_run *run = &table->runs[r];
  uint32_t n = moves->inside[r];
  uint32_t at_exit = moves->current[moves->first[r] + run->length - 1];
  uint32_t most_issue = (uint32_t)wb_minimum(n, wb_minimum(left->most[run->unit], left->total));
  struct wb_quota rest = *left;
  for (uint32_t x = wb_quota_least(left, moves->after[r], run->unit, moves->capped);
       x <= most_issue; x++) {
    rest.most[run->unit] = left->most[run->unit] - x;
    rest.total = left->total - x;
    uint32_t e = x > n - at_exit ? x - (n - at_exit) : 0;
    for (; e <= x && e <= at_exit; e++) {
      moves->next_inside[r] = n - e + entering;
      moves->next_pending[r] = moves->pending[r] - x + (uint64_t)entering * run->length;
      moves->move[r] = (struct wb_run_move){x, e};
      choose_moves(moves, r + 1, &rest, e);
    }
  }
}

bool wb_layered_expand(struct wb_layered_moves *moves, const uint8_t *state, uint64_t least_value)
{
  const struct wb_run_table *table = moves->table;
  size_t length = table->problem->string.length;
  if (!goes_on(moves, 1 + length / 64))
    return false;
  moves->least_value = least_value;
  wb_state_code_unpack(moves->code, state, moves->current, moves->terms);
  for (size_t i = 0; i < moves->code->segment_count; i++)
    moves->numbers[i] = wb_state_code_load(moves->code, state, i);
  moves->hash = 0;
  uint32_t ready[WB_UNIT_COUNT] = {0};
  for (size_t r = table->run_count; r-- > 0;) {
    memcpy(moves->after[r], ready, sizeof ready);
    moves->inside[r] = 0;
    moves->pending[r] = 0;
    for (size_t k = 0; k < table->runs[r].length; k++) {
      uint32_t here = moves->current[moves->first[r] + k];
      moves->inside[r] += here;
      moves->pending[r] += here * (uint64_t)(table->runs[r].length - k);
      moves->hash += here * moves->keys[moves->first[r] + k];
    }
    ready[table->runs[r].unit] += moves->inside[r];
  }
  struct wb_quota quota = wb_cycle_quota(table->problem, ready);
  if (quota.total > 0)
    choose_moves(moves, 0, &quota, 0);
  return !moves->ended;
}
