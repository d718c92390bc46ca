#include "certificate/runs/run_check.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/runs/run_block.h"
#include "certificate/runs/run_states.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char types[] = "LCSDN";
#define ISSUE_ONLY 4

/* The work on one claim. The threads decide one level after the other: `next` is the
 * block of the level that nobody has taken yet, `ends` whether the level just done is
 * the last; the first thread sets both anew while the others wait. abandoned: there is no
 * barrier, nobody begins. */
struct check {
  const struct wb_check_run_claim *claim;
  const struct wb_control *control;
  uint8_t *piece_types;
  uint64_t bytes;
  struct wb_check_run_sweep sweep;
  unsigned threads;
  atomic_uint_least64_t next;
  bool ends;
  bool abandoned;
  pthread_mutex_t gate;
  pthread_barrier_t barrier;
};

/* One thread: what it needs for its blocks. posts: the block that it has come to. */
struct member {
  struct check *check;
  struct wb_run_worker *worker;
  struct wb_check_run_post *posts;
  pthread_t thread;
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

static warpbound_status check_letters(const struct wb_check_run_claim *claim,
                                      warpbound_error *error)
{
  if (claim->length == 0 || claim->warps == 0 || claim->count == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "expected at least one instruction, one warp and one piece");
  for (size_t i = 0; i < claim->length; i++) {
    size_t type = type_of(claim->letters[i]);
    if (type == WB_CHECK_RUN_TYPES)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu is of no type: expected one of L, C, S, D, N", i + 1);
    if (type != ISSUE_ONLY && claim->capacity[type] == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu is of type %c, for which no units are given", i + 1,
                     types[type]);
  }
  return WARPBOUND_OK;
}

/* That the instructions of piece r, which begins at `start`, are there and of one type. */
static warpbound_status check_piece(const struct wb_check_run_claim *claim, size_t r, size_t start,
                                    warpbound_error *error)
{
  size_t length = claim->lengths[r];
  if (length == 0 || length > claim->length - start)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "runs, entry %zu: expected 1 to the %zu instructions that are left, found %zu",
                   r + 1, claim->length - start, length);
  for (size_t i = start + 1; i < start + length; i++) {
    if (claim->letters[i] != claim->letters[start])
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "runs, entry %zu: expected instructions of one type, but instruction %zu is "
                     "of type %c and instruction %zu of type %c",
                     r + 1, start + 1, claim->letters[start], i + 1, claim->letters[i]);
  }
  return WARPBOUND_OK;
}

static warpbound_status check_pieces(const struct wb_check_run_claim *claim, warpbound_error *error)
{
  size_t start = 0;
  for (size_t r = 0; r < claim->count; r++) {
    warpbound_status status = check_piece(claim, r, start, error);
    if (status != WARPBOUND_OK)
      return status;
    start += claim->lengths[r];
  }
  if (start != claim->length)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "runs: expected the %zu instructions of the string in all, found %zu",
                   claim->length, start);
  return WARPBOUND_OK;
}

/* ---- memory ---- */

/* The most posts of a block. */
static uint64_t most_posts(const struct check *check)
{
  return wb_minimum(check->claim->count, check->claim->warps);
}

/* Bytes of everything beside the cells. */
static bool other_bytes(const struct check *check, uint64_t *bytes)
{
  const struct wb_check_run_claim *claim = check->claim;
  uint64_t arrays;
  uint64_t member;
  return wb_check_run_states_bytes(claim->count, claim->warps, &arrays) &&
         wb_check_run_worker_bytes(claim->lengths, claim->count, claim->warps, &member) &&
         wb_add(member,
                most_posts(check) * sizeof(struct wb_check_run_post) + sizeof(struct member),
                &member) &&
         wb_multiply(member, check->threads, bytes) && wb_add(*bytes, arrays, bytes) &&
         wb_add(*bytes, claim->count, bytes);
}

/* Levels whose cells are kept: the one under way, and one below for each warp that can
 * leave its piece in a cycle. */
static uint64_t window_of(const struct check *check)
{
  const struct wb_check_run_claim *claim = check->claim;
  bool used[WB_CHECK_RUN_TYPES] = {false};
  uint64_t leaves = 0;
  for (size_t i = 0; i < claim->length; i++)
    used[type_of(claim->letters[i])] = true;
  for (size_t u = 0; u < WB_CHECK_RUN_TYPES; u++) {
    if (used[u])
      leaves += u == ISSUE_ONLY ? claim->warps : wb_minimum(claim->capacity[u], claim->warps);
  }
  if (claim->issue_slots > 0)
    leaves = wb_minimum(leaves, claim->issue_slots);
  return wb_minimum(leaves, claim->warps) + 1;
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

/* How much memory the check takes; whether it may. What is beside the cells is taken only
 * once it is known to be within the limit. */
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
  sweep->window = window_of(check);
  if (!fits || !other_bytes(check, &check->bytes))
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

static bool make_ring(struct check *check)
{
  struct wb_check_run_sweep *sweep = &check->sweep;
  sweep->ring = wb_allocate((size_t)sweep->window, sizeof *sweep->ring);
  bool made = sweep->ring != NULL;
  for (uint64_t place = 0; made && place < sweep->window; place++) {
    uint64_t cells = place_cells(check, place);
    sweep->ring[place] = cells <= SIZE_MAX ? wb_allocate((size_t)cells, sweep->wide ? 2 : 1) : NULL;
    made = sweep->ring[place] != NULL;
  }
  return made;
}

static warpbound_status prepare(struct check *check, warpbound_error *error)
{
  const struct wb_check_run_claim *claim = check->claim;
  struct wb_check_run_sweep *sweep = &check->sweep;
  check->piece_types = wb_allocate(claim->count, sizeof *check->piece_types);
  if (check->piece_types == NULL || !make_ring(check))
    return wb_out_of_memory(error);
  for (size_t r = 0, start = 0; r < claim->count; start += claim->lengths[r++])
    check->piece_types[r] = (uint8_t)type_of(claim->letters[start]);
  sweep->types = check->piece_types;
  memcpy(sweep->capacity, claim->capacity, sizeof claim->capacity);
  sweep->capacity[ISSUE_ONLY] = UINT64_MAX;
  sweep->slots = claim->issue_slots > 0 ? claim->issue_slots : UINT64_MAX;
  sweep->control = check->control;
  return WARPBOUND_OK;
}

static void clear(struct check *check)
{
  wb_check_run_states_free(&check->sweep.states);
  free(check->piece_types);
  for (uint64_t place = 0; check->sweep.ring != NULL && place < check->sweep.window; place++)
    free(check->sweep.ring[place]);
  free(check->sweep.ring);
}

/* ---- the sweep ---- */

/* Takes blocks of a level until none is left. Every thread goes through all of them and
 * decides those whose number it drew. */
static void decide_level(struct member *member, uint64_t level)
{
  struct check *check = member->check;
  const struct wb_check_run_states *states = &check->sweep.states;
  uint64_t mine = atomic_fetch_add(&check->next, 1);
  uint64_t block = 0;
  size_t count;
  wb_check_run_states_first(states, level, member->posts, &count);
  do {
    if (block++ != mine)
      continue;
    wb_check_run_worker_decide(member->worker, member->posts, count);
    mine = atomic_fetch_add(&check->next, 1);
  } while (!atomic_load(&check->sweep.stop) &&
           wb_check_run_states_next(states, member->posts, &count));
}

/* Level 0 is the end, with the value 0 that its cell has. The blocks of a level need
 * those of lower levels alone (run_block.h). */
static void decide_all(struct member *member)
{
  struct check *check = member->check;
  uint64_t last = (uint64_t)check->claim->warps * check->claim->count;
  bool ends = false;
  for (uint64_t level = 1; !ends; level++) {
    decide_level(member, level);
    pthread_barrier_wait(&check->barrier);
    if (member->first) {
      atomic_store(&check->next, 0);
      check->ends = level == last || atomic_load(&check->sweep.stop);
    }
    pthread_barrier_wait(&check->barrier);
    ends = check->ends;
  }
}

/* Waits until all threads are there: only then is the barrier's number known. */
static void *run_member(void *context)
{
  struct member *member = context;
  pthread_mutex_lock(&member->check->gate);
  pthread_mutex_unlock(&member->check->gate);
  if (!member->check->abandoned)
    decide_all(member);
  return NULL;
}

/* Runs the members on a thread each, the first one on the caller's. Where the system
 * gives fewer threads, fewer do it. */
static warpbound_status run_members(struct check *check, struct member *members,
                                    warpbound_error *error)
{
  unsigned started = 1;
  pthread_mutex_lock(&check->gate);
  while (started < check->threads &&
         pthread_create(&members[started].thread, NULL, run_member, &members[started]) == 0)
    started++;
  check->abandoned = pthread_barrier_init(&check->barrier, NULL, started) != 0;
  pthread_mutex_unlock(&check->gate);
  if (!check->abandoned)
    decide_all(&members[0]);
  for (unsigned i = 1; i < started; i++)
    pthread_join(members[i].thread, NULL);
  if (check->abandoned)
    return wb_fail(error, WARPBOUND_INTERNAL, "no barrier for %u threads", started);
  pthread_barrier_destroy(&check->barrier);
  return WARPBOUND_OK;
}

static void free_members(struct member *members, unsigned count)
{
  for (unsigned i = 0; members != NULL && i < count; i++) {
    wb_check_run_worker_free(members[i].worker);
    free(members[i].posts);
  }
  free(members);
}

static warpbound_status sweep_all(struct check *check, warpbound_error *error)
{
  struct member *members = wb_allocate(check->threads, sizeof *members);
  bool made = members != NULL;
  for (unsigned i = 0; made && i < check->threads; i++) {
    members[i].check = check;
    members[i].first = i == 0;
    members[i].worker = wb_check_run_worker_make(&check->sweep, i == 0);
    members[i].posts = wb_allocate((size_t)most_posts(check), sizeof *members[i].posts);
    made = members[i].worker != NULL && members[i].posts != NULL;
  }
  warpbound_status status = made ? run_members(check, members, error) : wb_out_of_memory(error);
  free_members(members, check->threads);
  return status;
}

/* ---- the verdict ---- */

/* The state before the first cycle is the last one of the last level: all warps stand in
 * the first piece and have all of it to do. */
static uint64_t longest_path(const struct wb_check_run_sweep *sweep)
{
  uint64_t level = sweep->states.levels - 1;
  uint64_t cell = wb_check_run_states_cells(&sweep->states, level) - 1;
  const void *cells = sweep->ring[level % sweep->window];
  return sweep->wide ? ((const uint16_t *)cells)[cell] : ((const uint8_t *)cells)[cell];
}

static warpbound_status judge(const struct check *check, struct wb_check_run_proof *proof,
                              warpbound_error *error)
{
  const struct wb_check_run_sweep *sweep = &check->sweep;
  if (sweep->why != WB_STOP_NONE)
    return wb_fail(error, WARPBOUND_LIMIT, "not checked: %s",
                   sweep->why == WB_STOP_TIME ? "the time limit was reached" : "interrupted");
  uint64_t path = longest_path(sweep);
  uint64_t most = sweep->wide ? WB_CHECK_RUN_WORD_MOST : WB_CHECK_RUN_BYTE_MOST;
  if (path > check->claim->cycles)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "the longest path has %s%" PRIu64 " cycles, %" PRIu64 " are claimed",
                   path == most ? "at least " : "", path, check->claim->cycles);
  *proof = (struct wb_check_run_proof){path, sweep->total, check->bytes};
  return WARPBOUND_OK;
}

static warpbound_status check_claim(struct check *check, struct wb_check_run_proof *proof,
                                    warpbound_error *error)
{
  const struct wb_check_run_claim *claim = check->claim;
  warpbound_status status = check_letters(claim, error);
  if (status == WARPBOUND_OK)
    status = check_pieces(claim, error);
  if (status == WARPBOUND_OK && claim->cycles > WB_CHECK_RUN_CYCLES_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "not checked: %" PRIu64 " cycles are claimed, at most %" PRIu64
                   " can be checked",
                   claim->cycles, WB_CHECK_RUN_CYCLES_LIMIT);
  if (status == WARPBOUND_OK)
    status = plan(check, error);
  if (status == WARPBOUND_OK)
    status = prepare(check, error);
  if (status == WARPBOUND_OK)
    status = sweep_all(check, error);
  return status == WARPBOUND_OK ? judge(check, proof, error) : status;
}

warpbound_status wb_check_run(const struct wb_check_run_claim *claim,
                              const struct wb_control *control, struct wb_check_run_proof *proof,
                              warpbound_error *error)
{
  struct check check = {.claim = claim, .control = control, .threads = control->threads};
  if (pthread_mutex_init(&check.gate, NULL) != 0)
    return wb_fail(error, WARPBOUND_INTERNAL, "no lock");
  warpbound_status status = check_claim(&check, proof, error);
  clear(&check);
  pthread_mutex_destroy(&check.gate);
  return status;
}
