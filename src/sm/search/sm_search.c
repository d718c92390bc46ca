#include "sm/search/sm_search.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/schedule.h"
#include "sm/machine/sm_moves.h"
#include "sm/machine/sm_reached.h"
#include "sm/machine/sm_record.h"
#include "sm/machine/sm_states.h"
#include "sm/machine/sm_words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Choices of warps between two looks at the control. */
#define POLL_INTERVAL (UINT64_C(1) << 16)
/* Letters whose classes surely fit into a state. */
#define LETTER_LIMIT (WB_SM_CLASS_LIMIT - 1)

/* Bytes for each instruction of all warps: its level, and its place in the witness. */
#define LEVEL_BYTES (sizeof(uint32_t) + WB_SM_RECORD_BYTES)

/* string_of: NULL for all assignments. state: under expansion, at `index` of those reached;
 * settled: the one that a move makes. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of;
  const struct wb_control *control;
  struct wb_sm_words words;
  struct wb_sm_layout layout;
  struct wb_sm_moves moves;
  struct wb_sm_reached reached;
  uint16_t *state;
  uint16_t *settled;
  uint32_t index;
  size_t level;
  uint64_t work;
  enum wb_stop stop;
};

bool wb_sm_search_fits(const struct wb_sm_problem *problem)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  const size_t letters = wb_sm_words_letters(problem);
  return warps <= WB_SM_SEARCH_WARPS && letters <= LETTER_LIMIT &&
         letters <= WB_SCHEDULE_LIMIT / warps;
}

/* ---- the number of states ---- */

/* C(n + k, k), saturated. */
static uint64_t multisets(uint64_t n, uint64_t k)
{
  uint64_t result = 1;
  for (uint64_t i = 1; i <= k; i++) {
    uint64_t divisor = wb_greatest_common_divisor(result, i);
    uint64_t factor = (n + i) / (i / divisor);
    if ((n + i) % (i / divisor) != 0 || !wb_multiply(result / divisor, factor, &result))
      return UINT64_MAX;
  }
  return result;
}

/* The states of one block: its warps are all before the same barrier, or behind it and waiting. */
static uint64_t states_of_block(const struct wb_sm_problem *problem,
                                const struct wb_sm_words *words)
{
  const uint64_t barriers = problem->strings[0].count[WB_UNIT_BARRIER];
  const uint64_t narrow = problem->block_warps / problem->partitions;
  const uint64_t wide = problem->block_warps % problem->partitions;
  uint64_t all = 0;
  for (uint64_t k = 0; k <= barriers; k++) {
    uint64_t classes = 0;
    for (size_t c = 0; c < words->count; c++) {
      const bool behind = k > 0 && words->barriers[c] + 1 == k;
      classes += words->barriers[c] == k || behind;
    }
    uint64_t states = 1;
    for (uint64_t p = 0; p < problem->partitions; p++) {
      if (!wb_multiply(states, multisets(classes - 1, narrow + (p < wide)), &states))
        return UINT64_MAX;
    }
    if (!wb_add(all, states, &all))
      return UINT64_MAX;
  }
  return all;
}

uint64_t wb_sm_search_states(const struct wb_sm_problem *problem, bool any)
{
  struct wb_sm_words words;
  uint64_t states = UINT64_MAX;
  if (wb_sm_search_fits(problem) && wb_sm_words_start(&words, problem, any, NULL) == WARPBOUND_OK) {
    states = states_of_block(problem, &words);
    if (states < UINT64_MAX - problem->blocks)
      states = multisets(states - 1, problem->blocks);
    wb_sm_words_free(&words);
  }
  return states;
}

/* ---- the search ---- */

/* Counts a choice, and says whether to go on. */
static bool visit(void *context)
{
  struct search *s = context;
  if (++s->work < POLL_INTERVAL)
    return s->stop == WB_STOP_NONE;
  s->work = 0;
  if (s->stop == WB_STOP_NONE)
    s->stop = wb_control_poll(s->control, "exact search",
                              1 - (double)s->level / (double)s->reached.levels);
  if (s->stop == WB_STOP_NONE && wb_sm_reached_bytes(&s->reached) > s->control->memory_limit / 2)
    s->stop = WB_STOP_MEMORY;
  return s->stop == WB_STOP_NONE;
}

/* At most so many instructions are left. */
static size_t level_of(const struct search *s, const uint16_t *state)
{
  size_t level = 0;
  for (uint32_t w = 0; w < s->layout.warps; w++)
    level += s->words.height[state[w]];
  return level;
}

/* A move has made moves.next of the state. */
static bool reach(void *context)
{
  struct search *s = context;
  memcpy(s->settled, s->moves.next, s->layout.warps * sizeof *s->settled);
  wb_sm_layout_settle(&s->layout, s->settled, NULL);
  const uint32_t cycles = s->reached.nodes[s->index].cycles + 1;
  if (!wb_sm_reached_add(&s->reached, s->settled, level_of(s, s->settled), cycles, s->index))
    s->stop = WB_STOP_MEMORY;
  return s->stop == WB_STOP_NONE;
}

/* Chooses the first class of the warp at `place` of a cell, and of those behind it, in every way;
 * warps of one cell that may run any string are not told apart. */
static void start_from(struct search *s, uint32_t place)
{
  if (!visit(s))
    return;
  if (place == s->layout.warps) {
    memcpy(s->settled, s->state, place * sizeof *s->settled);
    wb_sm_layout_settle(&s->layout, s->settled, NULL);
    if (!wb_sm_reached_add(&s->reached, s->settled, level_of(s, s->settled), 0, WB_SM_NOWHERE))
      s->stop = WB_STOP_MEMORY;
    return;
  }
  bool first = false;
  for (uint32_t p = 0; p < s->layout.partitions; p++)
    first = first || place % s->layout.block_warps == s->layout.begin[p];
  for (size_t i = s->words.from[0]; i < s->words.from[1] && s->stop == WB_STOP_NONE; i++) {
    if (!first && s->words.starts[i] < s->state[place - 1])
      continue;
    s->state[place] = (uint16_t)s->words.starts[i];
    start_from(s, place + 1);
  }
}

static void add_starts(struct search *s)
{
  if (s->string_of == NULL) {
    start_from(s, 0);
    return;
  }
  for (uint32_t w = 0; w < s->layout.warps; w++)
    s->settled[wb_sm_layout_place(&s->layout, w)] =
        (uint16_t)s->words.starts[s->words.from[s->string_of[w]]];
  wb_sm_layout_settle(&s->layout, s->settled, NULL);
  if (!wb_sm_reached_add(&s->reached, s->settled, level_of(s, s->settled), 0, WB_SM_NOWHERE))
    s->stop = WB_STOP_MEMORY;
}

static void expand_all(struct search *s)
{
  for (s->level = s->reached.levels; s->level-- > 1 && s->stop == WB_STOP_NONE;) {
    s->index = s->reached.level[s->level];
    while (s->index != WB_SM_NOWHERE && s->stop == WB_STOP_NONE) {
      wb_sm_reached_read(&s->reached, s->index, s->state);
      wb_sm_moves_try(&s->moves, s->state);
      s->index = s->reached.nodes[s->index].next;
    }
  }
}

/* ---- the witness ---- */

/* From state to state on the way: which warp, by its number, stands where in the state; wanted: the
 * next state of the way. */
struct replay {
  struct search *search;
  uint32_t *names;
  uint32_t *moved_names;
  uint16_t *wanted;
  struct wb_sm_record record;
  uint32_t cycle;
};

static bool go_on(void *context)
{
  (void)context;
  return true;
}

/* Where the move leads to the wanted state, it is the one: ends the trying. */
static bool follow(void *context)
{
  struct replay *r = context;
  struct search *s = r->search;
  const uint32_t warps = s->layout.warps;
  memcpy(s->settled, s->moves.next, warps * sizeof *s->settled);
  memcpy(r->moved_names, r->names, warps * sizeof *r->names);
  wb_sm_layout_settle(&s->layout, s->settled, r->moved_names);
  if (memcmp(s->settled, r->wanted, warps * sizeof *s->settled) != 0)
    return true;
  for (uint32_t i = 0; i < warps; i++) {
    if (s->moves.next[i] == s->state[i])
      continue;
    wb_sm_record_issue(&r->record, r->names[i], s->words.type[s->state[i]], r->cycle);
  }
  memcpy(r->names, r->moved_names, warps * sizeof *r->names);
  return false;
}

/* The names in the first state of the way: any warp of a cell that begins with such a class. */
static void name_warps(struct replay *r)
{
  struct search *s = r->search;
  const struct wb_sm_layout *layout = &s->layout;
  for (uint32_t w = 0; w < layout->warps; w++)
    r->names[wb_sm_layout_place(layout, w)] = w;
  if (s->string_of == NULL)
    return;
  for (uint32_t w = 0; w < layout->warps; w++)
    s->settled[wb_sm_layout_place(layout, w)] =
        (uint16_t)s->words.starts[s->words.from[s->string_of[w]]];
  wb_sm_layout_settle(&s->layout, s->settled, r->names);
}

static void replay_way(struct replay *r, const uint32_t *way, size_t cycles)
{
  struct search *s = r->search;
  s->moves.reach = follow;
  s->moves.visit = go_on;
  s->moves.context = r;
  name_warps(r);
  for (r->cycle = 0; r->cycle < cycles;) {
    wb_sm_reached_read(&s->reached, way[r->cycle], s->state);
    wb_sm_reached_read(&s->reached, way[++r->cycle], r->wanted);
    wb_sm_moves_try(&s->moves, s->state);
  }
}

static bool start_replay(struct replay *r, struct search *s)
{
  const size_t warps = s->layout.warps;
  *r = (struct replay){.search = s,
                       .names = wb_allocate(warps, sizeof *r->names),
                       .moved_names = wb_allocate(warps, sizeof *r->moved_names),
                       .wanted = wb_allocate(warps, sizeof *r->wanted)};
  return wb_sm_record_start(&r->record, s->problem) && r->names != NULL && r->moved_names != NULL &&
         r->wanted != NULL;
}

static void finish_replay(struct replay *r)
{
  free(r->names);
  free(r->moved_names);
  free(r->wanted);
  wb_sm_record_free(&r->record);
}

/* The states on the way to the end, from the first one on; NULL: no memory. */
static uint32_t *find_way(const struct search *s, uint32_t end)
{
  const size_t cycles = s->reached.nodes[end].cycles;
  uint32_t *way = wb_allocate(cycles + 1, sizeof *way);
  for (size_t t = cycles + 1; t-- > 0 && way != NULL; end = s->reached.nodes[end].parent)
    way[t] = end;
  return way;
}

static warpbound_status make_witness(struct search *s, uint32_t end,
                                     struct wb_sm_schedule *schedule, warpbound_error *error)
{
  struct replay replay;
  const bool started = start_replay(&replay, s);
  uint32_t *way = find_way(s, end);
  warpbound_status status = WARPBOUND_OK;
  if (started && way != NULL) {
    replay_way(&replay, way, s->reached.nodes[end].cycles);
    status = wb_sm_record_schedule(&replay.record, s->string_of, replay.cycle, schedule, error);
  } else {
    status = wb_out_of_memory(error);
  }
  free(way);
  finish_replay(&replay);
  return status;
}

/* ---- start and end ---- */

static bool start(struct search *s)
{
  uint32_t height = 0;
  for (size_t c = 0; c < s->words.count; c++)
    height = s->words.height[c] > height ? s->words.height[c] : height;
  const uint32_t warps = wb_sm_problem_warps(s->problem);
  const size_t levels = (size_t)warps * height + 1;
  s->state = wb_allocate(warps, sizeof *s->state);
  s->settled = wb_allocate(warps, sizeof *s->settled);
  bool whole = wb_sm_layout_start(&s->layout, s->problem);
  whole = whole && wb_sm_moves_start(&s->moves, s->problem, &s->words, &s->layout);
  whole = whole && levels * LEVEL_BYTES <= s->control->memory_limit / 2 &&
          wb_sm_reached_start(&s->reached, warps, s->words.count, levels);
  s->moves.reach = reach;
  s->moves.visit = visit;
  s->moves.context = s;
  return whole && s->state != NULL && s->settled != NULL;
}

static void finish(struct search *s)
{
  wb_sm_words_free(&s->words);
  wb_sm_layout_free(&s->layout);
  wb_sm_moves_free(&s->moves);
  wb_sm_reached_free(&s->reached);
  free(s->state);
  free(s->settled);
}

warpbound_status wb_sm_search(const struct wb_sm_problem *problem, const uint32_t *string_of,
                              const struct wb_control *control, struct wb_sm_search *search,
                              warpbound_error *error)
{
  assert(wb_sm_search_fits(problem));
  *search = (struct wb_sm_search){0};
  struct search s = {.problem = problem, .string_of = string_of, .control = control};
  warpbound_status status = wb_sm_words_start(&s.words, problem, string_of == NULL, error);
  if (status == WARPBOUND_OK && !start(&s)) {
    s.stop = WB_STOP_MEMORY;
  } else if (status == WARPBOUND_OK) {
    add_starts(&s);
    expand_all(&s);
    search->states = s.reached.count;
    search->bytes = wb_sm_reached_bytes(&s.reached);
  }
  search->stop = s.stop;
  if (status == WARPBOUND_OK && s.stop == WB_STOP_NONE) {
    const uint32_t end = s.reached.level[0];
    search->longest = s.reached.nodes[end].cycles;
    status = make_witness(&s, end, &search->witness, error);
  }
  finish(&s);
  return status;
}
