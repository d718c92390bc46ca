#include "makespan/exact/layered_moves.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

/* Steps of work (states expanded, choices of warps, bytes of states / 64) between two
 * questions to the taker. */
#define POLL_INTERVAL 65536

bool wb_layered_moves_start(struct wb_layered_moves *m, const struct wb_run_table *table,
                            const struct wb_state_code *code, const struct wb_layered_taker *taker)
{
  size_t runs = table->run_count;
  size_t length = table->problem->string.length;
  *m = (struct wb_layered_moves){
      .table = table, .code = code, .taker = *taker, .capped = wb_problem_capped(table->problem)};
  m->first = wb_allocate(runs, sizeof *m->first);
  m->keys = wb_allocate(length + 1, sizeof *m->keys);
  m->inside = wb_allocate(runs, sizeof *m->inside);
  m->pending = wb_allocate(runs, sizeof *m->pending);
  m->after = wb_allocate(runs, sizeof *m->after);
  m->move = wb_allocate(runs, sizeof *m->move);
  m->next_inside = wb_allocate(runs, sizeof *m->next_inside);
  m->next_pending = wb_allocate(runs, sizeof *m->next_pending);
  m->current = wb_allocate(length, 1);
  m->numbers = wb_allocate(code->piece_count, sizeof *m->numbers);
  m->number_of = wb_allocate(length, sizeof *m->number_of);
  m->terms = wb_allocate(length, sizeof *m->terms);
  m->next = wb_allocate(code->bytes, 1);
  if (m->first == NULL || m->keys == NULL || m->inside == NULL || m->pending == NULL ||
      m->after == NULL || m->move == NULL || m->next_inside == NULL || m->next_pending == NULL ||
      m->current == NULL || m->numbers == NULL || m->number_of == NULL || m->terms == NULL ||
      m->next == NULL)
    return false;
  for (size_t r = 1; r < runs; r++)
    m->first[r] = m->first[r - 1] + table->runs[r - 1].length;
  struct wb_random random = {UINT64_C(0x57617270626f756e)};
  for (size_t p = 0; p < length; p++) /* a warp past the end counts nothing: its key is 0 */
    m->keys[p] = wb_random_next(&random);
  for (size_t p = 0; p < length; p++)
    m->number_of[p] = &m->numbers[p / code->piece];
  return true;
}

void wb_layered_moves_free(struct wb_layered_moves *m)
{
  free(m->first);
  free(m->keys);
  free(m->inside);
  free(m->pending);
  free(m->after);
  free(m->move);
  free(m->next_inside);
  free(m->next_pending);
  free(m->current);
  free(m->numbers);
  free(m->number_of);
  free(m->terms);
  free(m->next);
}

/* Counts work, and says whether to go on. */
static bool goes_on(struct wb_layered_moves *m, uint64_t work)
{
  m->work += work;
  if (m->work >= POLL_INTERVAL) {
    m->work = 0;
    m->ended = m->ended || !m->taker.goes_on(m->taker.context);
  }
  return !m->ended;
}

/* What the move under trial is before some warps at a position issue. */
struct before {
  uint64_t *number;
  const uint64_t *term;
  uint64_t without; /* the number less the position's term */
  uint64_t hash;
  uint64_t step; /* what a warp adds to the hash */
};

static struct before remember(const struct wb_layered_moves *m, size_t position)
{
  uint64_t *number = m->number_of[position];
  const uint64_t *term = m->terms[position];
  return (struct before){number, term, *number - *term, m->hash,
                         m->keys[position + 1] - m->keys[position]};
}

/* So many of the position's warps issue; with 0, all is as it was. */
static void issue(struct wb_layered_moves *m, const struct before *before, uint32_t warps)
{
  *before->number = before->without + *(before->term - warps);
  m->hash = before->hash + warps * before->step;
}

static void choose_warps(struct wb_layered_moves *m, size_t r);

/* Lets `left` of the `waiting` warps at the positions from.. of run r, its last one
 * excluded, issue, in every way. */
static void choose_inside(struct wb_layered_moves *m, size_t r, size_t from, uint32_t waiting,
                          uint32_t left)
{
  if (!goes_on(m, 1))
    return;
  if (left == 0) {
    choose_warps(m, r + 1);
    return;
  }
  while (m->current[from] == 0) /* some warp waits, as left <= waiting */
    from++;
  uint32_t here = m->current[from];
  uint32_t behind = waiting - here;
  uint32_t most = here < left ? here : left;
  const struct before before = remember(m, from);
  for (uint32_t x = left > behind ? left - behind : 0; x <= most; x++) {
    issue(m, &before, x);
    choose_inside(m, r, from + 1, behind, left - x);
  }
  issue(m, &before, 0);
}

/* Chooses the warps of the runs r.. that do what move says. */
static void choose_warps(struct wb_layered_moves *m, size_t r)
{
  if (r == m->table->run_count) {
    for (size_t i = 0; i < m->code->piece_count; i++)
      wb_state_code_store(m->code, m->next, i, m->numbers[i]);
    if (!m->taker.reach(m->taker.context, m->next, m->hash, m->value))
      m->ended = true;
    return;
  }
  size_t last = m->first[r] + m->table->runs[r].length - 1;
  uint32_t exits = m->move[r].exits;
  const struct before before = remember(m, last);
  issue(m, &before, exits);
  choose_inside(m, r, m->first[r], m->inside[r] - m->current[last], m->move[r].issues - exits);
  issue(m, &before, 0);
}

/* Tries what the runs r.. may do in the abstraction; where the successor can still
 * reach the goal, every choice of warps for it. As in the run abstraction, but for
 * the exits: those that the current state has the warps for. */
static void choose_moves(struct wb_layered_moves *m, size_t r, const struct wb_quota *left,
                         uint32_t entering)
{
  const struct wb_run_table *table = m->table;
  if (!goes_on(m, 1))
    return;
  if (r == table->run_count) {
    m->value = wb_run_table_value(table, m->next_inside, m->next_pending);
    if (wb_run_table_may_reach(table, m->value, m->least_value))
      choose_warps(m, 0);
    return;
  }
  const struct wb_run *run = &table->runs[r];
  uint32_t n = m->inside[r];
  uint32_t at_exit = m->current[m->first[r] + run->length - 1];
  uint32_t most_issue = (uint32_t)wb_minimum(n, wb_minimum(left->most[run->unit], left->total));
  struct wb_quota rest = *left;
  for (uint32_t x = wb_quota_least(left, m->after[r], run->unit, m->capped); x <= most_issue; x++) {
    rest.most[run->unit] = left->most[run->unit] - x;
    rest.total = left->total - x;
    uint32_t e = x > n - at_exit ? x - (n - at_exit) : 0;
    for (; e <= x && e <= at_exit; e++) {
      m->next_inside[r] = n - e + entering;
      m->next_pending[r] = m->pending[r] - x + (uint64_t)entering * run->length;
      m->move[r] = (struct wb_run_move){x, e};
      choose_moves(m, r + 1, &rest, e);
    }
  }
}

bool wb_layered_expand(struct wb_layered_moves *m, const uint8_t *state, uint64_t least_value)
{
  const struct wb_run_table *table = m->table;
  size_t length = table->problem->string.length;
  if (!goes_on(m, 1 + length / 64))
    return false;
  m->least_value = least_value;
  wb_state_code_unpack(m->code, state, m->current, m->terms);
  for (size_t i = 0; i < m->code->piece_count; i++)
    m->numbers[i] = wb_state_code_load(m->code, state, i);
  m->hash = 0;
  uint32_t ready[WB_UNIT_COUNT] = {0};
  for (size_t r = table->run_count; r-- > 0;) {
    memcpy(m->after[r], ready, sizeof ready);
    m->inside[r] = 0;
    m->pending[r] = 0;
    for (size_t k = 0; k < table->runs[r].length; k++) {
      uint32_t here = m->current[m->first[r] + k];
      m->inside[r] += here;
      m->pending[r] += here * (uint64_t)(table->runs[r].length - k);
      m->hash += here * m->keys[m->first[r] + k];
    }
    ready[table->runs[r].unit] += m->inside[r];
  }
  struct wb_quota quota = wb_cycle_quota(table->problem, ready);
  if (quota.total > 0)
    choose_moves(m, 0, &quota, 0);
  return !m->ended;
}
