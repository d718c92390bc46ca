#include "certificate/runs/run_check.h"

#include "base/arena.h"
#include "base/checked.h"
#include "certificate/runs/run_class.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

static const char types[] = "LCSDTN";
#define ISSUE_ONLY 5

/* The check of one claim. The threads decide one level after the other. */
struct check {
  struct wb_arena arena; /* owns the arrays but the tables of states */
  const struct wb_check_run_claim *claim;
  const struct wb_control *control;
  /* By segment. */
  uint8_t *segment_types;
  /* Memory of all tables. */
  uint64_t bytes;
  struct wb_check_run_sweep sweep;
  unsigned threads;
  /* The next class of the level that no thread has drawn. */
  atomic_uint_least64_t next;
  /* The level just decided is the last. The first thread sets this and `next` while the others wait
   * at the barrier. */
  bool ends;
  /* There is no barrier: no thread begins. */
  bool abandoned;
  /* Held until all threads are started. */
  pthread_mutex_t start_lock;
  pthread_barrier_t barrier;
};

/* A thread. */
struct member {
  struct check *check;
  struct wb_check_run_worker *worker;
  /* The class that it has come to. */
  struct wb_check_run_group *groups;
  pthread_t thread;
  /* It sets the fields of `check` between levels. */
  bool first;
};

/* ---- the claim ---- */

/* The type of a letter; WB_CHECK_RUN_TYPES for no type. */
static size_t type_of(char letter)
{
  size_t u = 0;
  while (u < WB_CHECK_RUN_TYPES && types[u] != letter)
    u++;
  return u;
}

static warpbound_status check_segments(const struct wb_check_run_claim *claim,
                                       warpbound_error *error)
{
  size_t start = 0;
  for (size_t r = 0; r < claim->count; r++) {
    /* Checks that the instructions of segment r, which begins at `start`, are there and of one
     * type. */
    size_t length = claim->lengths[r];
    if (length == 0 || length > claim->problem.length - start)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "runs, entry %zu: expected 1 to the %zu instructions that are left, found %zu",
                     r + 1, claim->problem.length - start, length);
    for (size_t i = start + 1; i < start + length; i++) {
      if (claim->problem.letters[i] != claim->problem.letters[start])
        return wb_fail(error, WARPBOUND_INVALID_INPUT,
                       "runs, entry %zu: expected instructions of one type, but instruction %zu is "
                       "of type %c and instruction %zu of type %c",
                       r + 1, start + 1, claim->problem.letters[start], i + 1,
                       claim->problem.letters[i]);
    }
    start += claim->lengths[r];
  }
  if (start != claim->problem.length)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "runs: expected the %zu instructions of the string in all, found %zu",
                   claim->problem.length, start);
  return WARPBOUND_OK;
}

/* ---- memory ---- */

/* The most groups of a class. */
static uint64_t most_groups(const struct check *check)
{
  return wb_minimum(check->claim->count, check->claim->warps);
}

/* The most cells of the levels that follow each other in one place of the ring. */
static uint64_t place_cells(const struct check *check, uint64_t place)
{
  const struct wb_check_run_states *states = &check->sweep.states;
  uint64_t most = 1;
  for (uint64_t level = place; level < states->levels; level += check->sweep.window)
    most = wb_maximum(most, wb_check_run_states_cells(states, level));
  return most;
}

/* The bytes of all cells that are kept at a time; false where they exceed 64 bits. */
static bool cell_bytes(const struct check *check, uint64_t *bytes)
{
  *bytes = 0;
  for (uint64_t place = 0; place < check->sweep.window; place++) {
    uint64_t more;
    if (!wb_multiply(place_cells(check, place), check->sweep.wide ? 2 : 1, &more) ||
        !wb_add(*bytes, more, bytes))
      return false;
  }
  return true;
}

static warpbound_status refuse(const struct check *check, bool counted, warpbound_error *error)
{
  if (!counted)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "not checked: it needs more than 2^64 bytes, the memory limit is %" PRIu64,
                   check->control->memory_limit);
  return wb_fail(error, WARPBOUND_LIMIT,
                 "not checked: it needs %" PRIu64 " bytes, the memory limit is %" PRIu64,
                 check->bytes, check->control->memory_limit);
}

/* Finds the memory that the check takes, and refuses more than it may. Tables beside the cells are
 * made only once they are known to be within the limit. */
static warpbound_status plan(struct check *check, warpbound_error *error)
{
  const struct wb_check_run_claim *claim = check->claim;
  struct wb_check_run_sweep *sweep = &check->sweep;
  uint64_t cells;
  bool fits;
  warpbound_status status = wb_check_run_states_total(claim->lengths, claim->count, claim->warps,
                                                      &sweep->total, &fits, error);
  if (status != WARPBOUND_OK)
    return status;
  sweep->wide = claim->cycles >= WB_CHECK_RUN_BYTE_MOST;
  /* Levels whose cells are kept: the one under way, and one below it for each warp that can leave
   * its segment in a cycle. */
  bool used[WB_CHECK_RUN_TYPES] = {false};
  uint64_t leaves = 0;
  for (size_t i = 0; i < claim->problem.length; i++)
    used[type_of(claim->problem.letters[i])] = true;
  for (size_t u = 0; u < WB_CHECK_RUN_TYPES; u++) {
    if (used[u])
      leaves +=
          u == ISSUE_ONLY ? claim->warps : wb_minimum(claim->problem.capacity[u], claim->warps);
  }
  if (claim->problem.issue_slots > 0)
    leaves = wb_minimum(leaves, claim->problem.issue_slots);
  sweep->window = wb_minimum(leaves, claim->warps) + 1;
  if (!fits)
    return refuse(check, false, error);
  /* Bytes of everything beside the cells. */
  uint64_t arrays;
  uint64_t member;
  if (!(wb_check_run_states_bytes(claim->count, claim->warps, &arrays) &&
        wb_check_run_worker_bytes(claim->lengths, claim->count, claim->warps, &member) &&
        wb_add(member,
               most_groups(check) * sizeof(struct wb_check_run_group) + sizeof(struct member),
               &member) &&
        wb_multiply(member, check->threads, &check->bytes) &&
        wb_add(check->bytes, arrays, &check->bytes) &&
        wb_add(check->bytes, claim->count, &check->bytes)))
    return refuse(check, false, error);
  if (check->bytes > check->control->memory_limit)
    return refuse(check, true, error);
  status =
      wb_check_run_states_make(&sweep->states, claim->lengths, claim->count, claim->warps, error);
  if (status != WARPBOUND_OK)
    return status;
  fits = cell_bytes(check, &cells) && wb_add(check->bytes, cells, &check->bytes);
  if (!fits || check->bytes > check->control->memory_limit)
    return refuse(check, fits, error);
  return WARPBOUND_OK;
}

/* ---- the sweep ---- */

/* Level 0 is the end, with the value 0 that its cell has. The classes of a level need
 * those of lower levels alone (run_class.h). */
static void decide_all(struct member *member)
{
  struct check *check = member->check;
  uint64_t last = (uint64_t)check->claim->warps * check->claim->count;
  bool ends = false;
  for (uint64_t level = 1; !ends; level++) {
    /* Decides classes of a level until none is left. Every thread goes through all of them and
     * decides those whose ticket it drew. */
    const struct wb_check_run_states *states = &check->sweep.states;
    uint64_t ticket = atomic_fetch_add(&check->next, 1);
    uint64_t class = 0;
    size_t count;
    wb_check_run_states_first(states, level, member->groups, &count);
    do {
      if (class ++ != ticket)
        continue;
      wb_check_run_worker_decide(member->worker, member->groups, count);
      ticket = atomic_fetch_add(&check->next, 1);
    } while (!atomic_load(&check->sweep.stop) &&
             wb_check_run_states_next(states, member->groups, &count));
    pthread_barrier_wait(&check->barrier);
    if (member->first) {
      atomic_store(&check->next, 0);
      check->ends = level == last || atomic_load(&check->sweep.stop);
    }
    pthread_barrier_wait(&check->barrier);
    ends = check->ends;
  }
}

/* Waits until all threads are started: only then is the barrier's number of threads known. */
static void *run_member(void *context)
{
  struct member *member = context;
  pthread_mutex_lock(&member->check->start_lock);
  pthread_mutex_unlock(&member->check->start_lock);
  if (!member->check->abandoned)
    decide_all(member);
  return NULL;
}

/* Runs the members on a thread each, the first one on the caller's. Where the system gives fewer
 * threads, fewer members run. */
static warpbound_status run_members(struct check *check, struct member *members,
                                    warpbound_error *error)
{
  unsigned started = 1;
  pthread_mutex_lock(&check->start_lock);
  while (started < check->threads &&
         pthread_create(&members[started].thread, NULL, run_member, &members[started]) == 0)
    started++;
  check->abandoned = pthread_barrier_init(&check->barrier, NULL, started) != 0;
  pthread_mutex_unlock(&check->start_lock);
  if (!check->abandoned)
    decide_all(&members[0]);
  for (unsigned i = 1; i < started; i++)
    pthread_join(members[i].thread, NULL);
  if (check->abandoned)
    return wb_fail(error, WARPBOUND_INTERNAL, "no barrier for %u threads", started);
  pthread_barrier_destroy(&check->barrier);
  return WARPBOUND_OK;
}

/* ---- the verdict ---- */

static warpbound_status judge(const struct check *check, struct wb_check_run_verdict *verdict,
                              warpbound_error *error)
{
  const struct wb_check_run_sweep *sweep = &check->sweep;
  if (sweep->why != WB_STOP_NONE)
    return wb_fail(error, WARPBOUND_LIMIT, "not checked: %s",
                   sweep->why == WB_STOP_TIME ? "the time limit was reached" : "interrupted");
  /* The state before the first cycle is the last one of the last level: all warps stand in
   * the first segment and have all of it to do. */
  uint64_t level = sweep->states.levels - 1;
  uint64_t cell = wb_check_run_states_cells(&sweep->states, level) - 1;
  const void *cells = sweep->ring[level % sweep->window];
  uint64_t path = sweep->wide ? ((const uint16_t *)cells)[cell] : ((const uint8_t *)cells)[cell];
  uint64_t most = sweep->wide ? WB_CHECK_RUN_WORD_MOST : WB_CHECK_RUN_BYTE_MOST;
  if (path > check->claim->cycles)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "the longest path has %s%" PRIu64 " cycles, %" PRIu64 " are claimed",
                   path == most ? "at least " : "", path, check->claim->cycles);
  *verdict = (struct wb_check_run_verdict){path, sweep->total, check->bytes};
  return WARPBOUND_OK;
}

static warpbound_status check_claim(struct check *check, struct wb_check_run_verdict *verdict,
                                    warpbound_error *error)
{
  const struct wb_check_run_claim *claim = check->claim;
  if (claim->problem.length == 0 || claim->warps == 0 || claim->count == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "expected at least one instruction, one warp and one segment");
  for (size_t i = 0; i < claim->problem.length; i++) {
    size_t type = type_of(claim->problem.letters[i]);
    if (type == WB_CHECK_RUN_TYPES)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu is of no type: expected one of L, C, S, D, T, N", i + 1);
    if (type != ISSUE_ONLY && claim->problem.capacity[type] == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu is of type %c, for which no units are given", i + 1,
                     types[type]);
  }
  warpbound_status status = check_segments(claim, error);
  if (status != WARPBOUND_OK)
    return status;
  if (claim->cycles > WB_CHECK_RUN_CYCLES_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "not checked: %" PRIu64 " cycles are claimed, at most %" PRIu64
                   " can be checked",
                   claim->cycles, WB_CHECK_RUN_CYCLES_LIMIT);
  status = plan(check, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_check_run_sweep *sweep = &check->sweep;
  check->segment_types = wb_arena_array(&check->arena, uint8_t, claim->count);
  sweep->ring = wb_arena_array(&check->arena, void *, (size_t)sweep->window);
  for (uint64_t place = 0; !check->arena.failed && place < sweep->window; place++)
    sweep->ring[place] =
        wb_arena_allocate(&check->arena, (size_t)place_cells(check, place), sweep->wide ? 2 : 1);
  if (check->arena.failed)
    return wb_out_of_memory(error);
  for (size_t r = 0, start = 0; r < claim->count; start += claim->lengths[r++])
    check->segment_types[r] = (uint8_t)type_of(claim->problem.letters[start]);
  sweep->types = check->segment_types;
  memcpy(sweep->capacity, claim->problem.capacity, sizeof claim->problem.capacity);
  sweep->capacity[ISSUE_ONLY] = UINT64_MAX;
  sweep->slots = claim->problem.issue_slots > 0 ? claim->problem.issue_slots : UINT64_MAX;
  sweep->control = check->control;
  struct member *members = wb_arena_array(&check->arena, struct member, check->threads);
  bool made = members != NULL;
  for (unsigned i = 0; made && i < check->threads; i++) {
    members[i].check = check;
    members[i].first = i == 0;
    members[i].worker = wb_check_run_worker_make(&check->arena, sweep, i == 0);
    members[i].groups =
        wb_arena_array(&check->arena, struct wb_check_run_group, (size_t)most_groups(check));
    made = members[i].worker != NULL && members[i].groups != NULL;
  }
  status = made ? run_members(check, members, error) : wb_out_of_memory(error);
  return status == WARPBOUND_OK ? judge(check, verdict, error) : status;
}

warpbound_status wb_check_run(const struct wb_check_run_claim *claim,
                              const struct wb_control *control,
                              struct wb_check_run_verdict *verdict, warpbound_error *error)
{
  struct check check = {.claim = claim, .control = control, .threads = control->threads};
  if (pthread_mutex_init(&check.start_lock, NULL) != 0)
    return wb_fail(error, WARPBOUND_INTERNAL, "no lock");
  warpbound_status status = check_claim(&check, verdict, error);
  wb_check_run_states_free(&check.sweep.states);
  wb_arena_free(&check.arena);
  pthread_mutex_destroy(&check.start_lock);
  return status;
}
